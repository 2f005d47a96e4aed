// What extensions offer to AI clients: tools, resources and prompts.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { type Agent, asKey, asNobody, connect } from "../mcp/tool-caller.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";
import { makeClient, connect as obtain } from "../support/oauth-app.ts";
import { makeUser, signIn } from "../support/sign-in.ts";

const object = (properties: object, required: string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const near = object({ lat: { type: "number", minimum: -90 }, note: { type: ["string", "null"] } }, ["lat"]);
const tool = (name: string, more: object = {}) => ({
  name,
  title: `Title of ${name}`,
  description: "What it does.",
  input: object({}),
  ...more,
});

const manifest = {
  contributes: {
    tools: [
      tool("places_near", { input: near, output: object({ found: { type: "array" } }, ["found"]), readOnly: true }),
      tool("read_note", { input: object({ id: { type: "string" } }), readOnly: true, access: "user" }),
      tool("make_place", { idempotent: true, destructive: false }),
      tool("answers_text", { readOnly: true }),
      tool("answers_wrong", { readOnly: true, output: object({ n: { type: "number" } }) }),
      tool("throws", { readOnly: true }),
      tool("refuses", { readOnly: true }),
      tool("get_object"),
      tool("for_all", { readOnly: true, access: "public" }),
    ],
    resources: [
      { name: "places", uri: "map://places", title: "Places", mimeType: "text/plain", scope: "cms:read" },
      { name: "place", uri: "map://places/{id}", title: "One place" },
      { name: "ours", uri: "cairn://map/{id}", title: "Not its own" },
    ],
    prompts: [{ name: "describe_place", title: "Describe", arguments: [{ name: "place", required: true }] }],
  },
};
const code = `export function register(cairn) {
  cairn.tool("places_near", async (call, { lat }) => ({ found: [lat, call.actor.kind] }));
  cairn.tool("read_note", async (call, { id }) => ({ note: await call.as.objects.get("notes", id) }));
  cairn.tool("make_place", async () => ({}));
  cairn.tool("answers_text", async () => "just text");
  cairn.tool("answers_wrong", async () => ({ n: "one" }));
  cairn.tool("throws", async () => { throw new Error("a secret of the code"); });
  cairn.tool("refuses", async () => cairn.fail(404, "There is no such place."));
  cairn.tool("get_object", async () => ({}));
  cairn.tool("for_all", async (call) => ({ kind: call.actor.kind }));
  cairn.resource("places", { read: async () => "Rome, Oslo" });
  cairn.resource("place", { read: async (uri, { id }) => (id === "rome" ? { text: JSON.stringify({ id, uri }) } : null) });
  cairn.resource("ours", { read: async () => "no" });
  cairn.prompt("describe_place", async (call, { place }) => "Describe " + place + " as " + call.actor.kind);
}`;

let server: Server;
let key: Agent;

before(async () => {
  server = await startServer({
    hasOAuth: true,
    settings: { mcp: { publicAccess: true, publicIpPerMinute: 0 }, api: { rateLimit: 0 } },
  });
  await server.makeSchema({ id: "note", properties: { title: { field: "text" } }, required: ["id"] });
  await server.makeCollection({ id: "notes", schema: "note" });
  await server.request("POST", "/api/collections/notes", { body: { id: "n-1", title: "One" } });
  const folder = join(server.dataDir, "extensions");
  writeExtension(folder, { id: "acme/map", manifest, files: { "index.ts": code } });
  const second = { contributes: { tools: [tool("places_near"), tool("second_tool")] } };
  const files = {
    "index.ts": `export function register(cairn) {
      for (const name of ["places_near", "second_tool"]) cairn.tool(name, async () => ({ second: true }));
    }`,
  };
  writeExtension(folder, { id: "acme/second", manifest: second, files });
  await enableExtension(server, "acme/map");
  await enableExtension(server, "acme/second");
  key = await asKey(server);
});
after(() => server.stop());

const record = async (id: string) => (await server.request("GET", `/api/extensions/${id}`)).body.data;

test("EXT-120 tools are listed as the manifest says and called with the rights of the caller", async () => {
  const client = new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode: "auto" } } as never);
  const requestInit = { headers: { "X-API-Key": server.key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  try {
    const { tools } = await client.listTools();
    const found = tools.find(({ name }) => name === "places_near");
    assert.equal(found?.title, "Title of places_near");
    assert.deepEqual(found?.inputSchema, near);
    assert.deepEqual(found?.annotations, {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    });
    const made = tools.find(({ name }) => name === "make_place");
    assert.deepEqual(
      [made?.annotations?.readOnlyHint, made?.annotations?.destructiveHint, made?.annotations?.idempotentHint],
      [false, false, true],
    );
    const called = await client.callTool({ name: "places_near", arguments: { lat: 3 } });
    assert.deepEqual(called.structuredContent, { found: [3, "key"] });

    let lists = 0;
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      lists += 1;
    });
    await client.listen({ toolsListChanged: true });
    await server.request("PATCH", "/api/extensions/acme/map", { body: { switches: { "tools:make_place": false } } });
    await until(() => lists > 0);
    assert.ok(!(await key.tools()).includes("make_place"));
    assert.match((await key.call("make_place")).error?.message ?? "", /Unknown tool/);
  } finally {
    await client.close();
  }
  await server.request("PUT", "/api/settings/mcp", { body: { toolPrefix: "site" } });
  assert.ok((await key.tools()).includes("site_places_near"));
  assert.deepEqual(await key.ask("site_places_near", { lat: 1 }), { found: [1, "key"] });
  await server.request("PUT", "/api/settings/mcp", { body: { toolPrefix: "" } });
});

