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
