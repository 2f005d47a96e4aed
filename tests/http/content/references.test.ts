// References that are checked when objects are written and deleted, and the index of them.

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { until } from "#base/patience.fixture.ts";
import { engine, type Server, startServer } from "../../harness.ts";
import { type Content, contentOf, text } from "../../support/relations.ts";

let server: Server;
let { get, create, patch, remove, pointing, schema } = {} as Content;

before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  ({ get, create, patch, remove, pointing, schema } = contentOf(server));
});
after(() => server.stop());

test("REL-20 a checked reference to nothing is refused, and what was stored before stays", async () => {
  const checked = { reference: "shelves", onMissing: "refuse" };
  await schema("shelf", { beside: { ...text, ...checked } });
  await schema("page", { shelf: { ...text, ...checked } });
  await schema("book", {
    shelf: { ...text, ...checked },
    others: { type: "list", field: "list", ...checked },
    pages: { type: "deck", field: "deck", deckref: "page" },
  });
  await server.makeCollection({ id: "shelves", schema: "shelf" });
  await server.makeCollection({ id: "books", schema: "book", publicOperations: ["create"] });
  assert.equal((await create("shelves", { id: "top", beside: "top" })).status, 201);
  for (const [body, details] of [
    [{ shelf: "no" }, { shelf: ['There is no object "no" in the collection "shelves".'] }],
    [{ others: ["top", "no"] }, { others: ['There is no object "no" in the collection "shelves".'] }],
    [
      {
        pages: [
          { id: "a", shelf: "top" },
          { id: "b", shelf: "gone" },
        ],
      },
      { "pages.shelf": ['There is no object "gone" in the collection "shelves".'] },
    ],
  ] as const) {
    const refused = await create("books", { id: "one", ...body });
    assert.deepEqual([refused.status, refused.body.error.details], [400, details]);
    assert.equal((await get("books/one")).status, 404);
  }
  assert.equal((await create("books", { id: "one", shelf: "top", others: ["top"] })).status, 201);
  assert.equal((await patch("books/one", { shelf: "no" })).status, 400);
  assert.equal((await get("books/one")).body.data.shelf, "top");
  // Nothing clears it here, so it leads to nothing now.
  assert.equal((await remove("shelves/top")).status, 204);
  assert.equal((await patch("books/one", { title: "One" })).status, 200);
  assert.equal((await patch("books/one", { others: ["top", "none"] })).status, 400);
  // Callers without rights learn no more than that.
  const stranger = await server.request("POST", "/api/collections/books", { key: null, body: { shelf: "no" } });
  assert.deepEqual([stranger.status, stranger.body.error.details], [400, undefined]);
  const bad = {
    id: "bad",
    properties: { a: { ...text, reference: "shelves", onMissing: "never", onDelete: "cascade" } },
  };
  const schemas = await server.request("POST", "/api/schemas", { body: { ...bad, required: [], index: [] } });
  assert.equal(schemas.status, 400, schemas.text);
});

test("SCH-84 a saved schema names the words that have no effect", async () => {
  const properties = {
    a: { ...text, onDelete: "clear", hue: 1 },
    b: { ...text, onDelete: "clear", reference: "shelves" },
  };
  const body = { id: "loose", properties, required: [], index: [], palette: [] };
  const made = await server.request("POST", "/api/schemas", { body });
  const named = "palette;in=body, a.hue;in=body, a.onDelete;in=body";
  assert.deepEqual([made.status, made.headers.get("x-ignored")], [201, named]);
  const saved = await server.request("PUT", "/api/schemas/loose", { body });
  assert.deepEqual([saved.status, saved.headers.get("x-ignored")], [200, named]);
});

test("REL-21 imports and jumpstart check references like other writes", async () => {
  await create("shelves", { id: "low" });
  const rows = [
    { id: "in-1", shelf: "low" },
    { id: "in-2", shelf: "no" },
    { id: "in-3", shelf: "low" },
  ];
  const imported = await server.request("POST", "/api/import/collections/books/json", { body: rows });
  assert.equal(imported.body.data?.errors?.length ?? imported.body.errors?.length, 1, imported.text);
  assert.deepEqual(
    [(await get("books/in-1")).status, (await get("books/in-2")).status, (await get("books/in-3")).status],
    [200, 404, 200],
  );
  assert.deepEqual(await pointing("shelves/low"), ["books/in-1 shelf", "books/in-3 shelf"]);
});

