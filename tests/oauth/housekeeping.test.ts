// What goes by itself, what the commands show, what is written down, and what is stored.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client as Postgres } from "pg";
import { freshMinute, until } from "#base/patience.fixture.ts";
import { launch, root, runCairn, type Server, send, startServer } from "../harness.ts";
import { logLines } from "../support/audit-lines.ts";
import {
  askFor,
  askToken,
  type Client,
  claimsOf,
  connect,
  decide,
  formOf,
  getCode,
  makeClient,
  makePkce,
  redirectUri,
  refresh,
  register,
  withToken,
} from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const hour = 3_600_000;
let server: Server;
let person: Person;
before(async () => {
  // The address stays while ports change, and with it the issuer.
  const env = { CAIRN_URL: "https://cms.example.test" };
  server = await startServer({
    hasOAuth: true,
    env,
    settings: { api: { rateLimit: 0 }, oauth: { tokenEndpointLimit: 0 } },
  });
  await makeUser(server, "ada", ["editor"]);
  person = await signIn(server, "ada");
});
after(() => server.stop());

const log = () => logLines(server, "mcp.log");
const typesSince = (start: number) =>
  log()
    .slice(start)
    .map((line) => /"type":"([^"]+)"/.exec(line)?.[1]);
/** The environment of a process that lives so much later. */
const later = (ms: number) => ({
  ...server.env,
  NODE_OPTIONS: `--import=${pathToFileURL(join(root, "tests", "support", "shift-clock.ts")).href}`,
  CLOCK_SHIFT_MS: String(ms),
});
const gcLater = async (ms: number) => JSON.parse((await runCairn(["oauth:gc", "--json"], { env: later(ms) })).stdout);
const clientIds = async () =>
  ((await server.request("GET", "/api/oauth-clients")).body.data as { id: string }[]).map(({ id }) => id);
const grantsOf = async (client: Client) =>
  ((await server.request("GET", "/api/oauth-grants")).body.data as { clientId: string }[]).filter(
    ({ clientId }) => clientId === client.id,
  ).length;

test("OAU-70 gc leaves young, static and used clients (T93)", async () => {
  const fixed = await makeClient(server);
  const idle: Client = { id: (await register(server)).body.client_id };
  const used: Client = { id: (await register(server)).body.client_id };
  const tokens = await connect(server, person, { client: used, scope: "cms:read" });
  assert.deepEqual(await gcLater(23 * hour), { grants: 0, clients: 0 });
  const pending = await getCode(person, askFor(idle, makePkce().challenge, { scope: "cms:read" }));
  assert.ok(pending);
  // The code of the pending approval has run out by then, and its grant and client go with it.
  assert.deepEqual(await gcLater(25 * hour), { grants: 1, clients: 1 });
  const ids = await clientIds();
  assert.deepEqual(
    [fixed, idle, used].map(({ id }) => ids.includes(id)),
    [true, false, true],
  );
  assert.equal((await refresh(server, used, tokens.refreshToken)).status, 200);
});

test("OAU-70 a grant goes when its last token has expired, and not before (T86)", async () => {
  const client: Client = { id: (await register(server)).body.client_id };
  await connect(server, person, { client, scope: "cms:read" });
  assert.equal((await gcLater(29 * 24 * hour)).grants, 0);
  assert.equal(await grantsOf(client), 1);
  const { grants, clients } = await gcLater(31 * 24 * hour);
  assert.ok(grants >= 1 && clients >= 1);
  assert.ok(!(await clientIds()).includes(client.id));
  const { code, stdout } = await server.cli(["oauth:gc"]);
  assert.equal(code, 0);
  assert.match(stdout, /Pruned 0 expired OAuth grants\.\nPruned 0 stale dynamic clients\./);
});

