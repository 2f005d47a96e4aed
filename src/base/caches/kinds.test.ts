// What the registry of caches holds, and the limits of all stores together.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "./kind-store.ts";
import { clearKind, defineKind, limitCaches, listKinds, measureKind, memoryOf } from "./kinds.ts";
import { cacheKinds } from "./known-kinds.ts";

const one = defineKind({ name: "one", about: "For tests." });
const other = defineKind({ name: "other", about: "For tests." });

/** A storage whose versions a test moves by hand. */
function createOwner() {
  const versions = new Map<string, number>();
  return {
    version: (scope: string) => versions.get(scope) ?? 0,
    move: (scope: string) => void versions.set(scope, (versions.get(scope) ?? 0) + 1),
  };
}

test("CACHE-30 a kind can be defined at any time, once for each name", () => {
  assert.ok(listKinds().includes(one) && listKinds().includes(cacheKinds.pages));
  assert.throws(() => defineKind({ name: "one", about: "Again." }), /defined twice/);
});

test("CACHE-30 hits, misses and what was dropped for room are counted, in all stores of a kind", () => {
  const owner = createOwner();
  const stores = [
    openStore<number>(owner, { kind: one, capacity: 4, unit: 10 }),
    openStore<number>(owner, { kind: one, capacity: 4, unit: 1 }),
  ];
  for (const store of stores) {
    assert.equal(store.get("a"), undefined);
    store.set("a", 1);
    assert.equal(store.get("a"), 1);
  }
  const { oldest, ...facts } = measureKind(owner, one);
  assert.deepEqual(facts, { entries: 2, bytes: 11, capacity: 44, hits: 2, misses: 2, evictions: 0 });
  assert.ok(oldest !== undefined && oldest <= Date.now());
  for (let n = 0; n < 20; n += 1) stores[0]?.set(`k${n}`, n);
  assert.ok(measureKind(owner, one).evictions > 0);
  stores[1]?.get("a");
  stores[1]?.reject();
  assert.deepEqual([measureKind(owner, one).hits, measureKind(owner, one).misses], [2, 3]);
});

test("CACHE-33 a store is empty when its kind was cleared in another process, and what was begun before is known as old", () => {
  const owner = createOwner();
  const store = openStore<number>(owner, { kind: one, capacity: 10, unit: 1 });
  store.set("a", 1);
  const before = store.generation();
  owner.move("cache:other");
  assert.equal(store.get("a"), 1);
  owner.move("cache:one");
  assert.equal(store.get("a"), undefined);
  assert.notEqual(store.generation(), before);
  store.set("b", 2);
  assert.deepEqual([clearKind(owner, one), clearKind(owner, one), store.get("b")], [1, 0, undefined]);
});

test("CACHE-36 all stores together stay under the limit: the largest gives way, the least recently used first", () => {
  const owner = createOwner();
  let limit = 1_000;
  limitCaches(owner, () => limit);
  const small = openStore<number>(owner, { kind: one, capacity: 100, unit: 1 });
  const large = openStore<number>(owner, { kind: other, capacity: 1_000, unit: 2 });
  for (let n = 0; n < 100; n += 1) small.set(`s${n % 40}`, n);
  for (let n = 0; n < 2_000; n += 1) {
    large.set(`l${n}`, n);
    assert.ok(memoryOf(owner) <= 1_000);
  }
  assert.equal(measureKind(owner, one).entries, 40);
  assert.equal(large.get("l1999"), 1_999);
  assert.equal(measureKind(owner, other).bytes > 0, true);
  limit = 0;
  large.set("last", 1);
  assert.deepEqual([memoryOf(owner), large.get("last"), small.get("s1")], [0, undefined, undefined]);
});