test("REL-21 objects of a jumpstart may refer to each other in any order, and to nothing else", async () => {
  const jumpstart = (objects: object[]) =>
    server.request("POST", "/api/import/jumpstart", { body: { version: "1.0.0", name: "Test", objects } });
  const book = (id: string, shelf: string) => ({ collection: "books", id, data: { shelf } });
  const refused = await jumpstart([
    book("j-1", "fresh"),
    book("j-2", "no"),
    { collection: "shelves", id: "fresh", data: {} },
  ]);
  assert.deepEqual([refused.status, Object.keys(refused.body.error.details)], [422, ["objects.books.j-2.shelf"]]);
  assert.equal((await get("shelves/fresh")).status, 404);
  const made = await jumpstart([
    book("j-1", "fresh"),
    { collection: "shelves", id: "fresh", data: { beside: "fresh" } },
  ]);
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(await pointing("shelves/fresh"), ["books/j-1 shelf", "shelves/fresh beside"]);
});

test("REL-23 a writer that may not read an object gets the same answer as for one that is missing", async () => {
  await schema("client", { draft: { type: "boolean", field: "toggle" } });
  await schema("order", { client: { ...text, reference: "clients", onMissing: "refuse" } });
  await server.makeCollection({ id: "clients", schema: "client" });
  await server.makeCollection({ id: "orders", schema: "order", publicOperations: ["create"] });
  await create("clients", { id: "shown" });
  await create("clients", { id: "hidden", draft: true });
  const { key } = await server.makeKey({ endpoints: ["/collections/orders"] });
  const refusals = async (name: string, caller: string | null) => {
    const { status, body } = await server.request("POST", "/api/collections/orders", {
      key: caller,
      body: { client: name },
    });
    return [status, JSON.stringify(body.error ?? {}).replaceAll(name, "NAME")];
  };
  for (const caller of [key, null]) {
    const missing = await refusals("nobody", caller);
    assert.equal(missing[0], 400);
    for (const name of ["shown", "hidden"])
      assert.deepEqual(await refusals(name, caller), missing, `${name} ${caller}`);
  }
  assert.match(String((await refusals("nobody", key))[1]), /that you may read/);
  await server.request("PATCH", "/api/collections/clients/settings", { body: { publicOperations: ["read"] } });
  for (const caller of [null]) {
    assert.equal((await refusals("shown", caller))[0], 201);
    assert.deepEqual(await refusals("hidden", caller), await refusals("nobody", caller));
  }
  assert.equal((await create("orders", { client: "hidden" })).status, 201);
});

test("REL-22 of a checked write and a deletion at the same moment one fails", async () => {
  await schema("slot", { shelf: { ...text, reference: "shelves", onMissing: "refuse", onDelete: "refuse" } });
  await server.makeCollection({ id: "slots", schema: "slot" });
  for (let round = 0; round < 10; round += 1) {
    await create("shelves", { id: `r${round}` });
    const [written, deleted] = await Promise.all([
      create("slots", { id: `s${round}`, shelf: `r${round}` }),
      remove(`shelves/r${round}`),
    ]);
    const isKept = written.status === 201;
    assert.deepEqual([written.status, deleted.status], isKept ? [201, 409] : [400, 204]);
    assert.equal((await get(`shelves/r${round}`)).status, isKept ? 200 : 404);
  }
});

test("REL-46 a deletion waits for writes that point to its object, and finds them", async () => {
  await schema("pin", { board: { ...text, reference: "boards", onDelete: "refuse" } });
  await schema("board", {});
  await server.makeCollection({ id: "pins", schema: "pin" });
  await server.makeCollection({ id: "boards", schema: "board" });
  await create("pins", { id: "changed", board: "none" });
  for (const [board, write] of [
    ["b1", () => create("pins", { id: "made", board: "b1" })],
    ["b2", () => patch("pins/changed", { board: "b2" })],
  ] as const) {
    await create("boards", { id: board });
    // The write has stored its reference, and cannot be counted yet: it is open.
    const counters = await holdCounters();
    const writing = write();
    await counters.waiting(1);
    const deleting = remove(`boards/${board}`);
    await counters.waiting(2);
    await counters.release();
    assert.ok([200, 201].includes((await writing).status));
    assert.equal((await deleting).status, 409);
    assert.equal((await get(`boards/${board}`)).status, 200);
  }
  await patch("pins/made", { board: "gone" });
  assert.equal((await remove("boards/b1")).status, 204);
  // Nothing checks it: a write after the deletion is stored.
  assert.equal((await patch("pins/made", { board: "b1" })).status, 200);
});

/** Where several writers work at a time: none of them ends until the counters are released. */
async function holdCounters() {
  if (engine === "sqlite") return { waiting: async () => {}, release: async () => {} };
  const client = new Client({ connectionString: server.env.CAIRN_DATABASE_URL });
  await client.connect();
  await client.query("BEGIN; LOCK TABLE counts IN SHARE ROW EXCLUSIVE MODE");
  const sql = `SELECT count(DISTINCT l.pid)::int AS n FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE NOT l.granted AND a.datname = current_database() AND a.query NOT LIKE '%DELETE FROM counts%'`;
  return {
    waiting: (count: number) =>
      until(
        async () => (await client.query(sql)).rows[0].n as number,
        (n) => n >= count,
      ),
    release: () => client.end(),
  };
}

