// The log of changes over all collections: pages of it, its writers, and the stream that follows it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../../harness.ts";
import { type OpenStream, openStream } from "../../support/change-stream.ts";

let server: Server;
const open: OpenStream[] = [];
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  const properties = { title: { type: "string" }, draft: { type: "boolean" } };
  await server.makeSchema({ id: "piece", properties });
  await server.makeCollection({ id: "news", schema: "piece", history: "full", publicOperations: ["read"] });
  await server.makeCollection({ id: "inner", schema: "piece", history: "trail" });
  await server.makeCollection({ id: "plain", schema: "piece", publicOperations: ["read"], history: "off" });
});
after(async () => {
  for (const stream of open) stream.close();
  await server.stop();
});

const stream = async (query: string, options = {}) => {
  const made = await openStream(server, query, options);
  open.push(made);
  return made;
};
const write = async (collection: string, body: Record<string, unknown>) => {
  const { status, text } = await server.request("POST", `/api/collections/${collection}`, { body });
  assert.equal(status, 201, text);
};
const list = async (query = "", key?: string) =>
  (await server.request("GET", `/api/changes?${query}`, key ? { key } : {})).body;
const ids = (entries: { id: string }[]) => entries.map(({ id }) => id);
const shown = ({ events }: OpenStream) => events.map(({ data }) => `${data.kind} ${data.id}`);

test("FEED-5 the log is listed oldest first, and a cursor leads on", async () => {
  for (const id of ["a", "b", "c"]) await write("news", { id, title: id });
  await server.request("PATCH", "/api/collections/news/b", {
    body: { title: "B" },
    headers: { "x-cairn-note": "why" },
  });
  // A change is listed once no transaction is open that may commit before it.
  await until(
    () => list("collection=news"),
    ({ data }) => data.length === 4,
  );
  const first = await list("collection=news&limit=2");
  assert.deepEqual(ids(first.data), ["a", "b"]);
  const rest = await list(`collection=news&after=${first.meta.cursor}`);
  assert.deepEqual(ids(rest.data), ["c", "b"]);
  const [, change] = rest.data;
  assert.deepEqual([change.kind, change.properties, change.note, change.rev], ["update", ["title"], "why", 2]);
  assert.equal(change.by.door, "api");
  assert.deepEqual((await list(`after=${rest.meta.cursor}`)).data, []);
  assert.deepEqual(ids((await list(`key=${change.by.key.id}&collection=news`)).data), ["a", "b", "c", "b"]);
  assert.deepEqual((await list("grant=none")).data, []);
  assert.deepEqual((await list("until=2000-01-01")).data, []);
  for (const bad of ["after=x", "since=soon", "writer=x", "door=window", "limit=0"]) {
    const { status, body } = await server.request("GET", `/api/changes?${bad}`);
    assert.equal(status, 400, bad);
    assert.match(body.error.message, new RegExp(`^${bad.split("=")[0]} `), bad);
  }
  const { body } = await server.request("GET", `/api/writers?key=${change.by.key.id}`);
  assert.equal(body.data.length, 1);
  assert.ok(body.data[0].first <= body.data[0].last);
});

test("FEED-6 a key sees the log by the endpoint /changes, and by no other but *", async () => {
  const { key } = await server.makeKey({ methods: ["GET"], endpoints: ["/changes", "/collections/news"] });
  assert.deepEqual(ids((await list("collection=news&limit=1", key)).data), ["a"]);
  // What it may not read by the other endpoints, it may not follow.
  for (const path of ["/api/changes?collection=inner", "/api/changes/stream?collections=inner"])
    assert.equal((await server.request("GET", path, { key })).status, 401, path);
  const other = await server.makeKey({ methods: ["GET"], endpoints: ["/collections"] });
  for (const path of ["/api/changes", "/api/writers", "/api/changes/stream"])
    assert.equal((await server.request("GET", path, { key: other.key })).status, 401, path);
});

