import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { parseSetting } from "./config.ts";

test("WRK-9 auto is the number of cores, at most 8", () => {
  assert.equal(parseSetting("workers", "auto", "test"), Math.min(8, availableParallelism()));
  assert.throws(() => parseSetting("port", "auto", "test"), /must be a number/);
});
