// The examples that ship, on a real server: what they add is there over REST, MCP and the command line.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { until } from "#base/patience.fixture.ts";
import { type Answer, root, type Server, startServer } from "../harness.ts";
import { enableExtension } from "../support/extensions.ts";

const examples = join(root, "examples", "extensions");
let project: string;
let server: Server;

before(async () => {
  project = mkdtempSync(join(tmpdir(), "cairn-project-"));
  for (const name of ["hello", "everything", "broken", "sandboxed"])
    cpSync(join(examples, name), join(project, "extensions", "examples", name), { recursive: true });
  server = await startServer({ cwd: project });
  await server.makeCollection({ id: "notes", schema: "blog", name: "Notes" });
});
after(async () => {
  await server.stop();
  rmSync(project, { recursive: true, force: true });
});

/** A check has 2 seconds, which a busy machine may take: the write is then refused with 503. */
const post = (path: string, body: object): Promise<Answer> =>
  until(
    () => server.request("POST", path, { body }),
    ({ status }) => status !== 503,
  );
const call = (path: string, key: string | null = null) => server.request("GET", `/api/ext/examples/${path}`, { key });

test("EXT-78 the examples fit the types that ship", async () => {
  const tsc = join(root, "node_modules", ".bin", "tsc");
  await promisify(execFile)(tsc, ["-p", examples]);
});

test("EXT-78 hello answers everybody, in the host and in the sandbox", async () => {
  for (const name of ["hello", "sandboxed"]) {
    await enableExtension(server, `examples/${name}`);
    assert.deepEqual((await call(`${name}/hello`)).body, { hello: "world" });
  }
});

test("EXT-78 everything is there over REST, MCP and the command line", async () => {
  await enableExtension(server, "examples/everything");
  const listed = await server.request("GET", "/api/extensions/examples/everything");
  assert.deepEqual([listed.body.data.state, listed.body.data.error], ["enabled", null]);
  const made = await post("/api/ext/examples/everything/notes/first", { title: " First " });
  assert.deepEqual([made.status, made.body.id, made.body.title], [201, "first", "First"]);
  const shouted = await post("/api/collections/notes", { title: "SHOUTING" });
  assert.deepEqual([shouted.status, shouted.body.error.details.title], [400, ["must not be in capital letters"]]);
  assert.deepEqual((await call("everything/count", server.key)).body, { greeting: "Hello", count: 1 });
  assert.ok((await call("everything/count")).status >= 400);

  const client = new Client({ name: "tests", version: "1" });
  const requestInit = { headers: { "x-api-key": server.key } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url), { requestInit }) as never);
  try {
    const { structuredContent } = await client.callTool({ name: "notes_count", arguments: {} });
    assert.deepEqual(structuredContent, { count: 1 });
    const { contents } = await client.readResource({ uri: "everything://notes/first" });
    assert.equal((contents[0] as { text: string }).text, "First");
    const { messages } = await client.getPrompt({ name: "sum_up_notes", arguments: { tone: "friendly" } });
    assert.match(JSON.stringify(messages), /in a friendly tone/);
  } finally {
    await client.close();
  }

  const counted = await server.cli(["everything:count"]);
  assert.deepEqual([counted.code, counted.stdout], [0, "1 notes\n"]);
  const asJson = await server.cli(["everything:count", "--published", "--json"]);
  assert.deepEqual([asJson.code, Object.keys(JSON.parse(asJson.stdout))], [0, ["count"]]);
});

test("EXT-78 broken fails alone", async () => {
  await enableExtension(server, "examples/broken");
  for (const path of ["throws", "wrong-answer"]) assert.equal((await call(`broken/${path}`)).status, 500);
  assert.equal((await call("broken/rejects-later")).text, "answered");
  const failed = await server.cli(["broken:command"]);
  assert.equal(failed.code, 1);
  assert.doesNotMatch(failed.stdout, /on purpose/);
  assert.equal((await call("hello/hello")).status, 200);
});