test("FEED-10 a stream has each change in the order of commits, and goes on from its cursor after a restart", async () => {
  const live = await stream("collections=inner&after=now&include=object");
  assert.equal(live.status, 200);
  for (const id of ["1", "2", "3"]) await write("inner", { id, title: id });
  await write("plain", { id: "unseen" });
  await becomes(() => shown(live), ["create 1", "create 2", "create 3"]);
  assert.equal(live.events[0]?.data.object.title, "1");
  assert.equal(live.events[0]?.data.by.door, "api");
  await server.restart();
  await until(() => live.isEnded);
  await write("inner", { id: "4" });
  const next = await stream("collections=inner", { lastId: live.events[1]?.id });
  await becomes(() => shown(next), ["create 3", "create 4"]);
  await server.request("DELETE", "/api/collections/inner/4");
  await becomes(() => shown(next).at(-1), "delete 4");
  const whole = await stream("collections=inner");
  await becomes(() => shown(whole), ["create 1", "create 2", "create 3", "create 4", "delete 4"]);
});

test("FEED-11 a cursor of another log is answered with a reset, and the stream goes on from there", async () => {
  const lost = await stream("collections=inner", { lastId: "0123456789abcdef.0.1" });
  await until(() => lost.events.length > 0);
  assert.equal(lost.events[0]?.event, "reset");
  await write("inner", { id: "after-reset" });
  await becomes(() => lost.events.length, 2);
  assert.equal(lost.events[1]?.data.id, "after-reset");
});

test("FEED-12 what cannot be followed is refused: no history, no right, no such cursor", async () => {
  const get = (query: string, key?: string | null) =>
    server.request("GET", `/api/changes/stream?${query}`, key === undefined ? {} : { key });
  assert.equal((await get("collections=plain")).status, 400);
  assert.match((await get("collections=plain")).body.error.message, /"plain" keeps no history/);
  assert.equal((await get("after=x")).status, 400);
  assert.equal((await get("collections=nowhere")).status, 404);
  assert.equal((await get("collections=news", null)).status, 401);
  await server.setSetting("changes.maxStreams", 0);
  assert.equal((await get("collections=news")).status, 503);
  await server.setSetting("changes.maxStreams", null);
});

test("FEED-13 the public sees drafts come and go as creations and deletions, without their writers", async () => {
  await server.setSetting("changes.publicStreams", true);
  assert.equal((await server.request("GET", "/api/changes/stream?collections=inner", { key: null })).status, 401);
  const all = await stream("after=now");
  const visitor = await stream("collections=news&after=now", { key: null });
  const patch = (body: Record<string, unknown>) => server.request("PATCH", "/api/collections/news/d", { body });
  await write("news", { id: "d", title: "x", draft: true });
  await patch({ title: "y" });
  await patch({ draft: false });
  await patch({ title: "z" });
  await patch({ draft: true });
  await server.request("DELETE", "/api/collections/news/d");
  await write("news", { id: "e" });
  await becomes(() => shown(visitor), ["create d", "update d", "delete d", "create e"]);
  await becomes(() => shown(all).length, 7);
  assert.ok(visitor.events.every(({ data }) => data.by === undefined && data.hasContent === undefined));
  await server.setSetting("changes.publicStreams", false);
  await until(() => visitor.isEnded);
});

test("FEED-14 a stream ends soon after its key does", async () => {
  const made = await server.makeKey({ methods: ["GET"], endpoints: ["/changes", "/collections"] });
  const listener = await stream("collections=inner&after=now", { key: made.key });
  assert.equal(listener.status, 200);
  await server.request("DELETE", `/api/apikeys/${made.id}`);
  await write("inner", { id: "too-late" });
  await until(() => listener.isEnded);
  assert.deepEqual(listener.events, []);
});

test("FEED-15 changes:follow prints each change after a cursor as a JSON line, with its cursor", async () => {
  const { meta } = await list("collection=news&limit=1");
  const { code, stdout } = await server.cli(["changes:follow", "--after", meta.cursor, "--until-end"]);
  assert.equal(code, 0);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual([lines[0].id, lines[0].kind, lines[0].collection], ["b", "create", "news"]);
  const rest = await server.cli(["changes:follow", "--after", lines.at(-1).cursor, "--until-end"]);
  assert.equal(rest.stdout, "");
  assert.equal((await server.cli(["changes:follow", "--after", "0123456789abcdef.0.1"])).code, 1);
});
