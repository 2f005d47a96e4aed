import assert from "node:assert/strict";
import { test } from "node:test";
import { choicesOf, labelOf } from "./choices.ts";

test("options are texts, pairs, groups or an enum", () => {
  const red = { value: "r", label: "Red" };
  assert.deepEqual(choicesOf({ options: ["a", 2] }), [
    { value: "a", label: "a" },
    { value: "2", label: "2" },
  ]);
  assert.deepEqual(choicesOf({ options: [red, { value: "b" }] }), [red, { value: "b", label: "b" }]);
  assert.deepEqual(choicesOf({ options: { Warm: [red], Cold: ["blue"] } }), [
    { ...red, group: "Warm" },
    { value: "blue", label: "blue", group: "Cold" },
  ]);
  assert.deepEqual(choicesOf({ enum: ["x"], options: [] }), [{ value: "x", label: "x" }]);
  assert.deepEqual(choicesOf({}), []);
});

test("a value without a choice is called by itself", () => {
  assert.equal(labelOf([{ value: "r", label: "Red" }], "r"), "Red");
  assert.equal(labelOf([], "r"), "r");
});
