import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "#contract/json.ts";
import { cutMark, cutToFit, findCut, itemsToFit } from "./budget.ts";

test("MCT-22 an answer that fits stays whole", () => {
  assert.equal(cutToFit({ a: "x".repeat(900) }, 1_000), undefined);
  assert.deepEqual(itemsToFit([{ a: 1 }, { a: 2 }], 1_000), [{ a: 1 }, { a: 2 }]);
});

test("MCT-22 the longest values are cut, and named", () => {
  const object = {
    id: "a",
    short: "fine",
    long: "y".repeat(5_000),
    deep: { text: "z".repeat(5_000), n: 1 },
    list: Array(50).fill(1),
  };
  const { object: cut, cut: names } = cutToFit(object, 2_000) as { object: JsonObject; cut: string[] };
  assert.ok(JSON.stringify(cut).length <= 2_000);
  assert.deepEqual(names, ["long", "deep.text"]);
  assert.deepEqual([cut.id, cut.short, cut.list], ["a", "fine", object.list]);
  assert.ok(String(cut.long).endsWith(cutMark));
  assert.equal(findCut(cut), "long");
  assert.equal(findCut({ a: [{ b: `x${cutMark}` }] }), "a.0.b");
  assert.equal(findCut(object), undefined);
});

test("MCT-22 lists and maps of very many entries are cut as well", () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => ({ at, word: "w".repeat(50) }));
  const map = Object.fromEntries(rows.map(({ at }) => [`k${at}`, "v".repeat(50)]));
  for (const object of [{ rows }, { map }, { rows, map, text: "t".repeat(100_000) }]) {
    const { object: cut, cut: names } = cutToFit(object, 3_000) as { object: JsonObject; cut: string[] };
    assert.ok(JSON.stringify(cut).length <= 3_000, String(JSON.stringify(cut).length));
    assert.ok(names.length > 0);
  }
});

test("MCT-22 a page holds as many items as fit, and one at least", () => {
  const item = (at: number) => ({ id: `i${at}`, text: "x".repeat(300) });
  assert.equal(itemsToFit([1, 2, 3, 4, 5].map(item), 1_000).length, 3);
  const [only, ...others] = itemsToFit([{ id: "big", text: "x".repeat(5_000) }, item(1)], 1_000);
  assert.deepEqual([only?.id, others], ["big", []]);
  assert.ok(JSON.stringify(only).length <= 1_000);
});

test("MCT-22 a character is never cut in half", () => {
  const { object } = cutToFit({ text: `x${"😀".repeat(2_000)}` }, 1_000) as { object: JsonObject };
  assert.ok(String(object.text).isWellFormed());
});
