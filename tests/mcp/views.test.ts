// Data views for agents: who is shown which, what the tools answer, and views as resources.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";
import { makeClient, connect as obtain } from "../support/oauth-app.ts";
import { makeUser, signIn } from "../support/sign-in.ts";
import { type Agent, asKey, asNobody, connect } from "./tool-caller.ts";

let server: Server;
let key: Agent;
let nobody: Agent;

before(async () => {
  server = await startServer({
    hasOAuth: true,
    settings: { mcp: { publicAccess: true, publicIpPerMinute: 0 }, api: { rateLimit: 0 } },
  });
  await server.makeCollection({ id: "news", schema: "blog" });
  key = await asKey(server);
  nobody = await asNobody(server);
});
after(() => server.stop());

const make = async (id: string, definition: string, more: object = {}) => {
  const body = { id, name: id, definition, dependencies: ["news"], ...more };
  const { status, text } = await server.request("POST", "/api/collections/dataviews", { body });
  if (status !== 201) throw new Error(text);
};
const rows = `export default () => Array.from({ length: 120 }, (_, n) => ({ id: "r" + n, n, name: n % 2 ? "Äpfel" : "Birnen" }))`;

test("VIEW-11 the tools of views are shown where there is a view to be seen", async () => {
  const viewTools = ["list_views", "describe_view", "query_view", "get_view"];
  const shown = async (agent: Agent) => (await agent.tools()).filter((name) => name.includes("_view"));
  assert.deepEqual(await shown(nobody), []);
  await make("shown", rows, { description: "All rows", mcp: { access: "public", description: "Rows for\nagents" } });
  await make("members", "export default () => ({ total: 7, tags: ['a'] })", { mcp: { access: "authenticated" } });
  await make("closed", "export default () => [1]");
  assert.deepEqual((await shown(nobody)).sort(), [...viewTools].sort());
  assert.deepEqual((await shown(key)).sort(), [...viewTools].sort());
});

test("VIEW-11 the view's own card decides its visibility, whatever the groups", async () => {
  await server.request("PUT", "/api/access-groups/empty", { body: { permissions: {} } });
  await makeUser(server, "member", ["empty"]);
  const scope = "cms:read mcp:tools";
  const { accessToken } = await obtain(server, await signIn(server, "member"), {
    client: await makeClient(server),
    scope,
  });
  const member = await connect(server, { authorization: `Bearer ${accessToken}` });
  const ids = async (agent: Agent) => (await agent.ask("list_views")).views.map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids(nobody), ["shown"]);
  assert.deepEqual(await ids(key), ["closed", "members", "shown"]);
  const [first] = (await nobody.ask("list_views")).views;
  assert.deepEqual([first.description, first.access], ["Rows for agents", "public"]);
  for (const tool of ["describe_view", "query_view", "get_view"])
    for (const id of ["members", "closed", "none"])
      assert.match(await nobody.failing(tool, { id }), /There is no data view/, `${tool} ${id}`);
  assert.deepEqual(await ids(member), ["members", "shown"]);
  assert.deepEqual((await member.ask("get_view", { id: "members" })).data.total, 7);
  assert.match(await member.failing("get_view", { id: "closed" }), /There is no data view/);
});

test("VIEW-12 a view is described, queried and read", async () => {
  const described = await nobody.ask("describe_view", { id: "shown" });
  assert.deepEqual([described.kind, described.total, described.definition], ["list", 120, undefined]);
  assert.deepEqual(described.properties, [
    { name: "id", type: "string" },
    { name: "n", type: "number" },
    { name: "name", type: "string" },
  ]);
  assert.equal((await key.ask("describe_view", { id: "shown" })).definition, rows);
  const body = { name: "agents", methods: ["POST"], endpoints: ["/mcp"] };
  const made = await server.request("POST", "/api/apikeys", { body });
  const limited = await connect(server, { "x-api-key": made.body.data.key });
  assert.equal((await limited.ask("describe_view", { id: "shown" })).definition, undefined);
  const page = await nobody.ask("query_view", { id: "shown", include: "name:äpfel", sort: "-n", limit: 2, offset: 1 });
  assert.deepEqual(
    page.items.map(({ n }: { n: number }) => n),
    [117, 115],
  );
  assert.deepEqual([page.total, page.has_more, page.next_offset], [60, true, 3]);
  const whole = await nobody.ask("get_view", { id: "shown" });
  assert.deepEqual([whole.data.length, whole.total], [50, 120]);
  assert.match(whole.hint, /query_view/);
  assert.deepEqual(await key.ask("get_view", { id: "members" }), { id: "members", data: { total: 7, tags: ["a"] } });
  assert.match(await key.failing("query_view", { id: "members" }), /not a list of objects/);
  assert.match(await key.failing("query_view", { id: "shown", sort: "a:up" }), /sort/);
});

test("VIEW-13 views are resources for callers that see them", async () => {
  const uris = async (agent: Agent) =>
    (await agent.rpc("resources/list")).result.resources.map(({ uri }: { uri: string }) => uri);
  assert.deepEqual(await uris(nobody), ["cairn://view/shown"]);
  assert.deepEqual(await uris(key), ["cairn://view/closed", "cairn://view/members", "cairn://view/shown"]);
  const read = await nobody.rpc("resources/read", { uri: "cairn://view/shown" });
  assert.equal(JSON.parse(read.result.contents[0].text).total, 120);
  for (const uri of ["cairn://view/closed", "cairn://view/none", "cairn://view/"])
    assert.ok((await nobody.rpc("resources/read", { uri })).error, uri);
});

test("VIEW-9 below Pro agents see no views", async () => {
  await server.setSetting("edition", "standard");
  assert.equal((await nobody.tools()).includes("list_views"), false);
  await server.cli(["settings:set", "edition", "pro"]);
});
