import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { sideDifferences } from "./sides.ts";

test("ADM-893 two contents are compared by name, properties of schemas one by one, without times", () => {
  const left = { id: "a", title: "Old", updated: "1", index: ["a"], properties: { a: { type: "string" }, b: 1 } };
  const right = { id: "a", title: "New", updated: "2", index: ["a"], properties: { a: { type: "number" }, b: 1 } };
  deepEqual(sideDifferences(left, right), [
    { name: "title", left: "Old", right: "New" },
    { name: "properties.a", left: '{\n  "type": "string"\n}', right: '{\n  "type": "number"\n}' },
  ]);
  deepEqual(sideDifferences(null, { id: "a" }), [{ name: "id", left: "", right: "a" }]);
  deepEqual(sideDifferences(left, left), []);
});
