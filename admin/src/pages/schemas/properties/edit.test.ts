import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldKinds, type SchemaRecord } from "@contract/schemas.ts";
import * as edit from "./edit.ts";
import { kindGroups } from "./kinds.ts";
import { optionText, readOptions, valuesOf } from "./option-text.ts";

const event: SchemaRecord = {
  id: "event",
  formgrid: "title title\n[[ More title\nstart .\n]]\nprice start",
  properties: { title: { field: "text", "x-a": 1 }, start: { field: "date" }, price: { field: "price" } },
  required: ["title", "start"],
  index: ["start"],
};

test("ADM-605 every field kind is offered once", () => {
  assert.deepEqual(Object.values(kindGroups).flat().toSorted(), [...fieldKinds].toSorted());
});

test("ADM-605 a property is added with what was chosen, and nothing else", () => {
  const made = edit.addProperty(event, {
    ...{ name: "place", kind: "text", label: "Place", help: "", isRequired: true },
    ...{ isIndexed: true, isUnique: true, itemSchema: "" },
  });
  assert.deepEqual(made.properties.place, { field: "text", label: "Place", unique: true });
  assert.deepEqual(
    [made.required, made.index],
    [
      ["title", "start", "place"],
      ["start", "place"],
    ],
  );
});

test("ADM-606 a property that is removed leaves the lists and the layout", () => {
  const { properties, required, index, formgrid } = edit.removeProperty(event, "start");
  assert.deepEqual(Object.keys(properties), ["title", "price"]);
  assert.deepEqual([required, index], [["title"], []]);
  assert.equal(formgrid, "title title\n[[ More title\n]]\nprice .");
});

test("ADM-606 a property that is not saved gets another name everywhere, at its place", () => {
  const { properties, required, formgrid } = edit.renameUnsaved(event, "title", "name");
  assert.deepEqual(Object.keys(properties), ["name", "start", "price"]);
  assert.deepEqual(required, ["name", "start"]);
  assert.equal(formgrid, "name name\n[[ More title\nstart .\n]]\nprice start");
});

test("ADM-607 another kind keeps what is stored where it can, and every other key", () => {
  assert.deepEqual(edit.withKind({ type: "integer", field: "number", "x-a": 1 }, "range"), {
    type: "integer",
    field: "range",
    "x-a": 1,
  });
  assert.deepEqual(edit.withKind({ type: "string", field: "text", help: "?" }, "date"), { field: "date", help: "?" });
  assert.deepEqual(edit.withKind({ $ref: "image", field: "image" }, "gallery"), { field: "gallery" });
});

test("ADM-607 keys of settings come and go, the others stay", () => {
  const definition = { field: "image", settings: { watermark: { limit: 1 } } };
  const ruled = edit.withKey(definition, "settings.rules.size.max", 500);
  assert.deepEqual(ruled.settings, { watermark: { limit: 1 }, rules: { size: { max: 500 } } });
  assert.equal(edit.keyOf(ruled, "settings.rules.size.max"), 500);
  assert.deepEqual(edit.withKey(ruled, "settings.rules.size.max", undefined), definition);
  assert.deepEqual(edit.withKey({ field: "text", settings: { min: 1 } }, "settings.min", undefined), { field: "text" });
});

test("ADM-607 options are lines of text where these say all", () => {
  for (const options of [
    ["a", "b"],
    [{ value: "a", label: "An A" }, "b"],
    { Warm: ["red", { value: "or", label: "Orange" }], Cold: ["blue"] },
  ]) {
    const text = optionText(options);
    assert.ok(text !== undefined);
    assert.deepEqual(readOptions(text), options);
  }
  for (const options of [[1, 2], [{ value: "a", label: "A", more: 1 }], [{ value: "a" }], { a: "A" }, ["a = b"]])
    assert.equal(optionText(options), undefined);
  assert.deepEqual(valuesOf({ Warm: ["red", { value: "or", label: "Orange" }] }), ["red", "or"]);
});

test("ADM-605 a name is made from the label", () => {
  assert.equal(edit.nameFrom("Start of the sale"), "startOfTheSale");
  assert.equal(edit.nameFrom("2. Größe"), "grosse");
  assert.ok(edit.nameForm.test(edit.nameFrom("Title")));
});
