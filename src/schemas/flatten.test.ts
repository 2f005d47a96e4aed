import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "#base/patience.fixture.ts";
import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";
import { flattenSchema } from "./build.fixture.ts";
import { builtInSchemas } from "./builtin/all.ts";
import type { FlatSchema } from "./types.ts";

function schema(id: string, properties: SchemaRecord["properties"], more: Partial<SchemaRecord> = {}): SchemaRecord {
  return { id, properties, required: [], index: [], ...more };
}

function flatten(record: SchemaRecord, ...others: SchemaRecord[]): FlatSchema {
  return flattenSchema(record, (id) => others.find((known) => known.id === id));
}

function typeOf(definition: PropertyDefinition): string | undefined {
  return flatten(schema("a", { p: definition })).properties.get("p")?.kind.type;
}

test("SCH-37 id comes first, also where the schema defines it last or not at all", () => {
  assert.deepEqual([...flatten(schema("a", { title: {}, id: { field: "id" } })).properties.keys()], ["id", "title"]);
  const flat = flatten(schema("a", { title: {} }));
  assert.deepEqual(Object.keys(flat.record.properties), ["id", "title"]);
  assert.equal(flat.properties.get("id")?.isRequired, true);
});

test("SCH-30 whatever says password in any place is a password, and nothing else beside it changes that (T4)", () => {
  for (const definition of [
    { type: "password" },
    { field: "password" },
    { $ref: "password" },
    { $ref: "https://x.test/a/password.json", type: "string", field: "text" },
    { type: "password", field: "text" },
    { type: "string", field: "password" },
    { type: "image", field: "password" },
    { $ref: "/schemas/properties/image.json", field: "password" },
    { $ref: "/schemas/properties/email.json", type: "password", field: "deck" },
  ] satisfies PropertyDefinition[]) {
    const flat = flatten(schema("a", { p: definition }, { index: ["p", "id"] }));
    const property = flat.properties.get("p");
    assert.equal(property?.isPassword, true, JSON.stringify(definition));
    assert.equal(property.kind.type, "password", JSON.stringify(definition));
    assert.equal(property.isIndexed, false);
    assert.deepEqual(flat.index, ["id"]);
    assert.deepEqual(flat.record.index, ["id"]);
  }
});

test("SCH-27 a password that is still listed by a parent is left out of the index", () => {
  const parent = schema("parent", { code: { type: "string" } }, { index: ["code"] });
  const child = schema(
    "child",
    { code: { type: "password" }, title: {} },
    { inheritFrom: ["parent"], index: ["title"] },
  );
  assert.deepEqual(flatten(child, parent).index, ["title"]);
});

test("SCH-31 a reference is read by its last segment, and one to nothing known is ignored (T25)", () => {
  assert.equal(typeOf({ $ref: "/schemas/properties/email.json" }), "email");
  assert.equal(typeOf({ $ref: "https://elsewhere.test/x/date.json", type: "string" }), "date");
  assert.equal(typeOf({ $ref: "color" }), "color");
  for (const $ref of ["file:///etc/passwd", "../../secrets.json", "#/definitions/x", "__proto__", "toString", ""]) {
    assert.equal(typeOf({ $ref }), "string");
    assert.equal(typeOf({ $ref, type: "number" }), "number");
    assert.equal(typeOf({ $ref, field: "toggle" }), "boolean");
  }
});

test("SCH-36 a general type gives way to a field that says more, a particular one does not", () => {
  assert.equal(typeOf({ type: "array", field: "gallery" }), "gallery");
  assert.equal(typeOf({ type: "object", field: "image" }), "image");
  assert.equal(typeOf({ type: "string", field: "file" }), "file");
  assert.equal(typeOf({ type: "array", field: "list" }), "list");
  assert.equal(typeOf({ type: "array", field: "multiselect" }), "array");
  assert.equal(typeOf({ type: "json", field: "deck" }), "deck");
  assert.equal(typeOf({ type: "object", field: "card" }), "card");
  assert.equal(typeOf({ type: "string", field: "select" }), "string");
  assert.equal(typeOf({ type: "number", field: "text" }), "number");
  assert.equal(typeOf({ field: "made-up" }), "string");
});

test("SCH-32 required: true inside a definition counts", () => {
  const flat = flatten(schema("a", { title: { required: true }, text: {} }, { required: ["id"] }));
  assert.equal(flat.properties.get("title")?.isRequired, true);
  assert.equal(flat.properties.get("text")?.isRequired, false);
  assert.deepEqual(flat.record.required, ["id", "title"]);
});

test("SCH-53 lists from a file lose unknown properties", () => {
  const flat = flatten(schema("a", { title: {} }, { required: ["ghost", "title"], index: ["toString", "title"] }));
  assert.deepEqual([flat.record.required, flat.index], [["title"], ["title"]]);
});