test("REL-32 the list follows writes, changes of the schema and deleted collections", async () => {
  await schema("tree", {});
  await schema("leaf", { tree: text });
  await server.makeCollection({ id: "trees", schema: "tree" });
  await server.makeCollection({ id: "leaves", schema: "leaf" });
  await create("trees", { id: "oak" });
  await create("trees", { id: "elm" });
  await create("leaves", { id: "a", tree: "oak" });
  assert.deepEqual(await pointing("trees/oak"), []);
  const change = (properties: object) =>
    server.request("PUT", "/api/schemas/leaf", {
      body: { id: "leaf", properties: { title: text, ...properties }, required: [], index: ["title"] },
    });
  assert.equal((await change({ tree: { ...text, reference: "trees" } })).status, 200);
  assert.deepEqual(await pointing("trees/oak"), ["leaves/a tree"]);
  await patch("leaves/a", { tree: "elm" });
  assert.deepEqual([await pointing("trees/oak"), await pointing("trees/elm")], [[], ["leaves/a tree"]]);
  await remove("leaves/a");
  assert.deepEqual(await pointing("trees/elm"), []);
  await create("leaves", { id: "b", tree: "elm" });
  assert.equal((await change({ tree: text })).status, 200);
  assert.deepEqual(await pointing("trees/elm"), []);
  await change({ tree: { ...text, reference: "trees", onDelete: "refuse" } });
  assert.equal((await server.request("DELETE", "/api/collections/trees?confirm=trees")).status, 409);
  assert.equal((await server.request("DELETE", "/api/collections/leaves?confirm=leaves")).status, 204);
  await server.makeCollection({ id: "leaves", schema: "leaf" });
  assert.deepEqual(await pointing("trees/elm"), []);
  assert.equal((await server.request("DELETE", "/api/collections/trees?confirm=trees")).status, 204);
});

test("REL-40 an object that others need is kept, and they are named to callers that may read them", async () => {
  await schema("bay", { dock: { ...text, reference: "docks", onDelete: "refuse" } });
  await schema("dock", {});
  await server.makeCollection({ id: "docks", schema: "dock" });
  await server.makeCollection({ id: "bays", schema: "bay" });
  await create("docks", { id: "west" });
  await create("bays", { id: "one", dock: "west" });
  const refused = await remove("docks/west");
  assert.deepEqual([refused.status, refused.body.error.details], [409, { references: ["bays/one (dock)"] }]);
  const { key } = await server.makeKey({ methods: ["DELETE", "GET"], endpoints: ["/collections/docks"] });
  const counted = await remove("docks/west", key);
  assert.equal(counted.status, 409);
  assert.doesNotMatch(counted.text, /bays/);
  assert.match(counted.body.error.message, /1 that you may not read/);
  assert.equal((await get("docks/west")).status, 200);
  await patch("bays/one", { dock: null });
  assert.equal((await remove("docks/west")).status, 204);
});

test("REL-41, REL-42 references are cleared with the object, each as a change, or nothing is", async () => {
  const cleared = { reference: "tags", onDelete: "clear" };
  await schema("tag", {});
  await schema("mark", { tag: { ...text, ...cleared } });
  await schema("post", {
    tag: { ...text, ...cleared },
    tags: { type: "list", field: "list", ...cleared },
    marks: { type: "deck", field: "deck", deckref: "mark" },
  });
  await server.makeSchema({
    id: "label",
    properties: { tag: { ...text, ...cleared } },
    required: ["tag"],
    index: [],
  });
  await server.makeCollection({ id: "tags", schema: "tag" });
  await server.makeCollection({ id: "posts", schema: "post" });
  await server.makeCollection({ id: "labels", schema: "label" });
  for (const id of ["red", "blue", "green"]) await create("tags", { id });
  await create("posts", {
    id: "p",
    tag: "red",
    tags: ["red", "blue"],
    marks: [
      { id: "m", title: "Kept", tag: "red" },
      { id: "n", tag: "blue" },
    ],
  });
  const before = await get("posts/p");
  const { key } = await server.makeKey({ methods: ["DELETE"], endpoints: ["/collections/tags"] });
  assert.equal((await remove("tags/red", key)).status, 204);
  const after = await get("posts/p");
  const { tag = null, tags, marks, modified } = after.body.data;
  assert.deepEqual([tag || null, tags], [null, ["blue"]]);
  assert.deepEqual(
    marks.map((mark: Record<string, unknown>) => [mark.id, mark.title ?? "", mark.tag || null]),
    [
      ["m", "Kept", null],
      ["n", "", "blue"],
    ],
  );
  assert.ok(modified > before.body.data.modified);
  assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
  assert.deepEqual(await pointing("tags/blue"), ["posts/p marks.tag", "posts/p tags"]);
  await create("labels", { id: "l", tag: "blue" });
  const needed = await remove("tags/blue");
  assert.deepEqual([needed.status, needed.body.error.details], [409, { references: ["labels/l (tag)"] }]);
  assert.deepEqual((await get("posts/p")).body.data.tags, ["blue"]);
  const many = Array.from({ length: 101 }, (_, at) => ({ id: `many-${at}`, tag: "green" }));
  await server.request("POST", "/api/import/collections/posts/json", { body: many });
  const refused = await remove("tags/green");
  assert.deepEqual([refused.status, /More than 100/.test(refused.text)], [409, true]);
  assert.equal((await get("posts/many-3")).body.data.tag, "green");
});

