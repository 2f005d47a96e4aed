// What clients find out by themselves, the signing keys, and the switches.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import {
  askFor,
  askToken,
  authorizePath,
  connect,
  getCode,
  makeClient,
  makePkce,
  redirectUri,
  refresh,
  withToken,
} from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const endpoints: [method: string, path: string][] = [
  ["GET", "/.well-known/oauth-authorization-server"],
  ["GET", "/.well-known/oauth-protected-resource"],
  ["GET", "/.well-known/oauth-protected-resource/mcp"],
  ["GET", "/.well-known/jwks.json"],
  ["GET", "/oauth/authorize"],
  ["POST", "/oauth/authorize"],
  ["POST", "/oauth/token"],
  ["POST", "/oauth/register"],
  ["POST", "/oauth/revoke"],
];

let server: Server;
let person: Person;
before(async () => {
  server = await startServer({
    env: { CAIRN_URL: "https://cms.example.test/" },
    settings: { oauth: { tokenEndpointLimit: 0 } },
  });
  await makeUser(server, "ada", ["admin"]);
  person = await signIn(server, "ada");
});
after(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) => server.request("GET", path, { key: null, headers });
const jwks = async () => (await get("/.well-known/jwks.json")).body.keys;
const keyFile = (name: string) => join(server.dataDir, ".system", "oauth-keys", name);

test("OAU-12 OAU-13 before oauth:setup there are no keys, and the server says so without using anything up", async () => {
  assert.deepEqual((await get("/.well-known/jwks.json")).body, { keys: [] });
  const client = await makeClient(server);
  const page = await person.request("GET", authorizePath(askFor(client, makePkce().challenge)));
  assert.equal(page.status, 503);
  assert.match(page.text, /signing keys are not configured/i);
  const answer = await askToken(server, client, { grant_type: "authorization_code", code: "x" });
  assert.equal(answer.status, 503);
  assert.equal(answer.body.error, "server_error");
  assert.match(answer.body.error_description, /signing keys are not configured/i);
  assert.throws(() => statSync(keyFile("private.key")), /ENOENT/);
});

test("OAU-10 oauth:setup makes one pair of keys, however often and by how many it is called", async () => {
  const runs = await Promise.all(Array.from({ length: 4 }, () => server.cli(["oauth:setup", "--json"])));
  const reports = runs.map(({ stdout }) => JSON.parse(stdout));
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0, 0],
  );
  assert.equal(new Set(reports.map(({ kid }) => kid)).size, 1);
  assert.equal(reports.filter(({ created }) => created).length, 1);
  assert.equal(statSync(keyFile("private.key")).mode & 0o777, 0o600);
  assert.match(readFileSync(keyFile("public.key"), "utf8"), /BEGIN PUBLIC KEY/);
  const again = await server.cli(["oauth:setup"]);
  assert.match(again.stdout, /exist already/);
  assert.deepEqual(
    (await jwks()).map(({ kid }: { kid: string }) => kid),
    [reports[0].kid],
  );
});

test("OAU-12 the key set shows public members alone (T89)", async () => {
  const [key, ...others] = await jwks();
  assert.deepEqual(others, []);
  assert.deepEqual(Object.keys(key).sort(), ["alg", "e", "kid", "kty", "n", "use"]);
  assert.deepEqual([key.kty, key.use, key.alg], ["RSA", "sig", "RS256"]);
});

test("HTTP-90 the name of the public address is answered, as a proxy forwards it", async () => {
  assert.equal((await get("/.well-known/jwks.json", { host: "cms.example.test" })).status, 200);
  assert.equal((await get("/.well-known/jwks.json", { host: "www.example.test" })).status, 403);
});

test("OAU-2 OAU-4 OAU-5 the documents name the configured address, whatever the request claims (T91)", async () => {
  const forged = { host: "203.0.113.9", "x-forwarded-host": "evil.test", "x-forwarded-proto": "http" };
  const { body: meta } = await get("/.well-known/oauth-authorization-server", forged);
  const base = "https://cms.example.test";
  assert.equal(meta.issuer, base);
  assert.equal(meta.authorization_endpoint, `${base}/oauth/authorize`);
  assert.equal(meta.token_endpoint, `${base}/oauth/token`);
  assert.equal(meta.revocation_endpoint, `${base}/oauth/revoke`);
  assert.equal(meta.registration_endpoint, `${base}/oauth/register`);
  assert.equal(meta.jwks_uri, `${base}/.well-known/jwks.json`);
  assert.deepEqual(meta.response_types_supported, ["code"]);
  assert.deepEqual(meta.response_modes_supported, ["query"]);
  assert.deepEqual(meta.grant_types_supported, ["authorization_code", "refresh_token"]);
  assert.deepEqual(meta.code_challenge_methods_supported, ["S256"]);
  assert.deepEqual(meta.token_endpoint_auth_methods_supported, ["none", "client_secret_basic", "client_secret_post"]);
  assert.equal(meta.authorization_response_iss_parameter_supported, true);
  assert.equal(meta.client_id_metadata_document_supported, undefined);
  const scopes = ["cms:read", "cms:write", "cms:admin", "mcp:tools", "mcp:resources", "mcp:prompts"];
  assert.deepEqual(meta.scopes_supported, scopes);
  for (const path of ["", "/mcp"]) {
    const { body } = await get(`/.well-known/oauth-protected-resource${path}`, forged);
    assert.equal(body.resource, `${base}/mcp`);
    assert.deepEqual(body.authorization_servers, [base]);
    assert.deepEqual(body.bearer_methods_supported, ["header"]);
    // Clients ask for all that stands here: administering is asked for on purpose only.
    assert.deepEqual(
      body.scopes_supported,
      scopes.filter((scope) => scope !== "cms:admin"),
    );
  }
});

