import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { CairnError } from "#base/errors.ts";
import type { JsonObject } from "#contract/json.ts";
import { propertyTypes, type SchemaRecord } from "#contract/schemas.ts";
import { builtInSchemas } from "./builtin/all.ts";
import { maxProperties, normaliseSchema, type SaveOptions } from "./normalise-schema.ts";

const now = "2026-01-02T03:04:05.678Z";

function save(more: JsonObject, options: Partial<SaveOptions> = {}): SchemaRecord {
  return normaliseSchema({ id: "thing", properties: {}, ...more }, { find: () => undefined, now, ...options });
}

function saveProperty(definition: JsonObject) {
  return save({ properties: { id: {}, p: definition } }).properties.p;
}

function detailsOf(more: JsonObject, options: Partial<SaveOptions> = {}): Record<string, string[]> {
  try {
    save(more, options);
  } catch (error) {
    assert.equal((error as CairnError).status, 400);
    return (error as CairnError).details ?? {};
  }
  return assert.fail("it was saved");
}

test("SCH-50 a property without a type gets that of its field, as a reference where there is one", () => {
  const ref = (name: string) => ({ $ref: `/schemas/properties/${name}.json` });
  assert.deepEqual(saveProperty({}), { type: "string" });
  assert.deepEqual(saveProperty({ field: "textarea" }), { type: "string", field: "textarea" });
  assert.deepEqual(saveProperty({ field: "price" }), { type: "number", field: "price" });
  assert.deepEqual(saveProperty({ field: "checklist" }), { type: "array", field: "checklist" });
  assert.deepEqual(saveProperty({ field: "datetime" }), { ...ref("date"), field: "datetime" });
  assert.deepEqual(saveProperty({ field: "made-up" }), { type: "string", field: "made-up" });
});

test("SCH-51 a type with a shared definition is stored as a reference to it", () => {
  assert.deepEqual(saveProperty({ type: "image", label: "I" }), { $ref: "/schemas/properties/image.json", label: "I" });
  assert.deepEqual(saveProperty({ type: "integer" }), { type: "integer" });
  assert.deepEqual(saveProperty({ $ref: "https://x.test/email.json", label: "E" }), {
    $ref: "https://x.test/email.json",
    label: "E",
  });
});

test("SCH-52 defaults of switches that are given as text become booleans", () => {
  assert.equal(saveProperty({ field: "toggle", default: "1" })?.default, true);
  assert.equal(saveProperty({ type: "boolean", default: "false" })?.default, false);
  assert.equal(saveProperty({ type: "string", default: "1" })?.default, "1");
});

test("SCH-53 required and index lose unknown properties, and gain id", () => {
  const parent: SchemaRecord = { id: "parent", properties: { date: { type: "date" } }, required: [], index: [] };
  const record = save(
    {
      inheritFrom: ["parent", "nobody"],
      properties: { title: {} },
      required: ["title", "ghost"],
      index: ["date", "toString"],
    },
    { find: (id) => (id === "parent" ? parent : undefined) },
  );
  assert.deepEqual(record.required, ["title", "id"]);
  assert.deepEqual(record.index, ["date", "id"]);
});

test("SCH-27 passwords of every spelling are taken out of index, inherited ones too (T26)", () => {
  const parent: SchemaRecord = { id: "parent", properties: { pin: { field: "password" } }, required: [], index: [] };
  const record = save(
    {
      inheritFrom: ["parent"],
      properties: {
        a: { type: "password" },
        b: { type: "string", field: "password" },
        c: { $ref: "https://x.test/password.json", type: "string", field: "text" },
        d: { type: "password", field: "text" },
        e: {},
      },
      index: ["a", "b", "c", "d", "e", "pin"],
    },
    { find: (id) => (id === "parent" ? parent : undefined) },
  );
  assert.deepEqual(record.index, ["e", "id"]);
});

test("SCH-83 words that look like known ones, and numbers that cannot be computed, are refused by name", () => {
  const properties = { id: {}, title: { maxlength: 3, requierd: true }, sum: { settings: { calc: "1 +* 2" } } };
  const sent = { properties, requird: ["title"], index: ["titel"], formgrid: "titlee sum" };
  const details = detailsOf(sent);
  assert.deepEqual(Object.keys(details).sort(), ["formgrid", "index", "requird", "sum", "title"]);
  assert.match(String(details.title), /"maxLength".*"required"/);
  const before = { ...sent, id: "thing", required: [] } as unknown as SchemaRecord;
  assert.equal(save(sent, { find: (id) => (id === "thing" ? before : undefined) }).id, "thing");
  assert.equal(save(sent, { isTrusted: true }).id, "thing");
  const kept = { id: {}, title: { type: "string", somethingElse: 1 } };
  assert.equal(save({ properties: kept, formgrid: "title . other", index: ["other"] }).id, "thing");
  const former = { id: "thing", properties: { ...kept, tidle: {} }, required: [], index: [] } as SchemaRecord;
  const left = { properties: kept, index: ["tidle"], formgrid: "title tidle" };
  assert.deepEqual(save(left, { find: (id) => (id === "thing" ? former : undefined) }).index, ["id"]);
});

