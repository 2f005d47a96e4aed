import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, contentHash, type Fingerprint } from "./compare.ts";

const print = (id: string, hash: string, updated?: string): Fingerprint => ({ kind: "schema", id, hash, updated });

test("SYNC-53 the hash knows neither times nor the order of keys, nor counters of a collection", () => {
  const one = { id: "a", list: [1, { x: 1, y: 2 }], updated: "2024", count: 3, created: "2023" };
  const other = { list: [1, { y: 2, x: 1 }], id: "a", modified: "2025", totalObjects: 9, lastUpdated: "2024" };
  assert.equal(contentHash("collection", one), contentHash("collection", other));
  assert.notEqual(contentHash("collection", one), contentHash("collection", { ...one, list: [{ x: 1, y: 2 }, 1] }));
});

test("SYNC-53 schemas that differ in their index differ, and objects in a property of any name", () => {
  assert.notEqual(contentHash("schema", { index: ["a"] }), contentHash("schema", { index: ["a", "b"] }));
  assert.notEqual(contentHash("object", { count: 1 }), contentHash("object", { count: 2 }));
});

test("SYNC-52 the side that has a time where the other has none is likely the newer one", () => {
  const [mine] = compare("push", [print("a", "1", "2024-01-01")], [print("a", "2")]);
  assert.deepEqual([mine?.newer, mine?.isLikely, mine?.warning], ["local", true, undefined]);
  const [theirs] = compare("push", [print("a", "1")], [print("a", "2", "2024-01-01")]);
  assert.deepEqual([theirs?.newer, theirs?.isLikely], ["remote", true]);
  assert.match(theirs?.warning ?? "", /older local copy/);
  const [neither] = compare("push", [print("a", "1")], [print("a", "2", "no time")]);
  assert.deepEqual(neither, { kind: "schema", id: "a", status: "differs" });
});

test("SYNC-52 a pull warns when the local copy is the newer one", () => {
  const [item] = compare("pull", [print("a", "1", "2023-01-01")], [print("a", "2", "2024-01-01")]);
  assert.deepEqual(
    [item?.newer, item?.warning],
    ["local", "the older remote copy would overwrite the newer local one"],
  );
});

test("SYNC-51 each item has one status; those of the receiver alone come last", () => {
  const sent = [print("same", "1"), print("new", "1")];
  const items = compare("push", sent, [print("theirs", "1"), print("same", "1")]);
  assert.deepEqual(
    items.map(({ id, status }) => `${id} ${status}`),
    ["same identical", "new new", "theirs receiver-only"],
  );
  assert.deepEqual(
    compare("push", sent, undefined).map(({ status }) => status),
    [undefined, undefined],
  );
});
