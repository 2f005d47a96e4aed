import assert from "node:assert/strict";
import { test } from "node:test";
import { addTouch, addTouched, createKnownChanges, type Touched } from "./known-changes.ts";

const scope = "objects:posts";

test("CACHE-19 changes are known from one version to another if none is missing in between", () => {
  const known = createKnownChanges();
  known.add(scope, 4, [{ id: "a" }]);
  known.add(scope, 5, [{ id: "b" }, { id: "c" }]);
  assert.deepEqual(known.between(scope, 3, 5), [{ id: "a" }, { id: "b" }, { id: "c" }]);
  assert.deepEqual(known.between(scope, 4, 5), [{ id: "b" }, { id: "c" }]);
  assert.deepEqual(known.between(scope, 5, 5), []);
  for (const [from, to] of [
    [2, 5],
    [3, 6],
    [3, 4],
    [6, 5],
    [Number.NaN, 5],
  ] as const)
    assert.equal(known.between(scope, from, to), undefined, `${from} to ${to}`);
  assert.equal(known.between("objects:others", 3, 5), undefined);
  known.add(scope, 7, [{ id: "d" }]);
  assert.equal(known.between(scope, 5, 7), undefined);
  assert.deepEqual(known.between(scope, 6, 7), [{ id: "d" }]);
});

test("CACHE-19 what is remembered of changes is bounded", () => {
  const known = createKnownChanges();
  for (let version = 1; version <= 150; version += 1) known.add(scope, version, [{ id: String(version) }]);
  assert.equal(known.between(scope, 50, 150)?.length, 100);
  assert.equal(known.between(scope, 49, 150), undefined);
  const changes = Array.from({ length: 100 }, (_, n) => ({ id: String(n) }));
  for (let n = 0; n < 200; n += 1) known.add(`objects:c${n}`, 1, changes);
  assert.equal(known.between(scope, 149, 150), undefined);
  assert.equal(known.between("objects:c199", 0, 1)?.length, 100);
});

test("CACHE-19 a commit says what it changes if each of its writes does, and they are not many", () => {
  const touched: Touched = new Map();
  addTouch(touched, scope, { id: "a" });
  addTouch(touched, scope, { id: "b" });
  addTouch(touched, "keys", undefined);
  const others: Touched = new Map();
  addTouch(others, scope, { id: "c" });
  addTouch(others, "objects:others", { id: "x" });
  addTouched(touched, others);
  assert.deepEqual(
    [...touched],
    [
      [scope, [{ id: "a" }, { id: "b" }, { id: "c" }]],
      ["keys", undefined],
      ["objects:others", [{ id: "x" }]],
    ],
  );
  addTouch(others, scope, undefined);
  addTouch(others, scope, { id: "d" });
  addTouched(touched, others);
  assert.equal(touched.get(scope), undefined);
  for (let n = 0; n < 101; n += 1) addTouch(touched, "objects:many", { id: String(n) });
  assert.deepEqual([touched.has("objects:many"), touched.get("objects:many")], [true, undefined]);
});
