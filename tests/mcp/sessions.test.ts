// Sessions and scopes: whose session it is, how long it lasts, and what a token may ask for.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Answer, type Server, startServer } from "../harness.ts";
import { makeClient, connect as obtain, refresh, type Tokens } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";
import { alone, opening, openStream } from "./event-stream.ts";

let server: Server;
let ada: Person;
let client: Awaited<ReturnType<typeof makeClient>>;
const accept = "application/json, text/event-stream";

before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 } } });
  await server.makeSchema({ id: "note", properties: { title: { field: "text" } }, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "notes", schema: "note", mcp: { access: "public", resource: true } });
  await makeUser(server, "ada", ["admin"]);
  ada = await signIn(server, "ada");
  client = await makeClient(server);
});
after(() => server.stop());

type Who = Record<string, string>;
const bearer = ({ accessToken }: Tokens): Who => ({ authorization: `Bearer ${accessToken}` });
const tokens = (scope: string) => obtain(server, ada, { client, scope });
const post = (who: Who, body: object, more: Who = {}): Promise<Answer> =>
  server.request("POST", "/mcp", { key: null, body, headers: { accept, ...who, ...more } });
const read = ({ text, body }: Answer) => body ?? JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? "null");
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

async function begin(who: Who): Promise<Who> {
  const answer = await post(who, opening("2025-11-25"));
  assert.equal(answer.status, 200, answer.text);
  return { "mcp-session-id": answer.headers.get("mcp-session-id") ?? "" };
}

test("MCP-21 a session belongs to its caller, and is not a credential (T103)", async () => {
  const mine = bearer(await tokens("mcp:tools"));
  const session = await begin(mine);
  const others = [bearer(await tokens("mcp:tools")), { "x-api-key": server.key }];
  assert.equal((await post(mine, ping, session)).status, 200);
  for (const other of others) {
    assert.equal((await post(other, ping, session)).status, 404);
    assert.equal(
      (await server.request("DELETE", "/mcp", { key: null, headers: { ...other, ...session } })).status,
      404,
    );
    const stream = await openStream(server.url, { headers: { ...other, ...session } });
    assert.equal(stream.status, 404);
  }
  assert.equal((await post({}, ping, session)).status, 401);
  assert.equal((await post({ cookie: ada.cookie }, ping, session)).status, 401);
  assert.equal((await post(mine, ping, session)).status, 200);
});

test("MCP-23 MCP-21 a session goes on with a refreshed token, and after a restart", async () => {
  const first = await tokens("mcp:tools mcp:resources");
  const session = await begin(bearer(first));
  const follow = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "cairn://notes/" } };
  assert.deepEqual(read(await post(bearer(first), follow, session)).result, {});
  const refreshed = (await refresh(server, client, first.refreshToken)).body;
  const next = { authorization: `Bearer ${refreshed.access_token}` };
  assert.equal((await post(next, ping, session)).status, 200);
  const stream = await openStream(server.url, { headers: { ...next, ...session } });
  assert.equal(stream.status, 200);
  await server.restart();
  assert.ok(await stream.closed());
  assert.equal((await post({ "x-api-key": server.key }, ping, session)).status, 404);
  const again = await openStream(server.url, { headers: { "x-api-key": server.key, ...session } });
  assert.equal(again.status, 404);
  const key = { "x-api-key": server.key };
  const kept = await begin(key);
  await server.restart();
  assert.equal((await post(key, ping, kept)).status, 200);
  const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "list_collections" } };
  assert.equal(read(await post(key, call, kept)).result.structuredContent.collections.length >= 1, true);
});

test("MCP-31 a token without a scope for MCP gets nowhere (T97)", async () => {
  const who = bearer(await tokens("cms:read cms:write cms:admin"));
  const list = alone("tools/list");
  for (const answer of [
    await post(who, opening("2025-11-25")),
    await post(who, list.body, list.headers),
    await server.request("GET", "/mcp", { key: null, headers: { accept, ...who } }),
    await server.request("DELETE", "/mcp", { key: null, headers: who }),
  ]) {
    assert.equal(answer.status, 403);
    const challenge = answer.headers.get("www-authenticate") ?? "";
    assert.match(challenge, /error="insufficient_scope"/);
    assert.match(challenge, /scope="mcp:tools mcp:resources mcp:prompts"/);
  }
  assert.equal(
    (await server.request("GET", "/api/collections/notes", { key: null, headers: bearer(await tokens("mcp:tools")) }))
      .status,
    403,
  );
});

test("MCP-35 MCP-36 scopes limit requests, and lists show what they allow (T100, T101)", async () => {
  const cases: [scope: string, method: string, params: object, needed: string][] = [
    ["mcp:resources", "tools/call", { name: "list_collections" }, "mcp:tools"],
    ["mcp:tools", "resources/read", { uri: "cairn://notes/" }, "mcp:resources"],
    ["mcp:tools", "resources/subscribe", { uri: "cairn://notes/" }, "mcp:resources"],
    ["mcp:tools", "prompts/get", { name: "x" }, "mcp:prompts"],
    ["mcp:tools cms:read", "tools/call", { name: "create_schema", arguments: {} }, "cms:admin"],
    ["mcp:tools cms:read", "tools/call", { name: "create_object", arguments: {} }, "cms:write"],
  ];
  for (const [scope, method, params, needed] of cases) {
    const who = bearer(await tokens(scope));
    const answer = await post(who, { jsonrpc: "2.0", id: 4, method, params }, await begin(who));
    assert.equal(answer.status, 403, `${scope} ${method}`);
    assert.match(answer.headers.get("www-authenticate") ?? "", new RegExp(`scope="[^"]*${needed}[^"]*"`));
  }
  const log = server.dataDirs
    .map((folder) => readFileSync(join(folder, ".system", "logs", "mcp.log"), "utf8"))
    .join("");
  assert.match(log, /oauth-activity\.INFO: .*"type":"scope\.rejected".*"needed":"cms:write"/);

  const lists = async (scope: string) => {
    const who = bearer(await tokens(scope));
    const session = await begin(who);
    const ask = async (method: string) => read(await post(who, { jsonrpc: "2.0", id: 5, method }, session)).result;
    const [{ tools }, { resources }] = [await ask("tools/list"), await ask("resources/list")];
    return [tools.length > 0, resources.length > 0];
  };
  assert.deepEqual(await lists("mcp:resources"), [false, true]);
  assert.deepEqual(await lists("mcp:tools cms:read"), [true, false]);
});

test("MCP-38 a revoked grant is refused at once (T75)", async () => {
  const who = bearer(await tokens("mcp:tools"));
  const session = await begin(who);
  const { body } = await server.request("GET", "/api/oauth-grants");
  for (const { id } of body.data) await server.request("DELETE", `/api/oauth-grants/${id}`);
  assert.equal((await post(who, ping, session)).status, 401);
});