test("OAU-6 scripts of any origin may call all but the consent page, without credentials (T64)", async () => {
  const headers = { origin: "https://spa.example", cookie: person.cookie };
  for (const [method, path] of endpoints) {
    const answer = await server.request(method, path, { key: null, headers });
    const preflight = await server.request("OPTIONS", path, {
      key: null,
      headers: { ...headers, "access-control-request-method": method },
    });
    const isOpen = path !== "/oauth/authorize";
    assert.equal(answer.headers.get("access-control-allow-credentials"), null, path);
    assert.equal(preflight.headers.get("access-control-allow-credentials"), null, path);
    if (isOpen) assert.equal(answer.headers.get("access-control-allow-origin"), "*", path);
    assert.equal(preflight.status, 204, path);
    const methods = preflight.headers.get("access-control-allow-methods") ?? "";
    assert.equal(methods.includes("POST"), isOpen && method === "POST", path);
  }
});

test("OAU-3 the metadata names the registration only while it is open", async () => {
  await server.setSetting("oauth.dynamicRegistration", false);
  const { body } = await get("/.well-known/oauth-authorization-server");
  assert.equal(body.registration_endpoint, undefined);
  await server.setSetting("oauth.dynamicRegistration", true);
  assert.notEqual((await get("/.well-known/oauth-authorization-server")).body.registration_endpoint, undefined);
});

test("OAU-1 switched off, or below Pro, nothing of it exists by any method (T94)", async () => {
  const client = await makeClient(server);
  const { refreshToken } = await connect(server, person, { client, scope: "cms:read" });
  const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];
  const statuses = async () => {
    const paths = new Set(endpoints.map(([, path]) => path));
    const all = [...paths].flatMap((path) => methods.map((method) => server.request(method, path, { key: null })));
    return new Set((await Promise.all(all)).map(({ status }) => status));
  };
  for (const [key, off, on] of [
    ["oauth.enabled", "false", "true"],
    ["edition", "standard", "pro"],
  ] as const) {
    await server.cli(["settings:set", key, off]);
    assert.deepEqual(await statuses(), new Set([404]), key);
    assert.equal((await server.request("POST", "/%6fauth/token", { key: null })).status, 404);
    assert.equal((await refresh(server, client, refreshToken)).status, 404);
    await server.cli(["settings:set", key, on]);
  }
  assert.equal((await refresh(server, client, refreshToken)).status, 200);
});

test("OAU-11 OAU-12 new keys are used at once, and everything under the old ones is over (T89)", async () => {
  const client = await makeClient(server);
  const tokens = await connect(server, person, { client, scope: "cms:read" });
  const pkce = makePkce();
  const code = await getCode(person, askFor(client, pkce.challenge, { scope: "cms:read" }));
  const [old] = await jwks();
  const { stdout, code: exit } = await server.cli(["oauth:setup", "--force", "--json"]);
  assert.equal(exit, 0);
  assert.ok(JSON.parse(stdout).revoked >= 2);
  const now = await jwks();
  assert.equal(now.length, 1);
  assert.notEqual(now[0].kid, old.kid);
  assert.equal((await withToken(server, tokens.accessToken, "GET", "/api/collections")).status, 401);
  assert.equal((await refresh(server, client, tokens.refreshToken)).body.error, "invalid_grant");
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: pkce.verifier };
  assert.equal((await askToken(server, client, form)).body.error, "invalid_grant");
  const fresh = await connect(server, person, { client, scope: "cms:read" });
  assert.equal((await withToken(server, fresh.accessToken, "GET", "/api/collections")).status, 200);
  assert.equal(statSync(keyFile("private.key")).mode & 0o777, 0o600);
});
