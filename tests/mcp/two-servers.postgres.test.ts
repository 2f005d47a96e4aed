// Two servers of one installation: a session and its stream need not be in the same one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Launched, launch, type Server, startServer } from "../harness.ts";
import { opening, openStream } from "./event-stream.ts";

let server: Server;
let other: Launched;
const accept = "application/json, text/event-stream";

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await server.makeSchema({ id: "note", properties: { title: { field: "text" } }, required: ["id"], index: ["id"] });
  await server.makeCollection({ id: "notes", schema: "note", mcp: { access: "public", resource: true } });
  other = await launch(["serve", "--port", "0"], server.env);
});
after(async () => {
  await other.end("SIGTERM");
  await server.stop();
});

async function post(url: string, body: object, more: Record<string, string> = {}): Promise<Response> {
  const headers = { accept, "content-type": "application/json", "x-api-key": server.key, ...more };
  return fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
}

test("MCP-22 MCP-23 MCP-61 a session of one server is known, told of changes and ended in the other", async () => {
  const begun = await post(server.url, opening("2025-11-25"));
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  const stream = await openStream(other.url, { headers: { "x-api-key": server.key, ...session } });
  assert.equal(stream.status, 200);
  const follow = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "cairn://notes/" } };
  assert.match(await (await post(server.url, follow, session)).text(), /"result":\{\}/);
  for (const at of [1, 2]) {
    const before = stream.messages.length;
    await server.request("POST", "/api/collections/notes", { body: { id: `n-${at}` } });
    assert.ok(await stream.find((message) => stream.messages.indexOf(message) >= before, 1_200), `write ${at}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  for (let at = 0; at < 10; at += 1) {
    const list = { jsonrpc: "2.0", id: at, method: "tools/list" };
    assert.equal((await post(at % 2 ? server.url : other.url, list, session)).status, 200);
  }
  assert.equal((await server.request("DELETE", "/mcp", { headers: session })).status, 204);
  assert.ok(await stream.closed(2_000));
  const ping = { jsonrpc: "2.0", id: 3, method: "ping" };
  assert.equal((await post(other.url, ping, session)).status, 404);
});
