import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionOf, conditionsFor, filterOf, isComplete } from "./filters.ts";

test("conditions follow the type", () => {
  assert.deepEqual(conditionsFor("string"), ["contains", "is", "isNot", "oneOf", "isEmpty", "isNotEmpty"]);
  assert.deepEqual(conditionsFor("date"), ["is", "before", "after", "between", "isEmpty", "isNotEmpty"]);
  assert.deepEqual(conditionsFor("image"), ["isEmpty", "isNotEmpty"]);
  assert.equal(conditionsFor("string", true)[0], "is");
});

test("a filter is written from its condition and read back in the words of the type", () => {
  for (const type of ["string", "number", "date", "boolean", "list", "image"] as const)
    for (const condition of conditionsFor(type)) {
      const filter = filterOf("p", { condition, value: "1", to: "2" });
      assert.equal(conditionOf(filter, type), condition, `${type} ${condition}`);
    }
  assert.deepEqual(filterOf("image", { condition: "isNotEmpty", value: "" }), {
    property: "image",
    operator: "empty",
    value: "false",
  });
});

test("operators that are not offered are named too", () => {
  assert.equal(conditionOf({ property: "p", operator: "gte", value: "1" }, "date"), "from");
  assert.equal(conditionOf({ property: "p", operator: "starts", value: "1" }, "string"), "startsWith");
});

test("a range needs both ends", () => {
  assert.ok(!isComplete({ condition: "between", value: "1" }));
  assert.ok(isComplete({ condition: "between", value: "1", to: "2" }));
  assert.ok(isComplete({ condition: "isEmpty", value: "" }));
  assert.ok(!isComplete({ condition: "is", value: "" }));
});
