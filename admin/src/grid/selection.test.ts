import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countSelected,
  extend,
  extendBy,
  isSelected,
  nothingSelected,
  selectAll,
  selectLoaded,
  toggle,
  without,
} from "./selection.ts";

const rows = ["a", "b", "c", "d", "e"];
const idAt = (row: number) => rows[row];
const loaded = () => rows;

test("a box is ticked and unticked", () => {
  const one = toggle(nothingSelected, 1, "b", loaded);
  assert.deepEqual([...one.ids], ["b"]);
  assert.equal(toggle(one, 1, "b", loaded).ids.size, 0);
});

test("a range goes from the row chosen last to this one, in both directions, and skips rows that are not loaded", () => {
  const from = toggle(nothingSelected, 3, "d", loaded);
  assert.deepEqual([...extend(from, 1, idAt).ids].sort(), ["b", "c", "d"]);
  assert.deepEqual([...extend(from, 9, idAt).ids].sort(), ["d", "e"]);
});

test("a range by keyboard grows and shrinks", () => {
  let selection = extendBy(nothingSelected, { from: 1, to: 2 }, idAt);
  selection = extendBy(selection, { from: 2, to: 3 }, idAt);
  assert.deepEqual([...selection.ids].sort(), ["b", "c", "d"]);
  selection = extendBy(selection, { from: 3, to: 2 }, idAt);
  assert.deepEqual([...selection.ids].sort(), ["b", "c"]);
  selection = extendBy(extendBy(selection, { from: 2, to: 1 }, idAt), { from: 1, to: 0 }, idAt);
  assert.deepEqual([...selection.ids].sort(), ["a", "b"]);
});

test("all that match counts the whole result; unticking one leaves the others that are loaded", () => {
  assert.equal(countSelected(selectAll(), 1_204), 1_204);
  assert.ok(isSelected(selectAll(), "never loaded"));
  const less = toggle(selectAll(), 0, "a", loaded);
  assert.deepEqual([...less.ids], ["b", "c", "d", "e"]);
  assert.equal(less.isAll, false);
});

test("deleted objects leave the selection", () => {
  assert.deepEqual([...without(selectLoaded(rows), ["a", "b"]).ids], ["c", "d", "e"]);
});
