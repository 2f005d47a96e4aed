import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import { findText, readPaging } from "./parameters.ts";

const limits = { default: 50, max: 100 };

function refusedDetails(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof CairnError) return Object.keys(error.details ?? {});
    throw error;
  }
  return [];
}

test("LST-2 limit has a default, and is cut to 100 (T12)", () => {
  assert.deepEqual(readPaging({}, limits), { limit: 50, offset: 0, cursor: undefined });
  assert.equal(readPaging({ limit: "7" }, limits).limit, 7);
  assert.equal(readPaging({ limit: "101" }, limits).limit, 100);
  assert.equal(readPaging({ limit: "1000000000" }, limits).limit, 100);
});

test("LST-3 limit and offset are whole numbers in range, or refused by name (T12)", () => {
  for (const limit of ["0", "-1", "1e9", "abc", "10abc", "1.5", "", " 5", "\0", "0x10", "9".repeat(40)])
    assert.deepEqual(
      refusedDetails(() => readPaging({ limit }, limits)),
      ["limit"],
      JSON.stringify(limit),
    );
  for (const offset of ["-1", "9e15", "9".repeat(16), "x", ["1", "2"]])
    assert.deepEqual(
      refusedDetails(() => readPaging({ offset }, limits)),
      ["offset"],
      JSON.stringify(offset),
    );
});

test("LST-12 cursor and offset exclude each other", () => {
  assert.deepEqual(
    refusedDetails(() => readPaging({ cursor: "x", offset: "0" }, limits)),
    ["cursor"],
  );
});

test("LST-14 a repeated parameter is refused", () => {
  assert.deepEqual(
    refusedDetails(() => findText({ sort: ["a", "b"] }, "sort")),
    ["sort"],
  );
  assert.equal(findText({ sort: "" }, "sort"), undefined);
});