test("REL-43 a bulk deletion keeps what others need, and says so", async () => {
  await create("docks", { id: "east" });
  await create("docks", { id: "north" });
  await create("bays", { id: "two", dock: "east" });
  const answer = await server.request("POST", "/api/bulk/docks", {
    body: { operation: "delete", ids: ["east", "north"], expect: 2 },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.data.done, answer.body.data.failed.map(({ id }: { id: string }) => id)], [1, ["east"]]);
});

test("REL-45 a collection is deleted with the references to it, or kept while others need its objects", async () => {
  const cleared = { reference: "inks", onDelete: "clear" };
  await schema("ink", {});
  await schema("sheet", { ink: { ...text, ...cleared }, inks: { type: "list", field: "list", ...cleared } });
  await schema("pen", { ink: { ...text, reference: "inks", onDelete: "refuse" } });
  await server.makeSchema({ id: "seal", properties: { ink: { ...text, ...cleared } }, required: ["ink"], index: [] });
  await server.makeCollection({ id: "inks", schema: "ink" });
  for (const id of ["sheet", "pen", "seal"]) await server.makeCollection({ id: `${id}s`, schema: id });
  for (const id of ["red", "blue"]) await create("inks", { id });
  const sheets = Array.from({ length: 130 }, (_, at) => ({ id: `s${at}`, ink: "red", inks: ["red", "blue"] }));
  await server.request("POST", "/api/import/collections/sheets/json", { body: sheets });
  await create("pens", { id: "one", ink: "red" });
  await create("seals", { id: "one", ink: "blue" });
  const drop = () => server.request("DELETE", "/api/collections/inks?confirm=inks");
  const kept = await drop();
  assert.deepEqual([kept.status, kept.body.error.details], [409, { references: ["pens (ink)", "seals (ink)"] }]);
  assert.equal((await get("inks/red")).status, 200);
  await remove("pens/one");
  await remove("seals/one");
  const before = await get("sheets/s7");
  const dropped = await drop();
  assert.equal(dropped.status, 204, dropped.text);
  const after = await get("sheets/s7");
  assert.deepEqual([after.body.data.ink || null, after.body.data.inks ?? []], [null, []]);
  assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
  const left = (await server.request("GET", "/api/collections/sheets?filter[ink]=red")).headers.get("x-total-count");
  assert.equal(left, "0");
});

/** As a release without the index of references has left the data. */
async function forgetReferences(collection: string): Promise<void> {
  const statements = [
    `DELETE FROM object_references WHERE collection = '${collection}'`,
    `UPDATE objects SET schema_rev = 'older' WHERE collection = '${collection}'`,
    `UPDATE collections SET indexed_rev = 'older' WHERE id = '${collection}'`,
  ];
  if (engine === "sqlite") {
    const database = new DatabaseSync(join(server.dataDir, ".system", "cairn.db"), { timeout: 45_000 });
    for (const sql of statements) database.exec(sql);
    database.close();
    return;
  }
  const client = new Client({ connectionString: server.env.CAIRN_DATABASE_URL });
  await client.connect();
  for (const sql of statements) await client.query(sql);
  await client.end();
}

test("REL-32, REL-44 references are indexed again after an upgrade; meanwhile nothing is deleted that may be needed", async () => {
  await create("docks", { id: "south" });
  await create("bays", { id: "three", dock: "south" });
  await forgetReferences("bays");
  const early = await get("docks/south/references");
  assert.deepEqual(early.body, { data: [], meta: { indexing: ["bays"] } });
  const refused = await remove("docks/south");
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  await server.restart();
  await until(async () => (await get("docks/south/references")).body.meta.indexing === undefined);
  assert.deepEqual(await pointing("docks/south"), ["bays/three dock"]);
  assert.equal((await remove("docks/south")).status, 409);
});