test("OAU-72 the commands list clients and grants, without secrets", async () => {
  const client = await makeClient(server, { name: "Listed", confidential: true });
  await connect(server, person, { client, scope: "cms:read" });
  const clients = await server.cli(["oauth:clients", "--json"]);
  const listed = JSON.parse(clients.stdout).find(({ id }: Client) => id === client.id);
  assert.deepEqual([listed.name, listed.origin, listed.confidential, listed.grants], ["Listed", "static", true, 1]);
  const grants = await server.cli(["oauth:grants", "--json"]);
  const grant = JSON.parse(grants.stdout).find(({ clientId }: { clientId: string }) => clientId === client.id);
  assert.deepEqual([grant.userId, grant.scopes, grant.clientName], ["ada", ["cms:read"], "Listed"]);
  assert.match((await server.cli(["oauth:clients"])).stdout, /Listed +static +yes/);
  assert.match((await server.cli(["oauth:grants"])).stdout, /Listed +ada +cms:read/);
  const hash = createHash("sha256")
    .update(client.secret as string)
    .digest("hex");
  assert.ok(!clients.stdout.includes(client.secret as string) && !clients.stdout.includes(hash));
});

test("OAU-81 every event leaves one record, once for each cause (T98)", async () => {
  const start = log().length;
  const client = await makeClient(server);
  const query = (challenge: string) => askFor(client, challenge, { scope: "cms:read" });
  await decide(person, query(makePkce().challenge), "deny");
  const first = await connect(server, person, { client, scope: "cms:read" });
  const second = (await refresh(server, client, first.refreshToken)).body;
  await withToken(server, second.access_token, "POST", "/api/collections/x", { body: {} });
  await refresh(server, client, first.refreshToken);
  await refresh(server, client, first.refreshToken);
  const third = await connect(server, person, { client, scope: "cms:read" });
  const revoke = formOf({ client_id: client.id, token: third.refreshToken });
  for (let at = 0; at < 2; at++) await server.request("POST", "/oauth/revoke", { key: null, ...revoke });
  const pkce = makePkce();
  const code = await getCode(person, query(pkce.challenge));
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: pkce.verifier };
  for (let at = 0; at < 3; at++) await askToken(server, client, form);
  await server.request("DELETE", `/api/oauth-clients/${client.id}`);
  await register(server);
  const granted = ["consent.granted", "token.issued"];
  assert.deepEqual(typesSince(start), [
    ...["client.created", "consent.denied", ...granted, "token.refreshed", "scope.rejected", "security.refresh_replay"],
    ...[...granted, "token.revoked", ...granted, "security.code_replay", "client.deleted", "client.dynamic_registered"],
  ]);
});

test("OAU-81 a limit that is hit is recorded, once for an address and a window (T98)", async () => {
  await freshMinute();
  const start = log().length;
  await server.request("PUT", "/api/settings/oauth", { body: { tokenEndpointLimit: 1, dynamicRegistrationLimit: 1 } });
  for (let at = 0; at < 5; at++) await server.request("POST", "/oauth/token", { key: null });
  for (let at = 0; at < 4; at++) await register(server);
  await server.request("PUT", "/api/settings/oauth", { body: { tokenEndpointLimit: 0, dynamicRegistrationLimit: 0 } });
  const limits = log()
    .slice(start)
    .filter((line) => line.includes("security.rate_limit"));
  assert.equal(limits.length, 2);
  assert.match(limits[0] as string, /oauth-activity\.WARNING: .*"endpoint":"\/oauth\/token"/);
  assert.match(limits[1] as string, /oauth-activity\.WARNING: .*"endpoint":"\/oauth\/register"/);
});