test("SCH-83 a card or deck that is shaped as in JSON Schema is refused, with the way to shape it", () => {
  const shape = { properties: { name: { type: "string" } } };
  const decks = { type: "deck", items: shape };
  const cards = { field: "card", ...shape };
  const details = detailsOf({ properties: { id: {}, decks, cards, list: { type: "array", items: shape } } });
  assert.deepEqual(Object.keys(details).sort(), ["cards", "decks"]);
  assert.match(String(details.decks), /^items does not shape it: .*schemaref/);
  const shaped = { id: {}, decks: { type: "deck", schemaref: "line", items: shape } };
  assert.equal(save({ properties: shaped }).id, "thing");
  const before = { id: "thing", properties: { id: {}, decks }, required: [], index: [] } as unknown as SchemaRecord;
  const again = { properties: { id: {}, decks } };
  assert.equal(save(again, { find: (id) => (id === "thing" ? before : undefined) }).id, "thing");
});

test("SCH-54 a schema with no id property, own or inherited, gets one", () => {
  const parent: SchemaRecord = { id: "parent", properties: { id: { field: "id" } }, required: [], index: [] };
  assert.deepEqual(Object.keys(save({ properties: { title: {} } }).properties), ["id", "title"]);
  const child = { inheritFrom: ["parent"], properties: { title: {} } };
  assert.deepEqual(Object.keys(save(child, { find: () => parent }).properties), ["title"]);
});

test("SCH-55 each keyword must have a value of its kind, and all errors are reported at once", () => {
  const wrong: [string, JsonObject][] = [
    ["type", { type: "markdown" }],
    ["type", { type: ["string"] }],
    ["minLength", { minLength: -1 }],
    ["minLength", { minLength: 1.5 }],
    ["maxItems", { maxItems: "3" }],
    ["minimum", { minimum: "1" }],
    ["multipleOf", { multipleOf: 0 }],
    ["enum", { enum: [] }],
    ["uniqueItems", { uniqueItems: "yes" }],
    ["unique", { unique: 1 }],
    ["required", { required: "yes" }],
    ["label", { label: {} }],
    ["settings", { settings: [] }],
    ["options", { options: "a,b" }],
    ["items.minLength", { type: "array", items: { minLength: "x" } }],
    ["properties.a.items.pattern", { type: "object", properties: { a: { items: { pattern: 1 } } } }],
    ["anyOf.1.maximum", { anyOf: [{ maximum: 1 }, { maximum: "1" }] }],
  ];
  const properties = Object.fromEntries(wrong.map(([, definition], position) => [`p${position}`, definition]));
  const details = detailsOf({ properties });
  for (const [position, [keyword]] of wrong.entries()) {
    const messages = details[`p${position}`];
    assert.equal(messages?.length, 1, `p${position}`);
    assert.ok(messages[0]?.startsWith(`${keyword} must be`), messages[0]);
  }
});

test("SCH-56 a pattern that cannot be matched in linear time is refused, wherever it hides (T11)", () => {
  for (const hidden of [
    { pattern: "(a)\\1" },
    { pattern: "(?=a)b" },
    { pattern: "(" },
    { pattern: "a".repeat(2_000) },
    { type: "array", items: { pattern: "(?<!a)b" } },
    { type: "object", patternProperties: { "(?=x)": {} } },
    { type: "json", allOf: [{ not: { propertyNames: { pattern: "(a)\\1" } } }] },
  ]) {
    assert.match(detailsOf({ properties: { p: hidden } }).p?.[0] ?? "", /pattern.* cannot be used: ./i);
  }
  assert.equal(saveProperty({ pattern: "^(a+)+$" })?.pattern, "^(a+)+$");
});

test("SCH-57 property names start with a letter and hold letters, digits, _ and - (T9)", () => {
  for (const name of ["1a", "a b", "a.b", "", "_a", "ä", "constructor", "prototype", "a'b", "a".repeat(101)]) {
    assert.ok(detailsOf({ properties: { [name]: {} } })[name], name);
  }
  assert.deepEqual(Object.keys(detailsOf({ properties: JSON.parse('{"__proto__":{}}') })), ["__proto__"]);
  assert.deepEqual(Object.keys(save({ properties: { id: {}, "a-B_9": {} } }).properties), ["id", "a-B_9"]);
});

test("SCH-58 created and modified belong to the service and can only be dates", () => {
  assert.ok(detailsOf({ properties: { created: { type: "string" } } }).created);
  assert.ok(detailsOf({ properties: { modified: { type: "password" } } }).modified);
  assert.ok(save({ properties: { created: { type: "date", settings: { onCreate: true } } } }));
});

