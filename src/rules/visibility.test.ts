import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#contract/json.ts";
import { isRuleMet, readVisibility } from "./visibility.ts";

const values: JsonObject = { kind: "talk", seats: 12, isOpen: true, tags: ["a", "b"], none: "" };

const cases: [rule: JsonObject, isMet: boolean][] = [
  [{ watch: "kind", value: "talk" }, true],
  [{ watch: "kind", value: ["walk", "talk"] }, true],
  [{ watch: "kind", value: "talk", operator: "!=" }, false],
  [{ watch: "kind", value: ["walk"], operator: "not_in" }, true],
  [{ watch: "seats", value: "12" }, true],
  [{ watch: "seats", value: 12, operator: ">" }, false],
  [{ watch: "seats", value: 12, operator: ">=" }, true],
  [{ watch: "seats", value: "20", operator: "<" }, true],
  [{ watch: "seats", value: 11, operator: "<=" }, false],
  [{ watch: "isOpen", value: "true" }, true],
  [{ watch: "missing", value: false }, true],
  [{ watch: "tags", value: "b" }, true],
  [{ watch: "none", operator: "empty" }, true],
  [{ watch: "tags", operator: "not_empty" }, true],
  [{ watch: "kind", operator: "like", value: "x" }, true],
];

for (const [rule, isMet] of cases)
  test(`ADM-221 ${JSON.stringify(rule)} is ${isMet ? "met" : "not met"}`, () => {
    const read = readVisibility(rule);
    assert.ok(read);
    assert.equal(isRuleMet(read, values), isMet);
  });

test("ADM-221 what is no rule hides nothing", () => {
  assert.equal(readVisibility(undefined), undefined);
  assert.equal(readVisibility({ value: 1 }), undefined);
  assert.deepEqual(readVisibility({ watch: "a", mode: "disable" }), {
    watch: "a",
    operator: "==",
    value: null,
    mode: "disable",
  });
});
