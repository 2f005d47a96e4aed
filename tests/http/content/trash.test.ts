// The trash over HTTP: what was deleted comes back as it was, or is gone for good.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";

let server: Server;
const text = { type: "string", field: "text" };

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await server.makeSchema({
    ...{ id: "note", index: ["title"] },
    properties: { title: text, code: { type: "string", field: "password" }, slug: { ...text, unique: true } },
  });
  await server.makeCollection({ id: "notes", schema: "note", history: "full" });
});
after(() => server.stop());

type Body = Record<string, unknown>;
const send = (method: string, path: string, body?: Body): Promise<Answer> =>
  server.request(method, `/api${path}`, body && { body });
const create = (body: Body, collection = "notes") => send("POST", `/collections/${collection}`, body);
const remove = (path: string) => send("DELETE", `/collections/${path}`);
const trashOf = async (collection: string) => (await send("GET", `/trash?collection=${collection}`)).body.data;

test("TRA-2 COL-18 a deleted object is in the trash until it comes back: with its search text, counters and the next revision", async () => {
  const made = await create({ id: "one", title: "Unmistakable", code: "sesame", slug: "s1" });
  assert.equal((await remove("notes/one")).status, 204);
  const [entry] = await trashOf("notes");
  assert.deepEqual([entry.id, entry.title, entry.by.door], ["one", "Unmistakable", "api"]);
  assert.equal(Date.parse(entry.until) - Date.parse(entry.deleted), 30 * 86_400_000);
  const back = await send("POST", `/trash/${entry.change}/restore`);
  assert.equal(back.status, 200);
  const { modified: _, ...same } = made.body.data;
  const { modified, ...restored } = back.body.data;
  assert.deepEqual(restored, same);
  assert.ok(modified > made.body.data.modified);
  const [rid, rev] = (back.headers.get("etag") ?? "").split("-");
  assert.deepEqual([rid, rev], [made.headers.get("etag")?.split("-")[0], "3"]);
  assert.deepEqual(await trashOf("notes"), []);
  const found = await send("GET", "/collections/notes?search=unmistakable");
  assert.equal(found.body.data.length, 1);
  const { count, totalObjects } = (await send("GET", "/collections/notes/settings")).body.data;
  assert.deepEqual([count, totalObjects], [1, 1]);
  assert.equal((await send("POST", `/trash/${entry.change}/restore`)).status, 400);
  const { data } = (await send("GET", "/history/notes/one")).body;
  assert.deepEqual(
    data.map(({ kind }: Body) => kind),
    ["restore", "delete", "create"],
  );
});

test("TRA-3 an id that is taken is refused, another id is possible, and unique values stay unique", async () => {
  await create({ id: "two", title: "Old", slug: "s2" });
  await remove("notes/two");
  await create({ id: "two", title: "New", slug: "s3" });
  const [entry] = await trashOf("notes");
  const restore = (body?: Body) => send("POST", `/trash/${entry.change}/restore`, body);
  const taken = await restore();
  assert.deepEqual([taken.status, Object.keys(taken.body.error.details)], [400, ["id"]]);
  assert.equal((await restore({ id: 5 })).status, 400);
  await send("PATCH", "/collections/notes/two", { slug: "s2" });
  assert.equal((await restore({ id: "twice" })).status, 400);
  await send("PATCH", "/collections/notes/two", { slug: "s3" });
  const back = await restore({ id: "twice" });
  assert.deepEqual([back.status, back.body.data.id, back.body.data.title], [200, "twice", "Old"]);
  assert.equal((await send("GET", "/history/notes/twice")).body.data.length, 3);
});

test("TRA-4 a purge keeps nothing, in the deletion itself or from the trash, one by one or all of a collection", async () => {
  const ids = ["p1", "p2", "p3", "p4"];
  for (const id of ids) await create({ id, title: id, slug: id });
  await remove("notes/p1?purge=true");
  assert.deepEqual(await trashOf("notes"), []);
  for (const id of ids.slice(1)) await remove(`notes/${id}`);
  const entries = await trashOf("notes");
  assert.deepEqual(
    entries.map(({ id }: Body) => id),
    ["p4", "p3", "p2"],
  );
  const page = (await send("GET", "/trash?limit=2")).body;
  const rest = (await send("GET", `/trash?limit=2&cursor=${page.meta.cursor}`)).body;
  assert.deepEqual([...page.data, ...rest.data], entries);
  assert.equal((await send("DELETE", `/trash/${entries[0].change}`)).status, 204);
  assert.equal((await send("DELETE", `/trash/${entries[0].change}`)).status, 404);
  assert.equal((await send("POST", `/trash/${entries[0].change}/restore`)).status, 404);
  assert.equal((await send("DELETE", "/trash?collection=notes")).status, 400);
  assert.equal((await send("DELETE", "/trash")).status, 400);
  assert.equal((await send("DELETE", "/trash?collection=notes&confirm=notes")).status, 204);
  assert.deepEqual(await trashOf("notes"), []);
});

test("TRA-5 a deleted collection comes back with its settings, its schema if that is gone, and its objects", async () => {
  await server.makeSchema({ id: "leaf", properties: { title: text } });
  await server.makeCollection({ id: "leaves", schema: "leaf", name: "Leaves", history: "full" });
  for (let number = 0; number < 120; number += 1) await create({ id: `l${number}`, title: `Leaf ${number}` }, "leaves");
  assert.equal((await remove("leaves?confirm=leaves")).status, 204);
  assert.equal((await send("DELETE", "/schemas/leaf")).status, 204);
  const trash = (await send("GET", "/trash?collection=leaves&limit=100")).body;
  assert.equal(trash.data.length, 100);
  assert.equal((await send("POST", `/trash/${trash.data[0].change}/restore`)).status, 400);
  const rest = (await send("GET", `/trash?collection=leaves&limit=100&cursor=${trash.meta.cursor}`)).body;
  const whole = rest.data.at(-1);
  assert.deepEqual([rest.data.length, whole.id, whole.title], [21, "", "Leaves"]);
  const started = await send("POST", `/trash/${whole.change}/restore`);
  assert.deepEqual([started.status, typeof started.body.data.job], [202, "string"]);
  const count = async () => (await send("GET", "/collections/leaves/settings")).body.data?.totalObjects;
  await until(async () => (await count()) === 120);
  assert.equal((await send("GET", "/collections/leaves/settings")).body.data.name, "Leaves");
  assert.equal((await send("GET", "/collections/leaves/l7")).body.data.title, "Leaf 7");
  assert.deepEqual(await trashOf("leaves"), []);
  const [last] = (await send("GET", "/history/leaves/l7")).body.data;
  assert.deepEqual([last.kind, last.by.door, typeof last.by.run], ["restore", "api", "string"]);
});
