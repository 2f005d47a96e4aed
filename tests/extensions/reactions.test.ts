// Events that extensions react to: stored with their write, seen at least once, in order for one object.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { becomes, until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { enableExtension, writeExtension } from "../support/extensions.ts";

/** Each event becomes an object of `seen`; a title that begins with "Fail" fails so many times first. */
const code = `const fails = new Map();
export function register(cairn) {
  cairn.schedule("later", async (call, payload) => {
    const changed = await cairn.own.objects.patch("notes", payload.for, { text: "ordered" });
    const stale = await cairn.own.objects.patch("notes", payload.for, { text: "" }, { ifMatch: '"0-0-0"' }).catch((error) => error.status);
    await cairn.own.objects.create("seen", { title: "schedule", text: JSON.stringify({ type: "schedule", id: payload.for, stale }) });
  });
  cairn.reaction("note", async (call, event) => {
    const note = event.id && event.type !== "object.deleted" ? await cairn.own.objects.get("notes", event.id).catch(() => ({})) : {};
    const left = fails.get(event.id) ?? Number(/^Fail (\\d)/.exec(note.title)?.[1] ?? 0);
    fails.set(event.id, left - 1);
    if (left > 0) throw new Error("not yet");
    await cairn.own.objects.create("seen", { title: event.type, text: JSON.stringify(event) });
    if (note.title === "Order") await cairn.own.jobs.add("later", { for: event.id });
    if (note.title === "Loop") await cairn.own.objects.patch("notes", event.id, { text: "looped" });
  });
}`;
const chain = (own: string) => `export function register(cairn) {
  cairn.reaction("ping", async (call, event) => {
    await cairn.own.objects.create("${own}", { title: "from ${own}" });
  });
}`;

let server: Server;
const notes = "/api/collections/notes";

before(async () => {
  server = await startServer({ settings: { jobs: { runInServer: false }, api: { rateLimit: 0 } } });
  const folder = join(server.dataDir, "extensions");
  const events = ["object.created", "object.updated", "object.deleted", "import.created"];
  writeExtension(folder, {
    id: "acme/watch",
    manifest: {
      permissions: { collections: { seen: ["create"], notes: ["read", "update"] }, jobs: true },
      contributes: { schedules: [{ name: "later" }], reactions: [{ name: "note", events, collections: ["notes"] }] },
    },
    files: { "index.ts": code },
  });
  for (const [id, from, to] of [
    ["acme/ping", "pings", "pongs"],
    ["acme/pong", "pongs", "pings"],
  ] as const)
    writeExtension(folder, {
      id,
      manifest: {
        permissions: { collections: { [to]: ["create"] } },
        contributes: { reactions: [{ name: "ping", events: ["object.created"], collections: [from] }] },
      },
      files: { "index.ts": chain(to) },
    });
  const text = { type: "string", field: "text" };
  await server.makeSchema({ id: "note", properties: { title: text, text }, index: ["title", "text"] });
  for (const id of ["notes", "seen", "pings", "pongs"]) await server.makeCollection({ id, schema: "note" });
  await enableExtension(server, "acme/watch");
});
after(() => server.stop());

interface Seen {
  type: string;
  id?: string;
  ids?: string[];
}

async function seen(): Promise<Seen[]> {
  const { body } = await server.request("GET", "/api/collections/seen?limit=1000&sort=created&order=asc");
  return body.data.map(({ text }: { text: string }) => JSON.parse(text));
}
const typesOf = async (id: string) => (await seen()).filter((one) => one.id === id).map(({ type }) => type);
const create = (id: string, title = id) => server.request("POST", notes, { body: { id, title } });

test("EXT-94 events are stored with their write: none is lost when the process is killed", async () => {
  const ids = Array.from({ length: 30 }, (_, at) => `kill-${at}`);
  for (const id of ids) assert.equal((await create(id)).status, 201);
  assert.equal((await create("kill-0")).status, 400);
  assert.deepEqual(await seen(), []);
  await server.setSetting("jobs.runInServer", true);
  await server.kill();
  await server.restart();
  await becomes(async () => new Set((await seen()).map(({ id }) => id)).size, 30);
});

test("EXT-95 events of one object are seen in order, those of an import together", async () => {
  await create("first");
  for (const text of ["a", "b"]) await server.request("PATCH", `${notes}/first`, { body: { text } });
  await server.request("DELETE", `${notes}/first`);
  await until(async () => (await typesOf("first")).length === 4);
  assert.deepEqual(await typesOf("first"), ["object.created", "object.updated", "object.updated", "object.deleted"]);
  const rows = Array.from({ length: 150 }, (_, at) => ({ id: `row-${at}`, title: "Row" }));
  await server.request("POST", "/api/import/collections/notes/json", { body: rows });
  const batches = async () => (await seen()).flatMap(({ type, ids }) => (type === "import.created" ? [ids ?? []] : []));
  await becomes(async () => (await batches()).flat().length, 150);
  assert.ok((await batches()).every((ids) => ids.length <= 100));
});

test("EXT-96 a reaction that fails is tried again, and does not hold up other objects", async () => {
  await create("slow", "Fail 1");
  await server.request("PATCH", `${notes}/slow`, { body: { text: "later" } });
  await create("quick");
  await until(async () => (await typesOf("quick")).length === 1);
  await until(async () => (await typesOf("slow")).length === 2);
  assert.deepEqual(await typesOf("slow"), ["object.created", "object.updated"]);
});

test("EXT-97 none reacts to its own write, and a chain of several ends", async () => {
  await create("loop", "Loop");
  await until(async () => (await server.request("GET", `${notes}/loop`)).body.data.text === "looped");
  for (const id of ["acme/ping", "acme/pong"]) await enableExtension(server, id);
  await server.request("POST", "/api/collections/pings", { body: { title: "start" } });
  const count = async (name: string) =>
    Number((await server.request("GET", `/api/collections/${name}?limit=1`)).headers.get("x-total-count"));
  await becomes(async () => [await count("pings"), await count("pongs")], [3, 3]);
  await create("after");
  await until(async () => (await typesOf("after")).length === 1);
  assert.deepEqual([await count("pings"), await count("pongs")], [3, 3]);
  assert.deepEqual(await typesOf("loop"), ["object.created"]);
});

test("EXT-98 code orders a run of its schedule, and writes under a precondition", async () => {
  await create("order", "Order");
  await until(async () => (await typesOf("order")).includes("schedule"));
  const found = (await seen()).find(({ type, id }) => type === "schedule" && id === "order");
  assert.deepEqual(found, { type: "schedule", id: "order", stale: 412 });
  assert.equal((await server.request("GET", `${notes}/order`)).body.data.text, "ordered");
});
