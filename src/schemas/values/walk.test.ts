import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#contract/json.ts";
import { schemaOf } from "#schemas/build.fixture.ts";
import type { Property } from "#schemas/types.ts";
import { eachShape, followPath, mapShapes, shapesOf } from "./walk.ts";

const address = { city: { type: "string" }, map: { type: "image" } };
const schema = schemaOf(
  {
    title: { type: "string" },
    home: { field: "card", schemaref: "address" },
    lines: { field: "deck", schemaref: "line" },
  },
  {},
  { address, line: { name: { type: "string" }, place: { field: "card", schemaref: "address" } } },
);
const property = (name: string) => schema.properties.get(name) as Property;

const list = [{ id: "a", name: "A" }, "no item", { name: "without id" }, { id: 7, name: "seven" }];
const keyed = { a: { id: "other", name: "A" }, b: 1 };

test("FLD-28 a deck is a list of items, or an object whose keys are the ids", () => {
  const ids = (value: typeof list | typeof keyed) => shapesOf(property("lines"), value).map(({ id }) => id);
  assert.deepEqual(ids(list), ["a", undefined, "7"]);
  assert.deepEqual(ids(keyed), ["a"]);
  assert.deepEqual(shapesOf(property("lines"), "text"), []);
  assert.deepEqual(shapesOf(property("home"), { city: "Bern" }), [{ value: { city: "Bern" }, index: 0 }]);
});

test("FLD-28 changed items are written as they came", () => {
  const mark = ({ value, id = "none" }: { value: JsonObject; id?: string }) => ({ ...value, mark: id });
  assert.deepEqual(mapShapes(property("lines"), list, mark), [
    { id: "a", name: "A", mark: "a" },
    "no item",
    { name: "without id", mark: "none" },
    { id: 7, name: "seven", mark: "7" },
  ]);
  assert.deepEqual(mapShapes(property("lines"), keyed, mark), { a: { id: "other", name: "A", mark: "a" }, b: 1 });
  assert.deepEqual(mapShapes(property("home"), { city: "Bern" }, mark), { city: "Bern", mark: "none" });
  assert.equal(mapShapes(property("home"), "text", mark), "text");
});

test("PF-16 every card and item of a document is visited, with its path", () => {
  const visited: string[] = [];
  const document = { home: { city: "Bern" }, lines: [{ id: "a", place: { city: "Basel" } }, { id: "b" }] };
  eachShape(schema, document, (_schema, _shape, path) => visited.push(path.join("/")));
  assert.deepEqual(visited, ["", "home", "lines/a", "lines/a/place", "lines/b"]);
});

test("PF-16 a path is followed through cards and decks to its property", () => {
  const follow = (path: string) => {
    const { property: found, ...rest } = followPath(schema, path.split("/"));
    return [found?.name, rest.path.join("/"), rest.items.map((item) => item.join("/")).join(), rest.rest.join("/")];
  };
  assert.deepEqual(follow("home/map/a.jpg"), ["map", "home/map", "", "a.jpg"]);
  assert.deepEqual(follow("lines/a/place/map"), ["map", "lines/a/place/map", "lines/a", ""]);
  assert.deepEqual(follow("lines/a"), ["lines", "lines", "", "a"]);
  assert.deepEqual(follow("home"), ["home", "home", "", ""]);
  assert.deepEqual(follow("home/none/x"), [undefined, "home/none", "", "x"]);
  assert.deepEqual(follow("lines/a/none"), [undefined, "lines/a/none", "lines/a", ""]);
});
