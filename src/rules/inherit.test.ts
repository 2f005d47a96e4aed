import assert from "node:assert/strict";
import { test } from "node:test";
import type { SchemaRecord } from "#contract/schemas.ts";
import { inherit } from "./inherit.ts";

function schema(id: string, more: Partial<SchemaRecord> = {}): SchemaRecord {
  return { id, properties: {}, required: [], index: [], ...more };
}

function finder(...schemas: SchemaRecord[]) {
  return (id: string) => schemas.find((known) => known.id === id);
}

test("SCH-20 the child's definition of a property wins", () => {
  const parent = schema("parent", { properties: { title: { type: "string", label: "Parent", maxLength: 5 } } });
  const child = schema("child", { inheritFrom: ["parent"], properties: { title: { type: "string", label: "Child" } } });
  assert.deepEqual(inherit(child, finder(parent)).properties, { title: { type: "string", label: "Child" } });
});

test("SCH-21 properties of the parent that the child lacks are added", () => {
  const parent = schema("parent", { properties: { title: { type: "string" }, date: { type: "date" } } });
  const child = schema("child", { inheritFrom: ["parent"], properties: { text: { type: "string" } } });
  assert.deepEqual(Object.keys(inherit(child, finder(parent)).properties), ["text", "title", "date"]);
});

test("SCH-22 required and index are merged without doubles, the parents' entries first", () => {
  const parent = schema("parent", { required: ["id", "title"], index: ["title", "id"] });
  const child = schema("child", { inheritFrom: ["parent"], required: ["id", "content"], index: ["id", "content"] });
  const merged = inherit(child, finder(parent));
  assert.deepEqual(merged.required, ["id", "title", "content"]);
  assert.deepEqual(merged.index, ["title", "id", "content"]);
});

test("SCH-22 with several parents their entries come in the order the parents are listed", () => {
  const first = schema("first", { required: ["id", "a"] });
  const second = schema("second", { required: ["b", "a"] });
  const child = schema("child", { inheritFrom: ["second", "first"], required: ["c"] });
  assert.deepEqual(inherit(child, finder(first, second)).required, ["b", "a", "id", "c"]);
});

test("SCH-23 of several parents with the same property the first listed wins", () => {
  const first = schema("first", { properties: { title: { type: "string", label: "First" } } });
  const second = schema("second", { properties: { title: { type: "string", label: "Second" } } });
  const child = schema("child", { inheritFrom: ["second", "first"] });
  assert.equal(inherit(child, finder(first, second)).properties.title?.label, "Second");
});

test("SCH-24 a parent's own parents are ignored", () => {
  const grand = schema("grand", { properties: { old: { type: "string" } }, required: ["old"], index: ["old"] });
  const parent = schema("parent", { inheritFrom: ["grand"], properties: { title: { type: "string" } } });
  const child = schema("child", { inheritFrom: ["parent"] });
  const merged = inherit(child, finder(grand, parent));
  assert.deepEqual(Object.keys(merged.properties), ["title"]);
  assert.deepEqual([...merged.required, ...merged.index], []);
});

test("SCH-25 a parent that does not exist is skipped", () => {
  const parent = schema("parent", { properties: { title: { type: "string" } } });
  const child = schema("child", { inheritFrom: ["nobody", "parent"] });
  assert.deepEqual(Object.keys(inherit(child, finder(parent)).properties), ["title"]);
});

test("SCH-28 description, category and form grid are the child's own", () => {
  const parent = schema("parent", { description: "Parent", category: "Old", formgrid: "a b", title: "Parent" });
  const child = schema("child", { inheritFrom: ["parent"], description: "Child" });
  const merged = inherit(child, finder(parent));
  assert.equal(merged.description, "Child");
  assert.equal(merged.category, undefined);
  assert.equal(merged.formgrid, undefined);
  assert.deepEqual(merged.inheritFrom, ["parent"]);
});
