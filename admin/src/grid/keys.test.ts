import assert from "node:assert/strict";
import { test } from "node:test";
import { moved, moveTo } from "./keys.ts";

const extent = { rows: 100_000, columns: 6, page: 20 };
const go = (row: number, column: number, key: string, ctrlKey = false, more = {}) =>
  moveTo({ row, column }, { key, ctrlKey, metaKey: false }, { ...extent, ...more });

test("arrows move between rows; the right one enters the row, the left one leaves it", () => {
  assert.deepEqual(go(3, -1, "ArrowDown"), { row: 4, column: -1 });
  assert.deepEqual(go(3, -1, "ArrowRight"), { row: 3, column: 0 });
  assert.deepEqual(go(3, 5, "ArrowRight"), { row: 3, column: 5 });
  assert.deepEqual(go(3, 0, "ArrowLeft"), { row: 3, column: -1 });
  assert.deepEqual(go(99_999, 2, "ArrowDown"), { row: 99_999, column: 2 });
});

test("above the first row are the heads, which have no whole row", () => {
  assert.deepEqual(go(0, -1, "ArrowUp"), { row: -1, column: 0 });
  assert.deepEqual(go(-1, 2, "ArrowDown"), { row: 0, column: 2 });
  assert.deepEqual(go(-1, 0, "ArrowLeft"), { row: -1, column: 0 });
});

test("pages and ends", () => {
  assert.deepEqual(go(3, -1, "PageDown"), { row: 23, column: -1 });
  assert.deepEqual(go(3, -1, "PageUp"), { row: 0, column: -1 });
  assert.deepEqual(go(3, -1, "End"), { row: 99_999, column: -1 });
  assert.deepEqual(go(3, 2, "End"), { row: 3, column: 5 });
  assert.deepEqual(go(3, 2, "Home"), { row: 3, column: 0 });
  assert.deepEqual(go(3, 2, "End", true), { row: 99_999, column: 2 });
  assert.deepEqual(go(300, 2, "Home", true), { row: 0, column: 2 });
});

test("right to left turns the arrows around; other keys do not move", () => {
  assert.deepEqual(go(3, 2, "ArrowLeft", false, { isRightToLeft: true }), { row: 3, column: 3 });
  assert.equal(go(3, 2, "a"), undefined);
});

test("a grid without rows keeps the focus on its heads", () => {
  assert.deepEqual(go(-1, 1, "ArrowDown", false, { rows: 0 }), { row: -1, column: 1 });
  assert.deepEqual(go(-1, 1, "PageUp", false, { rows: 0 }), { row: -1, column: 1 });
});

test("a column is moved", () => {
  assert.deepEqual(moved(["a", "b", "c"], 0, 2), ["b", "c", "a"]);
  assert.deepEqual(moved(["a", "b", "c"], 2, 1), ["a", "c", "b"]);
  assert.deepEqual(moved(["a", "b"], 1, 2), ["a", "b"]);
});
