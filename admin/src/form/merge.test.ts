import assert from "node:assert/strict";
import { test } from "node:test";
import { merge } from "./merge.ts";

const before = { id: "a", title: "T", body: "B", tags: ["x"], modified: "1" };

test("ADM-227 changes of different properties merge", () => {
  const theirs = { ...before, body: "Theirs", modified: "2" };
  assert.deepEqual(merge(before, theirs, { title: "Mine" }), { theirs: ["body"], conflicts: [] });
});

test("ADM-227 the same change by both is none to choose from", () => {
  const theirs = { ...before, title: "Same", tags: ["x", "y"], modified: "2" };
  assert.deepEqual(merge(before, theirs, { title: "Same", tags: ["x", "y"] }), { theirs: [], conflicts: [] });
});

test("ADM-227 a property that both changed is a conflict, also where one removed it", () => {
  const { body: _, ...without } = before;
  const theirs = { ...without, title: "Theirs", modified: "2" };
  assert.deepEqual(merge(before, theirs, { title: null, body: "Mine" }), {
    theirs: [],
    conflicts: [
      { property: "title", before: "T", theirs: "Theirs", yours: null },
      { property: "body", before: "B", theirs: undefined, yours: "Mine" },
    ],
  });
});
