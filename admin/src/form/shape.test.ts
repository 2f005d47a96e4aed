import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@contract/json.ts";
import type { PropertyDefinition } from "@contract/schemas.ts";
import { shownProperties } from "#fields/property.ts";
import { keptPart, labelsOf, placeOf, restored } from "./shape.ts";
import { validateAll } from "./validate.ts";

function schemaOf(id: string, properties: Record<string, PropertyDefinition>, required: string[] = []) {
  return { id, properties, required, index: [] };
}

const town = schemaOf("town", { name: { label: "Name" }, code: { type: "password", label: "Code" } }, ["name"]);
const line = schemaOf(
  "line",
  {
    id: { field: "id" },
    title: { label: "Title" },
    kind: { label: "Kind" },
    note: { label: "Note", settings: { visibility: { watch: "kind", value: "long" } } },
    picture: { field: "image" },
    place: { field: "card", label: "Place", itemSchema: "town" },
  },
  ["title", "note"],
);
const schema = schemaOf("thing", {
  home: { field: "card", label: "Home", itemSchema: "town" },
  lines: { field: "deck", label: "Lines", itemSchema: "line", minItems: 1, maxItems: 2 },
});
const shape = { schema, items: { town, line }, isNew: false };

test("ADM-312 a path leads through cards and items to a property and to what lies beside it", () => {
  deepEqual(placeOf(shape, "home.name")?.parent, "home");
  equal(placeOf(shape, "lines.a.place.name")?.property.label, "Name");
  equal(placeOf(shape, "lines.a.place.name")?.parent, "lines.a.place");
  equal(placeOf(shape, "lines.a"), undefined);
  equal(placeOf(shape, "home.unknown"), undefined);
  deepEqual(labelsOf(shape, "lines.a.title", { lines: [{ id: "a", title: "First" }] }), ["Lines", "First", "Title"]);
  deepEqual(labelsOf(shape, "home.name", {}), ["Home", "Name"]);
});

test("ADM-312 cards and items are checked by their schemas; what a rule hides beside it is not asked for", () => {
  const check = (values: Parameters<typeof validateAll>[1]) =>
    [...validateAll(shownProperties(schema, false), values, shape)].map(([path, { code }]) => `${path} ${code}`);
  deepEqual(check({ lines: [{ id: "a", title: "x" }] }), [], "a card that is not there is not asked for");
  deepEqual(check({ home: { name: "" }, lines: [{ id: "a", title: "" }] }), [
    "home.name required",
    "lines.a.title required",
  ]);
  deepEqual(check({ lines: [{ title: "x", kind: "long" }] }), ["lines.0.note required"]);
  deepEqual(check({ lines: [{ id: "a", title: "x", place: {} }] }), ["lines.a.place.name required"]);
  deepEqual(check({ lines: [] }), ["lines fewItems"]);
  deepEqual(check({ lines: ["a", "b", "c"].map((id) => ({ id, title: id })) }), ["lines manyItems"]);
});

test("ADM-312 secrets and files of cards and items are not kept, and come back as they are stored", () => {
  const lines = placeOf(shape, "lines")?.property;
  if (!lines) throw new Error("no deck");
  const stored = [{ id: "a", title: "x", picture: { name: "a.jpg" }, place: { name: "N" } }];
  const typed: Json = [
    { id: "b", title: "new", place: { name: "M", code: "secret" } },
    { id: "a", title: "y", picture: { name: "a.jpg" } },
  ];
  const kept = keptPart(lines, typed, shape.items);
  deepEqual(kept, [
    { id: "b", title: "new", place: { name: "M" } },
    { id: "a", title: "y" },
  ]);
  deepEqual(restored(lines, kept, stored, shape.items), [
    { id: "b", title: "new", place: { name: "M" } },
    { id: "a", title: "y", picture: { name: "a.jpg" } },
  ]);
});
