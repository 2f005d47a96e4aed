import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { CairnError } from "#base/errors.ts";
import type { Caller } from "#lanes/caller.ts";
import { createKept, type Stamp, type Stamped } from "./page-cache.ts";

const still = { version: () => 0 };
const stamp: Stamp = { scopes: ["objects:news"] };

function room<V>(capacity: number) {
  return openStore<Stamped<V>>(still, { kind: cacheKinds.lists, capacity, unit: 1 });
}

test("LST-18 a cached page is valid until its version moves", async () => {
  let version = 1;
  const kept = createKept<string>({ version: () => version }, room(10_000), (value) => value.length);
  let made = 0;
  const get = (more: string) => kept.get("key", { ...stamp, more }, async () => `value ${++made}`);
  assert.deepEqual([await get("a"), await get("a"), await get("b")], ["value 1", "value 1", "value 2"]);
  version = 2;
  assert.deepEqual([await get("b"), await get("b")], ["value 3", "value 3"]);
});

test("LST-18 a value that was read before a write is not kept as one of after it", async () => {
  let version = 1;
  const kept = createKept<number>({ version: () => version }, room(10_000), () => 1);
  const place = kept.at("a", stamp);
  version = 2;
  place.keep(1);
  assert.equal(kept.at("a", stamp).find(), undefined);
  kept.at("a", stamp).keep(2);
  assert.equal(kept.at("a", stamp).find(), 2);
});

test("MEM-3 answers that a write has outdated do not stay until their room is full", async () => {
  const versions = new Map<string, number>();
  const store = room<string>(100_000_000);
  const kept = createKept<string>({ version: (scope) => versions.get(scope) ?? 0 }, store, (value) => value.length);
  const page = "x".repeat(100_000);
  const ask = (scope: "objects:news" | "objects:people", key: string) =>
    kept.get(key, { scopes: ["collections", scope] }, async () => page);
  for (let n = 0; n < 5; n += 1) await ask("objects:people", `people ${n}`);
  for (let n = 0; n < 200; n += 1) {
    versions.set("objects:news", n);
    await ask("objects:news", `news ${n}`);
    assert.ok(store.size < 3_000_000, `${store.size} after ${n}`);
  }
  for (let n = 0; n < 5; n += 1)
    assert.equal(kept.at(`people ${n}`, { scopes: ["collections", "objects:people"] }).find(), page);
});

test("LST-18 identical requests that miss together are made once", async () => {
  const kept = createKept<number>(still, room(10_000), () => 1);
  let made = 0;
  const slow = async () => {
    await new Promise(setImmediate);
    return ++made;
  };
  assert.deepEqual(await Promise.all([kept.get("a", stamp, slow), kept.get("a", stamp, slow)]), [1, 1]);
  assert.equal(await kept.get("a", stamp, slow), 1);
});

test("LST-18 a failure is not kept", async () => {
  const kept = createKept<number>(still, room(10_000), () => 1);
  await assert.rejects(kept.get("a", stamp, () => Promise.reject(new Error("no"))));
  assert.equal(await kept.get("a", stamp, async () => 5), 5);
});

test("LST-18 values larger than the room are answered and not kept", async () => {
  const kept = createKept<number>(still, room(1_000), () => 5_000);
  let made = 0;
  const make = async () => ++made;
  assert.deepEqual([await kept.get("a", stamp, make), await kept.get("a", stamp, make)], [1, 2]);
});

test("LST-18 callers who share a query are not refused by the limits of its first caller", async () => {
  const kept = createKept<string>(still, room(10_000), (value) => value.length);
  const make = async ({ name }: Caller) => {
    await new Promise(setImmediate);
    if (name === "ip:greedy") throw new CairnError("busy");
    return name;
  };
  const ask = (name: string) => kept.get("a", stamp, make, { name, hasCredential: false });
  const [greedy, ...others] = await Promise.allSettled(["ip:greedy", "ip:one", "ip:two"].map(ask));
  assert.equal(greedy?.status, "rejected");
  assert.deepEqual(
    others.map((each) => each.status === "fulfilled" && each.value),
    ["ip:one", "ip:one"],
  );
});
