import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@contract/json.ts";
import { fixedOptions } from "./options.ts";
import { readProperty } from "./property.ts";

const cases: [name: string, options: Json, expected: string[]][] = [
  ["texts", ["a", "b"], ["a=a", "b=b"]],
  ["numbers", [1, 2], ["1=1", "2=2"]],
  ["labels", [{ value: "a", label: "Alpha" }, { value: 2 }], ["a=Alpha", "2=2"]],
  ["groups by name", { North: ["a"], South: [{ value: "b", label: "Beta" }] }, ["a=a (North)", "b=Beta (South)"]],
  ["values by name", { a: "Alpha" }, ["a=Alpha"]],
  ["groups in a list", [{ label: "North", options: ["a"] }, "b"], ["a=a (North)", "b=b"]],
  ["what is none", [null, [], {}], []],
];

for (const [name, options, expected] of cases)
  test(`ADM-228 options of a select: ${name}`, () => {
    const found = fixedOptions({ definition: { options } });
    assert.deepEqual(
      found.map(({ value, label, group }) => `${value}=${label}${group === undefined ? "" : ` (${group})`}`),
      expected,
    );
  });

test("ADM-228 without options the values of enum are offered, and numbers stay numbers", () => {
  assert.deepEqual(
    fixedOptions({ definition: { enum: [1, "two"] } }).map(({ json }) => json),
    [1, "two"],
  );
});

test("ADM-1082 a property with a reference is chosen from the objects of its collection", () => {
  const kindOf = (definition: object) => {
    const properties = { it: { reference: "people", ...definition } };
    return readProperty({ id: "x", properties, required: [], index: [] }, "it", true).kind;
  };
  assert.equal(kindOf({ type: "string", field: "text" }), "select");
  assert.equal(kindOf({ type: "string" }), "select");
  assert.equal(kindOf({ type: "list", field: "list" }), "multiselect");
  assert.equal(kindOf({ type: "string", field: "radio" }), "radio");
  assert.equal(kindOf({ type: "string", field: "text", reference: "" }), "text");
});
