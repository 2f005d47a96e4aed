import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@contract/json.ts";
import { createDraft, flatten } from "./draft.ts";
import { joinParts, partsOf, recordOf, renamedParts } from "./parts.ts";

const event: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "/schemas/event.json",
  id: "event",
  name: "event",
  type: "object",
  title: "Event",
  description: "",
  formgrid: "id title\nstart .",
  properties: {
    id: { $ref: "/schemas/properties/slug.json", field: "id" },
    title: { type: "string", field: "text", "x-own": { deep: [1, null, "a"] }, factory: "name", minLength: 0 },
    start: { $ref: "/schemas/properties/date.json", field: "datetime", settings: { unknownSetting: false } },
  },
  required: ["id", "title"],
  index: ["id"],
  mcp: { description: "For agents", extra: 1 },
  updated: "2026-01-01T00:00:00.000Z",
};

/** What the server writes by itself is not sent. */
function edited({ $schema: _, $id: _id, type: _type, name: _name, updated: _updated, ...rest }: JsonObject) {
  return rest;
}

test("ADM-600 a schema and its parts are the same, with every key that the editor does not know", () => {
  assert.deepEqual(recordOf(partsOf(event)), edited(event));
  const { store } = { store: createDraft(event) };
  store.change("title", (record) => ({ ...record, title: "Events" }));
  assert.deepEqual(store.record(), { ...edited(event), title: "Events" });
  assert.deepEqual(Object.keys(store.record().properties), ["id", "title", "start"]);
  assert.deepEqual(store.form.summary().dirty, ["title"]);
});

test("ADM-601 Undo takes back one change after the other; typing is one", () => {
  const store = createDraft(event);
  for (const title of ["E", "Ev", "Eve"]) store.change("title", (record) => ({ ...record, title }));
  store.change("remove start", (record) => {
    const { start: _, ...properties } = record.properties;
    return { ...record, properties };
  });
  assert.deepEqual(Object.keys(store.record().properties), ["id", "title"]);
  assert.equal(store.undo(), "remove start");
  assert.deepEqual(store.record(), { ...edited(event), title: "Eve" });
  assert.equal(store.undo(), "title");
  assert.deepEqual(store.record(), edited(event));
  assert.deepEqual(store.form.summary().dirty, []);
  assert.equal(store.canUndo(), false);
});

test("ADM-602 changes of two people to different properties are joined, also where both add one", () => {
  const before = partsOf(event);
  const withProperty = (name: string, more: JsonObject = {}) =>
    partsOf({ ...event, ...more, properties: { ...(event.properties as JsonObject), [name]: { field: "text" } } });
  const theirs = withProperty("place", { required: ["id", "title", "place"] });
  const mine = withProperty("price", { required: ["id"] });
  const yours = { properties: mine.properties, "property price": { field: "text" }, required: ["id"] } as JsonObject;
  const found = joinParts(before, theirs, yours);
  assert.deepEqual(found.conflicts, []);
  assert.deepEqual(found.theirs, ["property place"]);
  assert.deepEqual(found.joined, {
    properties: ["id", "title", "start", "price", "place"],
    required: ["id", "place"],
  });
});

test("ADM-602 changes of two people to the same property are a conflict", () => {
  const before = partsOf(event);
  const { properties } = event as { properties: JsonObject };
  const theirs = partsOf({ ...event, properties: { ...properties, title: { field: "textarea" } } });
  const { conflicts } = joinParts(before, theirs, { "property title": { field: "styledtext" } });
  assert.deepEqual(
    conflicts.map(({ property, theirs: one, yours }) => ({ property, one, yours })),
    [{ property: "property title", one: { field: "textarea" }, yours: { field: "styledtext" } }],
  );
});

test("ADM-608 changes that are not saved follow a property that gets another name", () => {
  const stored = partsOf({
    ...event,
    formgrid: "id name\nstart .",
    properties: { name: { field: "text", formerly: ["title"] }, start: { field: "datetime" } },
    required: ["id", "name"],
  });
  const mine = partsOf({
    ...event,
    properties: { name: { field: "textarea" }, start: { field: "datetime" } },
    required: ["name"],
  });
  const parts = renamedParts(stored, mine, ["property title", "required"], { from: "title", to: "name" });
  assert.deepEqual(parts["property name"], { field: "textarea", formerly: ["title"] });
  assert.deepEqual([parts.required, parts.formgrid], [["name"], "id name\nstart ."]);
  assert.equal(Object.hasOwn(parts, "property title"), false);
});

test("ADM-603 a draft has the properties of its parents, each with its type", () => {
  const parent = recordOf(partsOf({ id: "base", properties: { image: { field: "image" } }, index: ["image"] }));
  const child = { ...recordOf(partsOf(event)), inheritFrom: ["base"] };
  const flat = flatten(child, (id) => (id === "base" ? parent : undefined));
  assert.deepEqual(Object.keys(flat.properties), ["id", "title", "start", "image"]);
  assert.equal(flat.properties.image?.type, "image");
  assert.equal(flat.properties.start?.type, "date");
});
