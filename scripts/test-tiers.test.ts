// Which files the short run of the tests has.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Part } from "./test-parts.ts";
import { divide } from "./test-tiers.ts";
import type { Times } from "./test-times.ts";

const unit: Part = { name: "unit", files: ["src/a.test.ts", "src/b.test.ts"], atLeast: 2 };
const http: Part = {
  name: "http",
  engine: "sqlite",
  files: ["tests/http/access/matrix.test.ts", "tests/http/long.test.ts", "tests/http/short.test.ts"],
  atLeast: 5,
};
const times: Times = new Map(
  [
    ["src/a.test.ts", 30],
    ["src/b.test.ts", 30],
    ["tests/http/access/matrix.test.ts sqlite", 30],
    ["tests/http/long.test.ts sqlite", 20],
    ["tests/http/short.test.ts sqlite", 5],
  ].map(([key, seconds]) => [key as string, { seconds: Number(seconds), processor: Number(seconds) }]),
);

const filesOf = (parts: Part[]) => parts.flatMap(({ files }) => files);

test("the core runs whatever it costs, and nothing else when it fills the budget", () => {
  const { first, rest } = divide([unit, http], times, 10);
  assert.deepEqual(filesOf(first), ["src/a.test.ts", "src/b.test.ts", "tests/http/access/matrix.test.ts"]);
  assert.deepEqual(filesOf(rest), ["tests/http/long.test.ts", "tests/http/short.test.ts"]);
});

test("other files fill the budget, the shortest first", () => {
  const { first, rest } = divide([unit, http], times, 100);
  assert.ok(filesOf(first).includes("tests/http/short.test.ts"));
  assert.deepEqual(filesOf(rest), ["tests/http/long.test.ts"]);
});

test("every file is in one of the two, and the number of tests is held for whole parts alone", () => {
  const { first, rest } = divide([unit, http], times, 100);
  assert.deepEqual(filesOf([...first, ...rest]).sort(), filesOf([unit, http]).sort());
  assert.deepEqual(
    first.map(({ atLeast }) => atLeast),
    [2, 0],
  );
  assert.deepEqual(filesOf(divide([unit, http], times, 1_000).rest), []);
});

test("a file that was never timed counts as a usual one of its part", () => {
  const { first } = divide([unit, http], new Map(), 50);
  assert.deepEqual(filesOf(first).sort(), filesOf([unit, http]).sort());
});
