// OAuth clients and grants as administrators keep them, over the API.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { engine, type Server, startServer } from "../harness.ts";
import { claimsOf, connect, makeClient, redirectUri, refresh, register, withToken } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

let server: Server;
let editor: Person;
before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 } } });
  await makeUser(server, "boss", ["admin"]);
  await makeUser(server, "edith", ["editor"]);
  editor = await signIn(server, "edith");
});
after(() => server.stop());

const clients = "/api/oauth-clients";
const grants = "/api/oauth-grants";
const listed = async (path: string, id: string) =>
  (await server.request("GET", path)).body.data.find((record: { id: string }) => record.id === id);

test("TOK-40 a confidential client shows its secret once, a public one has none", async () => {
  const body = { name: "Desk", redirectUris: [redirectUri], scopes: ["cms:read"], confidential: true };
  const { status, body: answer } = await server.request("POST", clients, { body });
  assert.equal(status, 201);
  const { id, secret, name, origin, redirectUris, scopes, confidential } = answer.data;
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  assert.ok(secret.length >= 43);
  assert.deepEqual(
    { name, origin, redirectUris, scopes, confidential },
    { name: "Desk", origin: "static", redirectUris: [redirectUri], scopes: ["cms:read"], confidential: true },
  );
  const { text } = await server.request("GET", clients);
  assert.ok(!text.includes(secret) && !/secret|hash/i.test(text));
  const open = await makeClient(server);
  assert.equal(open.secret, undefined);
});

test("TOK-40 a client that is not valid is 400, names every property, and is not saved", async () => {
  const before = (await server.request("GET", clients)).body.data.length;
  const body = { name: " ", redirectUris: ["http://far.example.test/cb"], scopes: ["cms:everything"], confidential: 1 };
  const { status, body: answer } = await server.request("POST", clients, { body });
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(answer.error.details).sort(), ["confidential", "name", "redirectUris", "scopes"]);
  for (const bad of [[], {}, { name: "x" }, { name: "x", redirectUris: [] }, "x"])
    assert.equal((await server.request("POST", clients, { body: bad })).status, 400);
  assert.equal((await server.request("GET", clients)).body.data.length, before);
});

test("TOK-41 the list marks self-registered clients", async () => {
  const own = await makeClient(server);
  const { client_id } = (await register(server, { client_name: "Robot" })).body;
  assert.equal((await listed(clients, own.id)).origin, "static");
  const robot = await listed(clients, client_id);
  assert.deepEqual([robot.origin, robot.name, robot.confidential], ["dynamic", "Robot", false]);
});

test("TOK-42 deleting a client ends its grants; an unknown one is 404", async () => {
  const client = await makeClient(server);
  const { accessToken, refreshToken } = await connect(server, editor, { client, scope: "cms:read" });
  const { grant_id } = claimsOf(accessToken);
  assert.ok(await listed(grants, grant_id));
  assert.equal((await server.request("DELETE", `${clients}/${client.id}`)).status, 204);
  assert.equal(await listed(clients, client.id), undefined);
  assert.equal(await listed(grants, grant_id), undefined);
  assert.equal((await withToken(server, accessToken, "GET", "/api/collections")).status, 401);
  assert.equal((await refresh(server, client, refreshToken)).body.error, "invalid_client");
  assert.equal((await server.request("DELETE", `${clients}/${client.id}`)).status, 404);
});

test("TOK-43 ADM-841 pruning returns the number of removed clients, and leaves young ones", async () => {
  const { client_id } = (await register(server)).body;
  const { status, body } = await server.request("POST", `${clients}/prune`);
  assert.deepEqual([status, body], [200, { data: { clients: 0 } }]);
  assert.ok(await listed(clients, client_id));
  const bad = await server.request("POST", `${clients}/prune`, { body: { dryRun: 1 } });
  assert.deepEqual([bad.status, Object.keys(bad.body.error.details)], [400, ["dryRun"]]);
});