test("OAU-80 OAU-82 records have one form, hold no secret, and cannot be forged (T98)", async () => {
  const start = log().length;
  const forged = 'x\n[2026-01-01T00:00:00.000Z] oauth-activity.INFO: forged {"type":"client.created"}\u2028';
  const client = await makeClient(server, { name: forged, confidential: true });
  await register(server, { client_name: forged, scope: `cms:read ${forged}` });
  const tokens = await connect(server, person, { client, scope: "cms:read" });
  await refresh(server, client, tokens.refreshToken);
  await refresh(server, client, tokens.refreshToken);
  const lines = log().slice(start);
  assert.equal(lines.length, 6);
  for (const line of lines) {
    const [, level, json] =
      /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] oauth-activity\.(INFO|WARNING): [\w ,]+ (\{.*\})$/.exec(line) ?? [];
    const { type, ...context } = JSON.parse(json as string);
    assert.equal(level, type.startsWith("security.") ? "WARNING" : "INFO");
    assert.ok(Array.isArray(context.scopes));
  }
  const issued = JSON.parse((lines[3] as string).replace(/^.*? (?=\{)/, ""));
  const digest = createHash("sha256").update(tokens.accessToken).digest("hex");
  assert.deepEqual(issued, {
    ...{ type: "token.issued", client_id: client.id, user_id: "ada", scopes: ["cms:read"] },
    ...{ grant_id: claimsOf(tokens.accessToken).grant_id, token_hash: `${digest.slice(0, 8)}…` },
  });
  const text = log().join("\n");
  for (const secret of [
    tokens.accessToken,
    tokens.refreshToken,
    client.secret as string,
    tokens.accessToken.split(".")[2],
  ])
    assert.ok(!text.includes(secret as string));
  assert.equal(statSync(join(server.dataDir, ".system", "logs", "mcp.log")).mode & 0o077, 0);
});

test("OAU-22 OAU-64 codes, refresh tokens and secrets are stored as hashes alone (T70)", async () => {
  const client = await makeClient(server, { confidential: true });
  const tokens = await connect(server, person, { client, scope: "cms:read" });
  const code = await getCode(person, askFor(client, makePkce().challenge, { scope: "cms:read" }));
  const stored = await everythingStored();
  for (const secret of [client.secret as string, tokens.refreshToken, code, tokens.accessToken]) {
    assert.ok(!stored.includes(secret));
  }
  const hash = createHash("sha256").update(tokens.refreshToken).digest("hex");
  assert.ok(stored.includes(hash));
});

/** The bytes of the data directory and, where it is elsewhere, of the database. */
async function everythingStored(): Promise<string> {
  const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => join(parentPath, name)).map((file) => readFileSync(file, "latin1"));
  const url = server.env.CAIRN_DATABASE_URL;
  if (!url) return texts.join("\n");
  const db = new Postgres({ connectionString: url });
  await db.connect();
  for (const table of ["oauth_clients", "oauth_grants", "oauth_codes", "oauth_refresh_tokens"]) {
    texts.push(JSON.stringify((await db.query(`select * from ${table}`)).rows));
  }
  await db.end();
  return texts.join("\n");
}

test("OAU-71 OAU-58 traffic cleans up once a day; expired tokens are refused (T86, T93)", async () => {
  const idle: Client = { id: (await register(server)).body.client_id };
  // One that registered itself would be swept, too, perhaps before its request is answered.
  const client = await makeClient(server);
  const tokens = await connect(server, person, { client, scope: "cms:read" });
  const keys = (await server.request("GET", "/.well-known/jwks.json")).text;
  assert.match(keys, /"kid"/);
  await server.terminate();
  const running = await launch(["serve", "--port", "0"], later(31 * 24 * hour));
  try {
    const request: Server["request"] = (method, path, { key: _, ...options } = {}) =>
      send(undefined, running.url, method, path, options);
    const answer = await refresh({ request }, client, tokens.refreshToken);
    assert.equal(answer.body.error, "invalid_grant");
    const wanted = `client.deleted","client_id":"${idle.id}"`;
    assert.ok(await until(() => log().some((line) => line.includes(wanted))));
  } finally {
    await running.end("SIGTERM");
  }
  await server.restart();
  assert.ok(!(await clientIds()).includes(idle.id));
  assert.equal((await server.request("GET", "/.well-known/jwks.json")).text, keys);
});
