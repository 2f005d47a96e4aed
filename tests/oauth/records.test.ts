// OAuth clients and grants as administrators keep them, over the API.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
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

test("TOK-43 pruning returns the number of removed clients, and leaves young ones", async () => {
  const { client_id } = (await register(server)).body;
  const { status, body } = await server.request("POST", `${clients}/prune`);
  assert.deepEqual([status, body], [200, { data: { clients: 0 } }]);
  assert.ok(await listed(clients, client_id));
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
