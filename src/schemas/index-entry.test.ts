import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "#contract/json.ts";
import { build, schemaOf } from "./build.fixture.ts";
import { changedEntry, indexEntry, shownValue } from "./index-entry.ts";

const schema = schemaOf(
  {
    title: { type: "string" },
    body: { field: "styledtext" },
    tags: { type: "list" },
    mixed: { type: "array" },
    image: { type: "image" },
    price: { type: "number" },
    deck: { field: "deck", schemaref: "item" },
    draft: { type: "boolean" },
    hidden: { type: "string" },
    secret: { type: "password" },
  },
  { index: ["id", "price", "title", "body", "tags", "mixed", "image", "deck", "secret"] },
  { item: { note: { type: "string" }, pin: { type: "password" } } },
);

const { document } = build(schema, {
  title: "Große Töne",
  body: "<p>One&nbsp;<b>Two</b></p>",
  tags: ["Alpha", "Beta"],
  mixed: ["X", 1, true, null, {}],
  image: { name: "Photo.jpg", alt: "A Hill" },
  price: 5,
  deck: [{ id: "a", note: "Noted" }],
  hidden: "unseen",
  secret: "pass",
});

test("FLD-62 the entry holds the indexed properties in the order of the index", () => {
  const { body, tags, mixed, image, deck, title } = document;
  const entry = JSON.parse(indexEntry(schema, document).idx) as JsonObject;
  assert.deepEqual(Object.fromEntries(Object.entries(entry).map(([name, kept]) => [name, shownValue(kept)])), {
    id: "x",
    price: 5,
    title,
    body,
    tags,
    mixed,
    image,
    deck,
  });
  assert.deepEqual(Object.keys(JSON.parse(indexEntry(schema, document).idx)), [
    "id",
    "price",
    "title",
    "body",
    "tags",
    "mixed",
    "image",
    "deck",
  ]);
});

test("FLD-63 nested keys of a value keep their order, whatever the database does with the keys of objects", () => {
  const json = schemaOf({ data: { type: "json" } }, { index: ["id", "data"] });
  const sorted = (value: Json): Json => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(sorted);
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map((key) => [key, sorted(value[key] as Json)]));
  };
  for (const data of [
    { b: 1, a: 2 },
    [{ z: { y: 1, x: [{ b: 1, a: 2 }] } }],
    { "": "text" },
    { "": { "": '"' } },
    { only: [] },
    {},
    [1, "", null],
    "text",
    '{"a":1}',
    null,
  ]) {
    const { idx } = indexEntry(json, { id: "x", data });
    const stored = (sorted(JSON.parse(idx)) as JsonObject).data as Json;
    assert.equal(JSON.stringify(shownValue(stored)), JSON.stringify(data));
  }
});

test("FLD-61 texts and lists of texts are folded for filters", () => {
  assert.deepEqual(JSON.parse(indexEntry(schema, document).fold), {
    id: "x",
    title: "große töne",
    body: document.body?.toString().toLowerCase(),
    tags: ["alpha", "beta"],
    mixed: ["x", "1", "true"],
  });
});

test("FLD-62 a draft is marked although the schema does not index it", () => {
  assert.equal(JSON.parse(indexEntry(schema, { ...document, draft: true }).fold).draft, true);
  assert.equal("draft" in JSON.parse(indexEntry(schema, { ...document, draft: false }).fold), false);
});

test("FLD-60 the search text has the title apart, and no tag, no hidden property, no password", () => {
  const { title, body } = indexEntry(schema, document);
  assert.equal(title, "grosse tone");
  assert.equal(body, "x one two alpha beta x 1 true photo jpg a hill noted");
});

test("FLD-64 a change writes only the changed parts of the entry", () => {
  const change = (changes: JsonObject) => {
    const after = { ...document, ...changes };
    return { part: changedEntry(schema, document, after), whole: indexEntry(schema, after) };
  };
  assert.deepEqual(change({ hidden: "other", modified: "later" }).part, {});
  const priced = change({ price: 6 });
  assert.deepEqual(priced.part, { idx: priced.whole.idx });
  for (const changes of [{ draft: true }, { draft: true, price: 6 }]) {
    const { part, whole } = change(changes);
    assert.deepEqual(part, { idx: whole.idx, fold: whole.fold });
  }
  for (const changes of [{ title: "Other" }, { tags: ["Gamma"] }, { deck: [] }, { price: 6, body: "" }]) {
    const { part, whole } = change(changes);
    assert.deepEqual(part, whole);
  }
});
