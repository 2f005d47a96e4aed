import assert from "node:assert/strict";
import { test } from "node:test";
import { keepKnown, nothingPicked, pickAll, pickOne, pickRange, rowAfter, toggle } from "./pick.ts";

const paths = ["a", "b", "c", "d"];

test("ADM-452 files are picked one by one, by ranges and all, and keep what is still there", () => {
  assert.deepEqual([...pickOne("b").chosen], ["b"]);
  assert.deepEqual([...toggle(pickOne("b"), "d").chosen], ["b", "d"]);
  assert.deepEqual([...toggle(pickOne("b"), "b").chosen], []);
  const range = pickRange(pickOne("c"), paths, "a");
  assert.deepEqual([[...range.chosen], range.active, range.anchor], [["a", "b", "c"], "a", "c"]);
  assert.deepEqual([...pickRange(range, paths, "d").chosen], ["c", "d"]);
  assert.deepEqual([...pickRange(nothingPicked, paths, "c").chosen], ["c"]);
  assert.equal(pickAll(nothingPicked, paths).chosen.size, 4);
  const kept = keepKnown(range, paths, ["b", "c"]);
  assert.deepEqual([[...kept.chosen], kept.active], [["b", "c"], "b"]);
  assert.equal(keepKnown(kept, ["b", "c"], ["b", "c"]), kept);
  assert.deepEqual(keepKnown(pickOne("a"), paths, []).active, undefined);
});

test("ADM-452 keys move from row to row", () => {
  assert.deepEqual(
    ["ArrowDown", "ArrowUp", "End", "Home", "PageDown", "PageUp", "x"].map((key) => rowAfter(key, 5, 30)),
    [6, 4, 29, 0, 15, 0, undefined],
  );
  assert.equal(rowAfter("ArrowDown", 29, 30), 29);
});
