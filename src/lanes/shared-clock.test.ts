import assert from "node:assert/strict";
import { test } from "node:test";
import { createSharedClock } from "./shared-clock.ts";

test("STO-81 queries that run side by side divide the time among themselves", () => {
  let now = 100;
  const { begin } = createSharedClock(() => now);
  const alone = begin();
  now += 10;
  const [second, third, fourth] = [begin(), begin(), begin()];
  now += 40;
  assert.deepEqual([second(), third(), fourth()], [10, 10, 10]);
  now += 5;
  assert.equal(alone(), 25);
  now += 1_000;
  const later = begin();
  now += 7;
  assert.equal(later(), 7);
});
