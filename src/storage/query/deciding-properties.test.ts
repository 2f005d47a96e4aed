import assert from "node:assert/strict";
import { test } from "node:test";
import { decidingProperties } from "./deciding-properties.ts";
import type { Condition, Operand, Selection } from "./selection.ts";

const operand = (property: string, more: Partial<Operand> = {}): Operand => ({
  ...{ property, source: "index", comparison: "text" },
  ...more,
});
const condition = (property: string, more?: Partial<Operand>): Condition => ({
  ...{ operand: operand(property, more), operator: "eq", values: ["x"] },
});
const plain: Selection = { collection: "posts", include: [], exclude: [], hideDrafts: false, sort: [] };
const names = (more: Partial<Selection>) => {
  const found = decidingProperties({ ...plain, ...more });
  assert.ok(found?.has("id") ?? true);
  return [...(found ?? ["any"])].filter((name) => name !== "id").sort();
};

test("CACHE-19 the properties of filters and sorts decide about a list, wherever they stand", () => {
  assert.deepEqual(names({}), []);
  assert.deepEqual(names({ hideDrafts: true }), ["draft"]);
  assert.deepEqual(names({ include: [condition("a")], exclude: [condition("b")] }), ["a", "b"]);
  assert.deepEqual(names({ sort: [{ operand: operand("price"), descending: true }] }), ["price"]);
  const groups = [{ any: [condition("a"), { not: { all: [condition("b"), condition("c")] } }] }];
  assert.deepEqual(names({ groups }), ["a", "b", "c"]);
  const within = [{ property: "deck", isDeck: true }];
  assert.deepEqual(names({ include: [condition("a", { within })] }), ["deck"]);
  assert.deepEqual(names({ include: [condition("meta.size")] }), ["meta", "meta.size"]);
});

test("CACHE-19 any property may decide about searches, random orders, former names and what depends on the time", () => {
  assert.deepEqual(names({ search: { terms: [["x"]], mode: "and" } }), ["any"]);
  assert.deepEqual(names({ shuffle: true }), ["any"]);
  assert.deepEqual(names({ isRelative: true }), ["any"]);
  assert.deepEqual(names({ include: [condition("a", { former: ["b"] })] }), ["any"]);
  const within = [{ property: "deck", isDeck: true, former: ["cards"] }];
  assert.deepEqual(names({ include: [condition("a", { within })] }), ["any"]);
});
