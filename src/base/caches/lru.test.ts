// How the cache of everything that is kept in memory forgets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createLru } from "./lru.ts";

test("STO-51 a cache never holds more than its cap", () => {
  const cache = createLru<number>(100);
  for (let number = 0; number < 1_000; number += 1) {
    cache.set(`k${number}`, number, 1 + (number % 60));
    assert.ok(cache.size <= 100, `${cache.size} at ${number}`);
  }
  cache.set("huge", 1, 101);
  assert.equal(cache.get("huge"), undefined);
});

test("STO-51 used entries stay, unused ones are dropped", () => {
  const cache = createLru<number>(10);
  cache.set("wanted", 1);
  for (let number = 0; number < 100; number += 1) {
    cache.set(`k${number}`, number);
    assert.equal(cache.get("wanted"), 1);
  }
  assert.equal(cache.get("k0"), undefined);
  assert.equal(cache.get("k99"), 99);
});

test("STO-51 a replaced or deleted entry is counted once, and gone", () => {
  const cache = createLru<string>(10);
  cache.set("a", "first", 4);
  cache.set("b", "other", 4);
  cache.set("a", "second", 2);
  assert.equal(cache.size, 6);
  assert.equal(cache.get("a"), "second");
  cache.delete("a");
  assert.equal(cache.get("a"), undefined);
  assert.equal(cache.size, 4);
  cache.clear();
  assert.equal(cache.size, 0);
});

test("STO-51 what can no longer be used is dropped from both halves", () => {
  const cache = createLru<number>(100);
  for (let number = 0; number < 90; number += 1) cache.set(`k${number}`, number);
  cache.prune((number) => number % 3 > 0);
  assert.deepEqual([cache.count, cache.size, cache.get("k3"), cache.get("k4")], [30, 30, 3, undefined]);
});
