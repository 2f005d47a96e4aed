// The applications that users have let in, as they see and end them themselves.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { logLines } from "../support/audit-lines.ts";
import {
  claimsOf,
  connect,
  formOf,
  hiddenFields,
  makeClient,
  refresh,
  register,
  withToken,
} from "../support/oauth-app.ts";
import { makeUser, type Person, personOf, signIn } from "../support/sign-in.ts";

const page = "/account/connections";
let server: Server;
let ada: Person;
let bob: Person;

before(async () => {
  server = await startServer({ hasOAuth: true });
  await server.makeCollection({ id: "notes", schema: "text" });
  for (const id of ["ada", "bob"]) await makeUser(server, id, ["editor"]);
  await makeUser(server, "root", ["admin"]);
  ada = await signIn(server, "ada");
  bob = await signIn(server, "bob");
});
after(() => server.stop());

async function letIn(person: Person, name: string) {
  const client = await makeClient(server, { name });
  const tokens = await connect(server, person, { client, scope: "cms:read mcp:tools" });
  return { client, tokens, grant: claimsOf(tokens.accessToken).grant_id as string };
}

const reads = async ({ accessToken }: { accessToken: string }) =>
  (await withToken(server, accessToken, "GET", "/api/collections/notes")).status;
/** As the browser sends the form of one application. */
const disconnect = async (person: Person, grant: string, more: Record<string, string> = {}) => {
  const { text } = await person.request("GET", page);
  const { csrf_token: token = "" } = hiddenFields(text);
  return person.request("POST", page, formOf({ csrf_token: token, connection: grant, ...more }));
};

test("OAU-90 a user sees the own connections, and no one else's", async () => {
  const mine = await letIn(ada, "Ada's <b>reader</b>");
  const other = await letIn(bob, "Of another");
  const { body } = await ada.request("GET", "/api/auth/connections");
  assert.deepEqual(
    body.data.map(({ id, clientId, clientName, userId, scopes }: Record<string, unknown>) => ({
      ...{ id, clientId, clientName, userId, scopes },
    })),
    [
      {
        ...{ id: mine.grant, clientId: mine.client.id, clientName: "Ada's <b>reader</b>", userId: "ada" },
        scopes: ["cms:read", "mcp:tools"],
      },
    ],
  );
  const { status, text, headers } = await ada.request("GET", page);
  assert.equal(status, 200);
  assert.ok(text.includes("Ada&#39;s &lt;b&gt;reader&lt;/b&gt;") && !text.includes("Of another"), text);
  assert.match(text, /Read content <code>cms:read<\/code>/);
  assert.ok(!text.includes(other.grant) && !/<script/.test(text));
  assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(headers.get("cache-control"), "no-store");
});

test("OAU-91 one is ended by the page or by the API, at once, with its record", async () => {
  const [first, second] = [await letIn(ada, "First"), await letIn(ada, "Second")];
  const answer = await disconnect(ada, first.grant);
  assert.deepEqual([answer.status, answer.headers.get("location")], [303, page]);
  assert.equal(await reads(first.tokens), 401);
  assert.equal((await refresh(server, first.client, first.tokens.refreshToken)).body.error, "invalid_grant");
  assert.equal(await reads(second.tokens), 200);
  assert.equal((await ada.request("DELETE", `/api/auth/connections/${second.grant}`)).status, 204);
  assert.equal(await reads(second.tokens), 401);
  assert.equal((await ada.request("DELETE", `/api/auth/connections/${second.grant}`)).status, 404);
  // Sent twice, the form has still done what it should.
  assert.equal((await disconnect(ada, first.grant)).status, 303);
  const log = logLines(server, "mcp.log");
  for (const { grant } of [first, second])
    assert.equal(log.filter((line) => line.includes("token.revoked") && line.includes(grant)).length, 1);
});

test("OAU-92 users end only their own connections, and other sites none (T57)", async () => {
  const { grant, tokens } = await letIn(bob, "Bob's");
  assert.equal((await ada.request("DELETE", `/api/auth/connections/${grant}`)).status, 404);
  assert.equal((await disconnect(ada, grant)).status, 303);
  const seal = hiddenFields((await ada.request("GET", page)).text).csrf_token ?? "";
  for (const fields of [
    { connection: grant },
    { connection: grant, csrf_token: "" },
    { connection: grant, csrf_token: seal },
    { connection: grant, csrf_token: bob.cookie },
  ] as Record<string, string>[])
    assert.equal((await bob.request("POST", page, formOf(fields))).status, 403);
  assert.equal(
    (await bob.request("DELETE", `/api/auth/connections/${grant}`, { headers: { "x-csrf-token": "x" } })).status,
    403,
  );
  for (const odd of ["\0", "a\0b", "", "x".repeat(9_000), "../..", "\ud800"])
    assert.ok((await disconnect(bob, odd)).status < 500, JSON.stringify(odd.slice(0, 10)));
  for (const odd of ["%00", "%ED%A0%80", "..%2f"])
    assert.ok((await bob.request("DELETE", `/api/auth/connections/${odd}`)).status < 500, odd);
  const json = await bob.request("POST", page, { body: { connection: grant } });
  assert.equal(json.status, 415);
  // Neither keys nor tokens have connections of their own.
  assert.equal((await server.request("DELETE", `/api/auth/connections/${grant}`)).status, 403);
  assert.equal((await withToken(server, tokens.accessToken, "GET", "/api/auth/connections")).status, 403);
  assert.equal(await reads(tokens), 200);
});

test("OAU-92 an administrator who acts as the user sees them and ends none", async () => {
  const { grant, tokens } = await letIn(bob, "Seen");
  const root = await signIn(server, "root");
  const acting = personOf(server, await root.request("POST", "/api/auth/impersonate/bob"));
  assert.match((await acting.request("GET", page)).text, /Seen/);
  assert.equal((await disconnect(acting, grant)).status, 403);
  assert.equal((await acting.request("DELETE", `/api/auth/connections/${grant}`)).status, 403);
  assert.equal(await reads(tokens), 200);
});

test("OAU-93 without a session the page leads to the login and back; it works while OAuth is off", async () => {
  const { grant, tokens, client } = await letIn(ada, "Late");
  await register(server, { client_name: "Nobody's" });
  const asked = await server.request("GET", page, { key: null });
  assert.deepEqual([asked.status, asked.headers.get("location")], [303, "/login?redirect=%2Faccount%2Fconnections"]);
  assert.equal((await server.request("GET", "/api/auth/connections", { key: null })).status, 401);
  await server.setSetting("oauth.enabled", false);
  assert.equal(await reads(tokens), 200);
  assert.equal((await disconnect(ada, grant)).status, 303);
  assert.equal(await reads(tokens), 401);
  await server.setSetting("oauth.enabled", true);
  assert.equal((await refresh(server, client, tokens.refreshToken)).body.error, "invalid_grant");
  const { text } = await (await signIn(server, "root")).request("GET", page);
  assert.match(text, /No application is connected/);
});