test("SCH-33 cards and decks take their shape from a schema, flattened like any other", () => {
  const parent = schema("base", { street: { required: true } });
  const address = schema("address", { id: { field: "id" }, city: {} }, { inheritFrom: ["base"], required: ["id"] });
  for (const definition of [
    { type: "deck", schemaref: "address" },
    { type: "deck", deckref: "https://x.test/schemas/address.json" },
    { field: "deck", settings: { schemaref: "/schemas/address.json" } },
    { field: "deck", settings: { deckref: "address" } },
  ] satisfies PropertyDefinition[]) {
    const item = flatten(schema("a", { p: definition }), address, parent).properties.get("p")?.item;
    assert.deepEqual([...(item?.properties.keys() ?? [])], ["id", "city", "street"]);
    assert.equal(item?.properties.get("street")?.isRequired, true);
  }
  const text = flatten(schema("a", { p: { type: "string", schemaref: "address" } }), address, parent);
  assert.equal(text.properties.get("p")?.item, undefined);
});

test("SCH-37 a card never requires an id, and has one only when its schema defines it", () => {
  const withId = schema("with", { id: { field: "id" }, city: {} }, { required: ["id", "city"] });
  const without = schema("without", { city: {} }, { required: ["city"] });
  const flat = flatten(
    schema("a", { b: { type: "card", schemaref: "with" }, c: { type: "card", schemaref: "without" } }),
    withId,
    without,
  );
  const [card, bare] = [flat.properties.get("b")?.item, flat.properties.get("c")?.item];
  assert.equal(card?.properties.get("id")?.isRequired, false);
  assert.deepEqual(card?.record.required, ["city"]);
  assert.deepEqual([...(bare?.properties.keys() ?? [])], ["city"]);
});

test("SCH-34 galleries, depots and decks are left out of items", () => {
  const item = schema("item", {
    id: {},
    g: { type: "gallery" },
    d: { field: "deck" },
    e: { type: "depot" },
    i: { type: "image" },
  });
  const flat = flatten(schema("a", { p: { type: "deck", schemaref: "item" } }), item);
  assert.deepEqual([...(flat.properties.get("p")?.item?.properties.keys() ?? [])], ["id", "i"]);
});

test("SCH-35 a circle of shapes is left open, the same way wherever it is entered", () => {
  const a = schema("a", { b: { type: "card", schemaref: "b" }, title: {} });
  const b = schema("b", { a: { type: "card", schemaref: "a" }, me: { type: "card", schemaref: "b" }, text: {} });
  const c = schema("c", { a: { type: "card", schemaref: "a" } });
  const find = (id: string) => [a, b, c].find((known) => known.id === id);
  const flat = flattenSchema(c, find);
  assert.equal(flat.properties.get("a")?.item?.properties.get("b")?.item, undefined);
  assert.equal(flattenSchema(a, find).properties.get("b")?.item, undefined);
  assert.equal(flattenSchema(c, find).rev, flat.rev);
});

test("SCH-35 shapes that branch at every level are worked out once each", async () => {
  const levels = Array.from({ length: 12 }, (_, level) =>
    schema(
      `l${level}`,
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, { type: "card", schemaref: `l${level + 1}` }])),
    ),
  );
  const work = () => flattenSchema(levels[0] as SchemaRecord, (id) => levels.find((known) => known.id === id));
  assert.ok((await leastTime(1_000, work)) < 1_000);
});

test("SCH-38 the revision moves with the schema, its parents and its shapes, not with the time of a save", () => {
  const child = schema("child", { card: { type: "card", schemaref: "shape" } }, { inheritFrom: ["parent"] });
  const parent = schema("parent", { title: {} });
  const shape = schema("shape", { text: {} });
  const rev = flatten(child, parent, shape).rev;
  assert.match(rev, /^[0-9a-f]{12}$/);
  assert.equal(flatten({ ...child, updated: "2026-01-01T00:00:00.000Z" }, parent, shape).rev, rev);
  assert.notEqual(flatten({ ...child, index: ["title"] }, parent, shape).rev, rev);
  assert.notEqual(flatten(child, schema("parent", { title: { maxLength: 5 } }), shape).rev, rev);
  assert.notEqual(flatten(child, parent, schema("shape", { text: {}, more: {} })).rev, rev);
});

test("SCH-10 the built-in schemas are flattened with a kind for each property", () => {
  const expected =
    "auth automation-trigger automations blog builder-page code color dataviews date depot email feed file gallery image mailer mcp-prompt mcp-prompt-argument mcp-tool number playground preset-item sitemap-meta styledtext svg text toggle url";
  assert.deepEqual([...builtInSchemas.keys()].sort(), expected.split(" "));
  for (const record of builtInSchemas.values()) {
    const flat = flattenSchema(record, (id) => builtInSchemas.get(id));
    assert.deepEqual(flat.index, record.index, record.id);
    for (const property of flat.properties.values()) {
      const isContainer = property.kind.type === "deck" || property.kind.type === "card";
      assert.equal(property.item !== undefined, isContainer, `${record.id}.${property.name}`);
    }
  }
});

test("SCH-12 the feature collections have an updated that every save sets", () => {
  for (const id of ["builder-page", "dataviews", "mailer", "mcp-prompt", "automations"]) {
    const updated = builtInSchemas.get(id)?.properties.updated;
    assert.equal(updated?.settings?.onUpdate, true, id);
  }
});

test("SCH-39 labels are made from names where none is given", () => {
  const flat = flatten(schema("a", { firstName: {}, "last-name": { label: "Surname" } }));
  assert.equal(flat.properties.get("firstName")?.label, "First Name");
  assert.equal(flat.properties.get("last-name")?.label, "Surname");
});
