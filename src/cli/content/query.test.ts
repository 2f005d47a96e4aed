import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "./query.ts";

test("CLI-35 a table shows the first properties, and what it is sorted by", () => {
  const results = [{ id: "a", title: "A", one: 1, two: 2, three: 3, four: 4, minutes: 5, list: [], modified: "now" }];
  assert.deepEqual(columnsOf(results), ["id", "title", "one", "two", "three", "modified"]);
  assert.deepEqual(columnsOf(results, "-minutes"), ["id", "title", "one", "two", "minutes", "modified"]);
  assert.deepEqual(columnsOf(results, "minutes:desc, four,nosuch"), [
    "id",
    "title",
    "one",
    "four",
    "minutes",
    "modified",
  ]);
});
