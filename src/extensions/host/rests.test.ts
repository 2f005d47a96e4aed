import assert from "node:assert/strict";
import { test } from "node:test";
import { createRests } from "./rests.ts";

const bad = { id: "acme/bad", mark: "1" };

test("EXT-47 an extension that ends the thread rests longer each time, and other code of it does not", () => {
  const rests = createRests();
  const restAt = (now: number, extension = bad) => rests.find(extension, now)?.retryAfter ?? 0;
  assert.equal(restAt(0), 0);
  const rest = [0, 1, 2, 3, 4, 5, 6].map((n) => {
    rests.ended(bad, n * 10);
    return restAt(n * 10);
  });
  assert.deepEqual(rest, [0, 1, 2, 4, 8, 16, 30]);
  assert.equal(restAt(60 + 29_000), 1);
  assert.equal(restAt(60 + 30_000), 0);
  assert.equal(restAt(60, { ...bad, mark: "2" }), 0);
  assert.equal(restAt(60, { ...bad, id: "acme/good" }), 0);
  rests.ended(bad, 400_000);
  assert.equal(restAt(400_000), 0);
});
