import assert from "node:assert/strict";
import { test } from "node:test";
import { nextOrder, sortRecords } from "./sort-records.ts";

test("ADM-990: a press on a head sorts up, then down, then as it came", () => {
  const up = nextOrder(undefined, "name");
  const down = nextOrder(up, "name");
  assert.deepEqual(up, { column: "name", isDescending: false });
  assert.deepEqual(down, { column: "name", isDescending: true });
  assert.equal(nextOrder(down, "name"), undefined);
  assert.deepEqual(nextOrder(down, "size"), { column: "size", isDescending: false });
});

test("ADM-990: numbers sort by size, words without regard to case, and equal ones keep their places", () => {
  const rows = [
    { name: "file 10", size: 2 },
    { name: "File 2", size: 10 },
    { name: "apple", size: 2 },
  ];
  const names = (sorted: typeof rows) => sorted.map(({ name }) => name);
  assert.deepEqual(names(sortRecords(rows, ({ name }) => name, false)), ["apple", "File 2", "file 10"]);
  assert.deepEqual(names(sortRecords(rows, ({ size }) => size, true)), ["File 2", "file 10", "apple"]);
});