test("EXT-121 groups, scopes and the access of the manifest decide which callers are offered one", async () => {
  const permissions = { extensions: { allowed: ["acme/map"] }, collections: { operations: ["read"], all: true } };
  await server.request("PUT", "/api/access-groups/mappers", { body: { id: "mappers", permissions } });
  await makeUser(server, "mia", ["mappers"]);
  await makeUser(server, "vic", ["viewer"]);
  const app = await makeClient(server);
  const agentOf = async (user: string, scope: string) => {
    const { accessToken } = await obtain(server, await signIn(server, user), { client: app, scope });
    return connect(server, { authorization: `Bearer ${accessToken}` });
  };
  const mia = await agentOf("mia", "mcp:tools mcp:resources mcp:prompts cms:read");
  const names = await mia.tools();
  assert.ok(names.includes("places_near") && names.includes("read_note"));
  assert.ok(!names.includes("second_tool"), "it writes, and the group does not hold it");
  assert.equal((await mia.ask("places_near", { lat: 3 })).found[1], "token");
  // The card of the collection opens it to administrators alone, over MCP as over the tools of the service.
  assert.match(await mia.failing("read_note", { id: "n-1" }), /./);
  assert.equal((await key.ask("read_note", { id: "n-1" })).note.title, "One");

  const vic = await agentOf("vic", "mcp:tools mcp:resources cms:read");
  assert.ok(!(await vic.tools()).includes("places_near"));
  assert.ok((await vic.tools()).includes("read_note"));
  assert.deepEqual((await vic.rpc("resources/read", { uri: "map://places" })).result, undefined);
  const unscoped = await agentOf("mia", "mcp:tools mcp:resources");
  assert.ok(!(await unscoped.tools()).includes("places_near"));
  assert.equal((await unscoped.rpc("resources/read", { uri: "map://places" })).result, undefined);

  const nobody = await asNobody(server);
  const open = await nobody.tools();
  assert.deepEqual(
    open.filter((name) => ["places_near", "read_note", "for_all", "second_tool"].includes(name)),
    ["for_all"],
  );
  assert.deepEqual(await nobody.ask("for_all"), { kind: "anonymous" });
});

test("EXT-122 arguments and results are held against their schemas", async () => {
  assert.match(await key.failing("places_near", { lat: -91, other: 1 }), /lat[\s\S]*other|other[\s\S]*lat/);
  assert.match(await key.failing("places_near", {}), /lat: is required/);
  for (const name of ["answers_text", "answers_wrong", "throws"])
    assert.match(await key.failing(name), /^The extension acme\/map failed\.\n/);
  assert.match(await key.failing("refuses"), /^There is no such place\./);
  await until(async () => {
    const { errors } = await record("acme/map");
    return errors.some(({ text }: { text: string }) =>
      /"answers_wrong" answered what its schema refuses: n /.test(text),
    );
  });
});

test("EXT-123 a name that is taken is not offered, and the record says so", async () => {
  const names = await key.tools();
  assert.equal(names.filter((name) => name === "get_object").length, 1);
  assert.deepEqual(await key.ask("places_near", { lat: 2 }), { found: [2, "key"] });
  assert.deepEqual(await key.ask("second_tool"), { second: true });
  const [first, second] = [await record("acme/map"), await record("acme/second")];
  assert.deepEqual([first.state, second.state], ["enabled", "enabled"]);
  assert.match(first.error, /The tool get_object is taken by Cairn itself\./);
  assert.equal(second.error, "The tool places_near is taken by acme/map.");
});

test("EXT-124 resources and prompts are listed, read and used", async () => {
  const { resources } = (await key.rpc("resources/list")).result;
  assert.ok(resources.some(({ uri }: { uri: string }) => uri === "map://places"));
  const { resourceTemplates } = (await key.rpc("resources/templates/list")).result;
  const addresses = resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate);
  assert.ok(addresses.includes("map://places/{id}") && !addresses.includes("cairn://map/{id}"));
  const read = async (uri: string) => (await key.rpc("resources/read", { uri })).result?.contents[0];
  assert.deepEqual(await read("map://places"), { uri: "map://places", mimeType: "text/plain", text: "Rome, Oslo" });
  assert.deepEqual(JSON.parse((await read("map://places/rome")).text), { id: "rome", uri: "map://places/rome" });
  assert.equal(await read("map://places/nowhere"), undefined);
  assert.equal(await read("cairn://map/x"), undefined);
  assert.deepEqual((await key.ask("get_resource", { uri: "map://places" })).content, { text: "Rome, Oslo" });

  const { prompts } = (await key.rpc("prompts/list")).result;
  assert.ok(prompts.some(({ name }: { name: string }) => name === "describe_place"));
  const used = await key.rpc("prompts/get", { name: "describe_place", arguments: { place: "Rome" } });
  assert.equal(used.result.messages[0].content.text, "Describe Rome as key");
  assert.match((await key.rpc("prompts/get", { name: "describe_place" })).error?.message ?? "", /needs place/);
});

test("EXT-138 the documentation is searched and read", async () => {
  const enabled = await server.request("POST", "/api/extensions/cairn/docs/enable");
  assert.equal(enabled.status, 200, enabled.text);
  const { sections } = await key.ask("docs_search", { words: "webhook retry" });
  assert.ok(sections.length > 0);
  const [{ page, anchor }] = sections;
  assert.ok((await key.ask("docs_get", { page, anchor })).text.length > 0);
  assert.match(await key.failing("docs_get", { page: "../package" }), /There is no such page/);
  const { result } = await key.rpc("resources/read", { uri: "cairn://docs/guides.querying" });
  assert.match(result.contents[0].text, /^# /);
});
