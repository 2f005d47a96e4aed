// Every tool called by the client that most applications are built with: it holds each answer against the output schema.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Server, startServer } from "../harness.ts";

let server: Server;
let client: Client;

before(async () => {
  server = await startServer();
  const properties = {
    title: { field: "text", enum: ["a", "b"] },
    body: { field: "styledtext" },
    url: { field: "url" },
    rev: { field: "number" },
  };
  await server.makeSchema({ id: "note", properties, required: ["id"], index: ["id", "title"] });
  const tools = {
    by_title: {
      description: "By title",
      params: { title: { type: "string", enum: ["a"] } },
      filters: { title: { value: "{{params.title}}" } },
    },
  };
  await server.makeCollection({ id: "notes", schema: "note", mcp: { resource: true, tools } });
  await server.request("POST", "/api/collections/notes", {
    body: { id: "one", title: "a", rev: 5, url: "https://example.test/" },
  });
  client = new Client({ name: "tests", version: "1" });
  const requestInit = { headers: { "x-api-key": server.key } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url), { requestInit }) as never);
});
after(async () => {
  await client.close();
  await server.stop();
});

const calls: [tool: string, args: Record<string, unknown>][] = [
  ["list_collections", {}],
  ["describe_collection", { collection: "notes" }],
  ["query_collection", { collection: "notes" }],
  ["search_collection", { collection: "notes", query: "a" }],
  ["search_collections", { query: "a" }],
  ["get_object", { collection: "notes", id: "one" }],
  ["list_references", { collection: "notes", id: "one" }],
  ["get_resource", { uri: "cairn://notes/" }],
  ["by_title", { title: "a" }],
  ["create_object", { collection: "notes", id: "two", data: { title: "b" } }],
  ["update_object", { collection: "notes", id: "two", data: { title: "a" } }],
  ["patch_object", { collection: "notes", id: "two", data: { title: "b" } }],
  ["object_history", { collection: "notes", id: "two" }],
  ["undo_my_changes", { since: "PT1H" }],
  ["delete_object", { collection: "notes", id: "two" }],
  [
    "create_schema",
    { schema: { id: "made", properties: { title: { field: "text" } }, required: ["id"], index: ["id"] } },
  ],
  [
    "update_schema",
    { id: "made", schema: { properties: { name: { field: "text" } }, required: ["id"], index: ["id"] } },
  ],
  ["list_schemas", {}],
  ["get_schema", { id: "made" }],
  ["delete_schema", { id: "made" }],
  ["create_collection", { id: "more", schema: "note" }],
  ["update_collection", { collection: "more", settings: { category: "x" } }],
  ["get_site_info", {}],
  ["list_extensions", {}],
  ["docs_search", { words: "filter" }],
  ["docs_get", { page: "guides.querying" }],
  ["clear_cache", {}],
];

test("MCT-2 all schemas are JSON Schema 2020-12", async () => {
  const { tools } = await client.listTools();
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false });
  for (const { inputSchema, outputSchema } of tools) {
    ajv.compile(inputSchema);
    ajv.compile(outputSchema as object);
  }
  assert.ok(tools.length > 20);
});

test("MCT-3 a tool's answer fits its output schema, and failures pass the client as well", async () => {
  const { tools } = await client.listTools();
  for (const [name, args] of calls) {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError, undefined, `${name}: ${JSON.stringify(result.content)}`);
    assert.ok(result.structuredContent, name);
  }
  const called = new Set([...calls.map(([name]) => name), "upload_file", "restore_version"]);
  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => !called.has(name) && !name.includes("_view")),
    [],
  );
  for (const { name } of tools) {
    const result = await client.callTool({ name, arguments: { nothing: 1 } });
    assert.equal(result.isError, true, name);
  }
});

test("MCT-13 properties of the names that are shown beside them win", async () => {
  const { structuredContent } = await client.callTool({
    name: "get_object",
    arguments: { collection: "notes", id: "one" },
  });
  const { url, rev, _rev } = structuredContent as Record<string, unknown>;
  assert.deepEqual([url, rev, typeof _rev], ["https://example.test/", 5, "string"]);
});