test("TOK-44 TOK-45 a grant is listed without its tokens, and revoked by its id", async () => {
  const client = await makeClient(server, { name: "Reader" });
  const { accessToken, refreshToken } = await connect(server, editor, { client, scope: "cms:read mcp:tools" });
  const { grant_id } = claimsOf(accessToken);
  const { clientId, clientName, userId, scopes } = await listed(grants, grant_id);
  assert.deepEqual([clientId, clientName, userId, scopes], [client.id, "Reader", "edith", ["cms:read", "mcp:tools"]]);
  const { text } = await server.request("GET", grants);
  assert.ok(!text.includes(refreshToken) && !text.includes(accessToken));
  assert.equal((await server.request("DELETE", `${grants}/${grant_id}`)).status, 204);
  assert.equal(await listed(grants, grant_id), undefined);
  assert.equal((await refresh(server, client, refreshToken)).body.error, "invalid_grant");
  assert.equal((await server.request("DELETE", `${grants}/${grant_id}`)).status, 404);
});

test("TOK-46 the records are for administrators, also while OAuth is off", async () => {
  const boss = await signIn(server, "boss");
  for (const path of [clients, grants]) {
    assert.equal((await server.request("GET", path, { key: null })).status, 401);
    assert.equal((await editor.request("GET", path)).status, 403);
    assert.equal((await boss.request("GET", path)).status, 200);
  }
  await server.request("PUT", "/api/settings/oauth", { body: { enabled: false } });
  const body = { name: "Later", redirectUris: [redirectUri] };
  assert.equal((await boss.request("POST", clients, { body })).status, 201);
  assert.equal((await boss.request("GET", grants)).status, 200);
  assert.equal((await boss.request("POST", `${clients}/prune`)).status, 200);
  await server.request("PUT", "/api/settings/oauth", { body: { enabled: true } });
});

test("ADM-840 the reach of a grant goes by the user's present rights, the scopes, the resource and MCP access", async () => {
  await server.makeSchema({ id: "note", properties: { id: { type: "slug" } }, required: ["id"] });
  await server.makeCollection({ id: "shown", schema: "note", name: "Shown", mcp: { access: "authenticated" } });
  await server.makeCollection({ id: "hidden", schema: "note", name: "Hidden" });
  await server.request("POST", "/api/collections/shown", { body: { id: "a" } });
  const permissions = (operations: string[]) => ({
    collections: { operations, all: false, allowed: ["shown", "hidden"] },
  });
  const group = { id: "writers", description: "x", permissions: permissions(["read", "create"]) };
  assert.equal((await server.request("POST", "/api/access-groups", { body: group })).status, 201);
  await makeUser(server, "wanda", ["writers"], { name: "Wanda" });
  const wanda = await signIn(server, "wanda");
  const client = await makeClient(server);
  const grantOf = async (scope: string, more: Record<string, string> = {}) =>
    claimsOf((await connect(server, wanda, { client, scope, ...more })).accessToken).grant_id as string;
  const reachOf = async (grant: string) => (await server.request("GET", `${grants}/${grant}/reach`)).body.data;
  const shown = { id: "shown", name: "Shown", count: 1 };
  const hidden = { id: "hidden", name: "Hidden", count: 0 };
  const both = await grantOf("cms:read cms:write");
  assert.equal((await listed(grants, both)).userName, "Wanda");
  assert.deepEqual(await reachOf(both), {
    unlimited: false,
    collections: [
      { ...hidden, read: true, write: true },
      { ...shown, read: true, write: true },
    ],
  });
  const overMcp = await grantOf("cms:read cms:write mcp:tools", { resource: `${server.url}/mcp` });
  assert.deepEqual((await reachOf(overMcp)).collections, [{ ...shown, read: true, write: true }]);
  const noTools = await grantOf("cms:read mcp:prompts", { resource: `${server.url}/mcp` });
  assert.deepEqual((await reachOf(noTools)).collections, []);
  const less = { ...group, permissions: permissions(["read"]) };
  assert.equal((await server.request("PUT", "/api/access-groups/writers", { body: less })).status, 200);
  assert.deepEqual((await reachOf(overMcp)).collections, [{ ...shown, read: true, write: false }]);
  const boss = await signIn(server, "boss");
  const all = claimsOf((await connect(server, boss, { client, scope: "cms:admin" })).accessToken).grant_id;
  assert.equal((await reachOf(all)).unlimited, true);
  assert.equal((await server.request("GET", `${grants}/none/reach`)).status, 404);
  const body = { active: false };
  assert.equal((await server.request("PATCH", "/api/collections/auth/wanda", { body })).status, 200);
  assert.equal((await server.request("GET", `${grants}/${both}/reach`)).status, 404);
});

