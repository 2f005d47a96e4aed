// Two servers of one installation: a session and its stream need not be in the same one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
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
  await other?.end("SIGTERM");
  await server.stop();
});

async function post(url: string, body: object, more: Record<string, string> = {}): Promise<Response> {
  const headers = { accept, "content-type": "application/json", "x-api-key": server.key, ...more };
  return fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
}

test("MCP-22 MCP-23 MCP-61 a session of one server is known, notified of changes and ended in the other", async () => {
  const begun = await post(server.url, opening("2025-11-25"));
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  const stream = await openStream(other.url, { headers: { "x-api-key": server.key, ...session } });
  assert.equal(stream.status, 200);
  const follow = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "cairn://notes/" } };
  assert.match(await (await post(server.url, follow, session)).text(), /"result":\{\}/);
  for (const at of [1, 2]) {
    const before = stream.messages.length;
    await server.request("POST", "/api/collections/notes", { body: { id: `n-${at}` } });
    assert.ok(await stream.find((message) => stream.messages.indexOf(message) >= before), `write ${at}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  for (let at = 0; at < 10; at += 1) {
    const list = { jsonrpc: "2.0", id: at, method: "tools/list" };
    assert.equal((await post(at % 2 ? server.url : other.url, list, session)).status, 200);
  }
  assert.equal((await server.request("DELETE", "/mcp", { headers: session })).status, 204);
  assert.ok(await stream.closed());
  const ping = { jsonrpc: "2.0", id: 3, method: "ping" };
  assert.equal((await post(other.url, ping, session)).status, 404);
});

test("MCP-64 an import brings no notices, also while its parts are written one after the other", async () => {
  // One that nobody has followed before: of others, earlier changes may still be told.
  await server.makeCollection({ id: "parts", schema: "note", mcp: { access: "public", resource: true } });
  const begun = await post(server.url, opening("2025-11-25"));
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  const follow = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "cairn://parts/" } };
  assert.match(await (await post(server.url, follow, session)).text(), /"result":\{\}/);
  const stream = await openStream(server.url, { headers: { "x-api-key": server.key, ...session } });
  const isSubscribed = ({ method }: { method?: string }) => method === "notifications/resources/updated";
  const connectionString = server.env.CAIRN_DATABASE_URL as string;
  const [importer, observer] = [new Client({ connectionString }), new Client({ connectionString })];
  await Promise.all([importer.connect(), observer.connect()]);
  try {
    const writePart = async (at: number) => {
      const time = new Date(at).toISOString();
      await importer.query("UPDATE collections SET last_updated = $1 WHERE id = 'parts'", [time]);
      const stamp = "INSERT INTO stamps (scope, stamped) VALUES ('import:parts', $1)";
      await importer.query(`${stamp} ON CONFLICT (scope) DO UPDATE SET stamped = $1`, [time]);
    };
    const tell = () => observer.query("NOTIFY cairn, 'importer objects:parts'");
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    // Both of a part are written at once, as by an import: the server may look at any moment.
    await importer.query("BEGIN");
    await writePart(Date.now());
    await importer.query("COMMIT");
    await importer.query("BEGIN; LOCK TABLE stamps IN ACCESS EXCLUSIVE MODE");
    await tell();
    await until(async () => (await observer.query(waiting)).rowCount);
    await writePart(Date.now() + 1);
    await importer.query("COMMIT");
    await tell();
    await sleep(300);
    assert.equal(stream.messages.filter(isSubscribed).length, 0);
    await server.request("POST", "/api/collections/parts", { body: { id: "by-hand" } });
    assert.ok(await stream.find(isSubscribed));
  } finally {
    stream.close();
    await Promise.all([importer.end(), observer.end()]);
  }
});

test("MCT-8 a client of a session is asked before something is deleted, and answers at any server", async () => {
  for (const id of ["gone", "kept", "late"]) {
    await server.request("POST", "/api/collections/notes", { body: { id, title: "x" } });
  }
  const begun = await post(server.url, opening("2025-11-25", { elicitation: {} }));
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  const headers = { "x-api-key": server.key, "mcp-protocol-version": "2025-11-25", ...session };
  const ask = async (url: string, at: number, id: string) => {
    const params = { name: "delete_object", arguments: { collection: "notes", id } };
    const body = { jsonrpc: "2.0", id: at, method: "tools/call", params };
    const stream = await openStream(url, { method: "POST", headers, body });
    return { stream, question: await stream.find(({ method }) => method === "elicitation/create") };
  };
  const exists = async (id: string) => (await server.request("HEAD", `/api/collections/notes/${id}`)).status === 200;
  // Two questions of one session at the same time, each answered at the server that did not ask it.
  const first = await ask(server.url, 10, "gone");
  const second = await ask(other.url, 11, "kept");
  assert.notEqual(first.question.id, second.question.id);
  assert.match(first.question.params.message, /Delete notes\/gone/);
  const answer = (id: string, action: string) => ({ jsonrpc: "2.0", id, result: { action, content: {} } });
  // An answer of somebody else counts for nothing.
  const { key: another } = await server.makeKey({ methods: ["POST"] });
  const stranger = { ...session, "x-api-key": another };
  assert.equal((await post(other.url, answer(first.question.id, "accept"), stranger)).status, 404);
  for (const odd of [
    { jsonrpc: "2.0", id: first.question.id },
    { jsonrpc: "2.0", id: first.question.id, result: 1 },
  ])
    assert.equal((await post(other.url, odd, session)).status, 400);
  assert.equal((await post(server.url, answer(second.question.id, "decline"), session)).status, 202);
  const declined = await second.stream.find(({ id }) => id === 11);
  assert.equal(declined?.result.isError, true);
  assert.deepEqual([await exists("gone"), await exists("kept")], [true, true]);
  assert.equal((await post(other.url, answer(first.question.id, "accept"), session)).status, 202);
  const done = await first.stream.find(({ id }) => id === 10);
  assert.equal(done?.result.isError, undefined, JSON.stringify(done));
  assert.deepEqual([await exists("gone"), await exists("kept")], [false, true]);
  // And where it was asked.
  const third = await ask(other.url, 12, "late");
  assert.equal((await post(other.url, answer(third.question.id, "accept"), session)).status, 202);
  assert.ok(await third.stream.find(({ id }) => id === 12));
  assert.equal(await exists("late"), false);
});
