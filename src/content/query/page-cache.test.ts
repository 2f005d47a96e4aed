import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { CairnError } from "#base/errors.ts";
import type { Caller } from "#lanes/caller.ts";
import { createKept, type Stamped } from "./page-cache.ts";

function room<V>(capacity: number) {
  return openStore<Stamped<V>>({ version: () => 0 }, { kind: cacheKinds.lists, capacity, unit: 1 });
}

test("LST-18 a cached page is valid until its version moves", async () => {
  const kept = createKept<string>(room(10_000), (value) => value.length);
  let made = 0;
  const get = (stamp: string) => kept.get("key", stamp, async () => `value ${++made}`);
  assert.deepEqual(
    [await get("1"), await get("1"), await get("2"), await get("2")],
    ["value 1", "value 1", "value 2", "value 2"],
  );
});

test("LST-18 identical requests that miss together are made once", async () => {
  const kept = createKept<number>(room(10_000), () => 1);
  let made = 0;
  const slow = async () => {
    await new Promise(setImmediate);
    return ++made;
  };
  assert.deepEqual(await Promise.all([kept.get("a", "1", slow), kept.get("a", "1", slow)]), [1, 1]);
  assert.equal(await kept.get("a", "1", slow), 1);
});

test("LST-18 a failure is not kept", async () => {
  const kept = createKept<number>(room(10_000), () => 1);
  await assert.rejects(kept.get("a", "1", () => Promise.reject(new Error("no"))));
  assert.equal(await kept.get("a", "1", async () => 5), 5);
});

test("LST-18 values larger than the room are answered and not kept", async () => {
  const kept = createKept<number>(room(1_000), () => 5_000);
  let made = 0;
  const make = async () => ++made;
  assert.deepEqual([await kept.get("a", "1", make), await kept.get("a", "1", make)], [1, 2]);
});

test("LST-18 callers who share a query are not refused by the limits of its first caller", async () => {
  const kept = createKept<string>(room(10_000), (value) => value.length);
  const make = async ({ name }: Caller) => {
    await new Promise(setImmediate);
    if (name === "ip:greedy") throw new CairnError("busy");
    return name;
  };
  const ask = (name: string) => kept.get("a", "1", make, { name, hasCredential: false });
  const [greedy, ...others] = await Promise.allSettled(["ip:greedy", "ip:one", "ip:two"].map(ask));
  assert.equal(greedy?.status, "rejected");
  assert.deepEqual(
    others.map((each) => each.status === "fulfilled" && each.value),
    ["ip:one", "ip:one"],
  );
});
