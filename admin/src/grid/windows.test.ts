import assert from "node:assert/strict";
import { test } from "node:test";
import { pagesFor, pagesToDrop, scaleOf, tallest } from "./windows.ts";

test("the pages in view are asked for, and one ahead", () => {
  assert.deepEqual(pagesFor({ first: 0, last: 28 }, 100_000), [0, 1]);
  assert.deepEqual(pagesFor({ first: 50_080, last: 50_120 }, 100_000), [500, 501, 502]);
  assert.deepEqual(pagesFor({ first: 50_080, last: 50_120 }, 100_000, false), [500, 501, 499]);
  assert.deepEqual(pagesFor({ first: 99_980, last: 99_999 }, 100_000), [999]);
});

test("before the total is known the first page in view alone is asked for; of nothing, no page", () => {
  assert.deepEqual(pagesFor({ first: 0, last: 0 }, undefined), [0]);
  assert.deepEqual(pagesFor({ first: 430, last: 510 }, undefined), [4]);
  assert.deepEqual(pagesFor({ first: 0, last: 0 }, 0), [0]);
});

test("a view beyond the end asks for the last page", () => {
  assert.deepEqual(pagesFor({ first: 5_000, last: 5_020 }, 120), [1]);
});

test("far pages are dropped first", () => {
  assert.deepEqual(pagesToDrop([1, 2, 3, 40, 41, 42, 43], [41, 42], 4), [3, 2, 1]);
  assert.deepEqual(pagesToDrop([1, 2], [2], 4), []);
});

test("a result that is higher than an element can be is scaled, its end stays in reach", () => {
  assert.deepEqual(scaleOf(4_400_000, 800), { height: 4_400_000, ratio: 1 });
  const { height, ratio } = scaleOf(44_000_000, 800);
  assert.equal(height, tallest);
  assert.equal(Math.round((height - 800) * ratio), 44_000_000 - 800);
});