test("ADM-842 all grants of a client are revoked at once", async () => {
  const [client, other] = [await makeClient(server), await makeClient(server)];
  const first = await connect(server, editor, { client, scope: "cms:read" });
  const second = await connect(server, editor, { client, scope: "cms:read" });
  const kept = await connect(server, editor, { client: other, scope: "cms:read" });
  const bare = await server.request("DELETE", grants);
  assert.deepEqual([bare.status, Object.keys(bare.body.error.details)], [400, ["client"]]);
  const { status, body } = await server.request("DELETE", `${grants}?client=${client.id}`);
  assert.deepEqual([status, body], [200, { data: { grants: 2 } }]);
  for (const { accessToken } of [first, second])
    assert.equal((await withToken(server, accessToken, "GET", "/api/collections")).status, 401);
  assert.equal((await withToken(server, kept.accessToken, "GET", "/api/collections")).status, 200);
  const { body: log } = await server.request("GET", "/api/audit?log=oauth&type=token.revoked&limit=2");
  assert.deepEqual(
    log.data.map((entry: Record<string, unknown>) => [entry.client_id, entry.user]),
    [
      [client.id, "edith"],
      [client.id, "edith"],
    ],
  );
});

test("ADM-843 the signing keys: their state, and new ones, which end every grant", async () => {
  const path = "/api/oauth-keys";
  const client = await makeClient(server);
  const { accessToken } = await connect(server, editor, { client, scope: "cms:read" });
  const { data: state } = (await server.request("GET", path)).body;
  assert.deepEqual(Object.keys(state), ["configured", "kid", "created"]);
  assert.equal(state.kid, JSON.parse(Buffer.from(accessToken.split(".")[0] ?? "", "base64url").toString()).kid);
  const again = (await server.request("POST", path, { body: {} })).body.data;
  assert.deepEqual([again.kid, again.isNew, again.revoked], [state.kid, false, 0]);
  const bad = await server.request("POST", path, { body: { force: "yes" } });
  assert.deepEqual([bad.status, Object.keys(bad.body.error.details)], [400, ["force"]]);
  const { status, body, text } = await server.request("POST", path, { body: { force: true } });
  assert.equal(status, 200);
  assert.ok(body.data.isNew && body.data.revoked > 0 && body.data.kid !== state.kid);
  assert.doesNotMatch(text, /PRIVATE|\.system/);
  const { body: log } = await server.request("GET", "/api/audit?type=signing-keys.made&limit=1");
  const [{ kid, revoked, actor }] = log.data;
  assert.deepEqual([kid, revoked], [body.data.kid, body.data.revoked]);
  assert.match(actor, /^key:/);
  assert.equal((await withToken(server, accessToken, "GET", "/api/collections")).status, 401);
  // There the key is in the database (NOD-9).
  if (engine === "postgres") return;
  const file = join(server.dataDir, ".system", "oauth-keys", "private.key");
  const good = readFileSync(file);
  writeFileSync(file, "damaged");
  // A change of a grant makes the server read it again.
  await server.request("DELETE", `${grants}?client=${client.id}`);
  const damaged = (await server.request("GET", path)).body.data;
  assert.deepEqual([damaged.configured, damaged.kid], [false, null]);
  assert.match(damaged.problem, /damaged/);
  writeFileSync(file, good);
});
