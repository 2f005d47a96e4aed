// What a run says of the time that is left.

import assert from "node:assert/strict";
import { test } from "node:test";
import { progressLine } from "./test-progress.ts";

const state = { passed: 90, failed: 1, repeats: 0, files: { done: 10, all: 40 }, noted: { done: 100, all: 400 } };

test("the time left follows from the pace of the files that are done", () => {
  assert.equal(
    progressLine(state, { elapsed: 60, width: 3 }),
    "10 of 40 files, 90 passed, 1 failed, 60 s, about 3 min left",
  );
});

test("before files are done, the noted times say what is left", () => {
  const line = progressLine({ ...state, noted: { done: 0, all: 180 } }, { elapsed: 2, width: 3 });
  assert.match(line, /about 60 s left$/);
});

test("files that run once more are named", () => {
  assert.match(progressLine({ ...state, repeats: 2 }, { elapsed: 60, width: 3 }), /1 failed, 2 to repeat/);
});