test("SCH-59 the record's own fields are checked", () => {
  for (const [field, value] of Object.entries({
    id: "Not A Slug",
    properties: [],
    required: "id",
    index: [1],
    inheritFrom: "blog",
    description: 1,
    additionalProperties: "no",
    mcp: [],
  })) {
    assert.deepEqual(Object.keys(detailsOf({ [field]: value })), [field]);
  }
  for (const id of ["", "../x", "a/b", "ä", "-a", "a-", ".", "a".repeat(101), 5, null]) {
    assert.ok(detailsOf({ id }).id, String(id));
  }
  assert.ok(detailsOf({ inheritFrom: ["thing"] }).inheritFrom);
});

test("SCH-60 a schema has at most 500 properties and 1 MB", () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, {}]));
  assert.ok(detailsOf({ properties: many(maxProperties + 1) }).properties);
  assert.ok(save({ properties: many(maxProperties) }));
  assert.throws(() => save({ description: "x".repeat(1_100_000) }), { word: "too-large" });
});

test("SCH-61 updated is the time of the save, except in a sync, which keeps the sent one", () => {
  const updated = "2020-01-01T00:00:00.000Z";
  assert.equal(save({ updated }).updated, now);
  assert.equal(save({ updated }, { isTrusted: true }).updated, updated);
  assert.equal(save({}, { isTrusted: true }).updated, now);
});

test("SCH-62 only the fields of a schema are stored", () => {
  const record = save({ name: "thing", $id: "http://evil.test/", owner: "me", type: "array" });
  assert.deepEqual(Object.keys(record).sort(), [
    "$id",
    "$schema",
    "description",
    "id",
    "index",
    "properties",
    "required",
    "type",
    "updated",
  ]);
  assert.deepEqual([record.$id, record.type], ["/schemas/thing.json", "object"]);
});

test("SCH-34 galleries, depots and decks cannot be part of a card or deck item, at any depth", () => {
  const schema = (id: string, properties: SchemaRecord["properties"]): SchemaRecord => ({
    id,
    properties,
    required: [],
    index: [],
  });
  const all = [
    schema("pics", { g: { type: "gallery" } }),
    schema("outer", { inner: { type: "card", schemaref: "pics" } }),
    schema("fine", { image: { type: "image" }, file: { type: "file" } }),
  ];
  const options = { find: (id: string) => all.find((known) => known.id === id) };
  assert.match(detailsOf({ properties: { p: { type: "deck", schemaref: "pics" } } }, options).p?.[0] ?? "", /gallery/);
  assert.match(detailsOf({ properties: { p: { type: "card", deckref: "outer" } } }, options).p?.[0] ?? "", /gallery/);
  assert.ok(
    save({ properties: { p: { type: "deck", schemaref: "fine" }, q: { field: "card", schemaref: "later" } } }, options),
  );
});

test("SCH-35 a card that would contain itself is refused", () => {
  const other: SchemaRecord = {
    id: "other",
    properties: { back: { type: "card", schemaref: "thing" } },
    required: [],
    index: [],
  };
  const find = (id: string) => (id === "other" ? other : undefined);
  assert.ok(detailsOf({ properties: { me: { type: "card", schemaref: "/schemas/thing.json" } } }).me);
  assert.ok(detailsOf({ properties: { other: { type: "card", settings: { schemaref: "other" } } } }, { find }).other);
});

test("SCH-10 every built-in schema passes the checks of a save unchanged", () => {
  for (const [id, record] of builtInSchemas) {
    const saved = normaliseSchema(
      { ...(record as unknown as JsonObject) },
      { find: (other) => builtInSchemas.get(other), now },
    );
    for (const [name, definition] of Object.entries(record.properties)) {
      assert.deepEqual(saved.properties[name], definition, `${id}.${name}`);
    }
    assert.deepEqual(
      saved.required.filter((name) => name !== "id"),
      record.required.filter((name) => name !== "id"),
      id,
    );
    assert.deepEqual(
      saved.index.filter((name) => name !== "id"),
      record.index.filter((name) => name !== "id"),
      id,
    );
  }
});

test("SCH-55 the examples of the guide are sound, and the guide names every type and built-in schema", () => {
  const guide = readFileSync(new URL("../../docs/guides/schemas.md", import.meta.url), "utf8");
  const examples = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text as string));
  assert.ok(examples.length >= 4);
  for (const example of examples) {
    const find = (id: string) => builtInSchemas.get(id) ?? examples.find((other) => other.id === id);
    assert.equal(normaliseSchema(example, { find, now }).id, example.id);
  }
  for (const name of [...propertyTypes, ...builtInSchemas.keys()]) assert.ok(guide.includes(`\`${name}\``), name);
});
