// The official client libraries of both generations against the running server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";

let server: Server;
const clients: { close(): Promise<void> }[] = [];

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  const properties = { title: { field: "text" }, body: { field: "text" } };
  await server.makeSchema({ id: "note", properties, required: ["id"], index: ["id", "title"] });
  await server.makeCollection({ id: "notes", schema: "note", mcp: { access: "public", resource: true } });
  for (let at = 0; at < 60; at += 1) {
    await server.request("POST", "/api/collections/notes", { body: { id: `n-${at}`, title: `Note ${at}` } });
  }
  const prompt = { name: "greet", description: "Greets", body: "Say hello to {{ args.name }}" };
  const args = [{ id: "name", name: "name", description: "Who", required: true }];
  const made = await server.request("POST", "/api/collections/mcp-prompt", { body: { ...prompt, arguments: args } });
  assert.equal(made.status, 201, made.text);
});
after(async () => {
  for (const client of clients) await client.close();
  await server.stop();
});

const url = () => new URL(`${server.url}/mcp`);
const requestInit = () => ({ headers: { "X-API-Key": server.key } });

interface Heard {
  updates: string[];
  lists: number;
}

interface Spoken {
  // biome-ignore lint/suspicious/noExplicitAny: the two libraries type the same results apart
  client: any;
  heard: Heard;
  /** From now on changes of the resource are heard. */
  follow(uri: string): Promise<unknown>;
}

type Answering = "accept" | "decline";

async function newest(answer?: Answering, mode: object = { mode: "auto" }): Promise<Spoken> {
  const heard: Heard = { updates: [], lists: 0 };
  const client = new Client({ name: "new", version: "1" }, {
    versionNegotiation: mode,
    ...(answer && { capabilities: { elicitation: { form: {} } } }),
  } as never);
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.updates.push(params.uri));
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    heard.lists += 1;
  });
  if (answer) client.setRequestHandler("elicitation/create", async () => ({ action: answer, content: {} }));
  await client.connect(new StreamableHTTPClientTransport(url(), { requestInit: requestInit() }));
  clients.push(client);
  const isNew = client.getNegotiatedProtocolVersion() === "2026-07-28";
  return {
    client,
    heard,
    follow: (uri) =>
      isNew
        ? client.listen({ resourceSubscriptions: [uri], toolsListChanged: true })
        : client.subscribeResource({ uri }),
  };
}

async function older(answer?: Answering): Promise<Spoken> {
  const heard: Heard = { updates: [], lists: 0 };
  const client = new OldClient({ name: "old", version: "1" }, { capabilities: answer ? { elicitation: {} } : {} });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.updates.push(params.uri));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard.lists += 1;
  });
  if (answer) client.setRequestHandler(ElicitRequestSchema, async () => ({ action: answer, content: {} }));
  await client.connect(new OldTransport(url(), { requestInit: requestInit() }) as never);
  clients.push(client);
  return { client, heard, follow: (uri) => client.subscribeResource({ uri }) };
}

const generations: [string, (answer?: Answering) => Promise<Spoken>][] = [
  ["2026-07-28", (answer) => newest(answer)],
  ["2025-11-25 of the new library", (answer) => newest(answer, { mode: "legacy" })],
  ["2025-11-25 of the old library", (answer) => older(answer)],
];

for (const [name, make] of generations) {
  test(`MCP-4 MCP-2 a client of ${name} works`, async () => {
    const { client, heard, follow } = await make();
    assert.equal(client.getServerVersion().name, "cairn");
    assert.match(client.getInstructions(), /list_collections/);
    const { tools } = await client.listTools();
    assert.ok(tools.length >= 14 && tools.every((tool: { outputSchema: object }) => tool.outputSchema));
    const found = await client.callTool({ name: "get_object", arguments: { collection: "notes", id: "n-1" } });
    assert.equal(found.structuredContent.title, "Note 1");
    const failed = await client.callTool({ name: "get_object", arguments: { collection: "notes", id: "no" } });
    assert.equal(failed.isError, true);
    await assert.rejects(client.callTool({ name: "no_such_tool", arguments: {} }), /Unknown tool|no_such_tool/);
    const { resources } = await client.listResources();
    assert.ok(resources.some(({ uri }: { uri: string }) => uri === "cairn://notes/"));
    const { contents } = await client.readResource({ uri: "cairn://notes/n-2" });
    assert.equal(JSON.parse(contents[0].text).title, "Note 2");
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
    assert.deepEqual(
      (await client.listPrompts()).prompts.map((prompt: { name: string }) => prompt.name),
      ["greet"],
    );
    const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
    assert.equal(messages[0].content.text, "Say hello to Ada");

    await follow("cairn://notes/");
    await server.request("PATCH", "/api/collections/notes/n-3", { body: { title: `By ${name}` } });
    await until(() => heard.updates.length > 0);
    // A change of the test before may be told now as well.
    assert.deepEqual([...new Set(heard.updates)], ["cairn://notes/"]);
    await server.request("PUT", "/api/settings/mcp", { body: { toolPrefix: "x" } });
    await until(() => heard.lists > 0);
    await server.request("PUT", "/api/settings/mcp", { body: { toolPrefix: "" } });
  });

  test(`MCP-75 a client of ${name} asks the person`, async () => {
    const remove = (client: Spoken["client"], id: string) =>
      client.callTool({ name: "delete_object", arguments: { collection: "notes", id } });
    const body = { id: `gone-${generations.findIndex((each) => each[0] === name)}` };
    await server.request("POST", "/api/collections/notes", { body });
    const path = `/api/collections/notes/${body.id}`;
    const declined = await remove((await make("decline")).client, body.id);
    assert.equal(declined.isError, true);
    assert.equal((await server.request("GET", path)).status, 200);
    const accepted = await remove((await make("accept")).client, body.id);
    assert.equal(accepted.isError, undefined, JSON.stringify(accepted));
    assert.equal((await server.request("GET", path)).status, 404);
  });
}

test("MCP-11 fifty clients with equal ids get their own answers (T102)", async () => {
  const spoken = await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 ? older() : newest())));
  let foreign = 0;
  for (let round = 0; round < 4; round += 1) {
    const answers = await Promise.all(
      spoken.map(({ client }, at) =>
        client.callTool({ name: "get_object", arguments: { collection: "notes", id: `n-${at}` } }),
      ),
    );
    foreign += answers.filter(({ structuredContent }, at) => structuredContent?.id !== `n-${at}`).length;
    const pages = await Promise.all(
      spoken.map(({ client }, at) =>
        client.callTool(
          { name: "query_collection", arguments: { collection: "notes", include: `id:n-${at}` } },
          ...((at % 2 ? [undefined, { onprogress: () => {} }] : [{ onprogress: () => {} }]) as never[]),
        ),
      ),
    );
    foreign += pages.filter(({ structuredContent }, at) => structuredContent?.items[0]?.id !== `n-${at}`).length;
  }
  assert.equal(foreign, 0);
});
