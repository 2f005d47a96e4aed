import assert from "node:assert/strict";
import { test } from "node:test";
import {
  endBehind,
  endNumbers,
  goOnWithNumbers,
  isOwnNumber,
  lastOf,
  type OwnNumbers,
  readNumbers,
} from "./own-numbers.ts";

test("HIS-27 a collection that comes back has its own numbers, and none of those in between", () => {
  assert.deepEqual([isOwnNumber(readNumbers(""), 5), isOwnNumber([], 5)], [true, false]);
  const first = endNumbers([[0, null]], 10);
  assert.deepEqual(goOnWithNumbers(first, 10), [[0, null]]);
  const back = goOnWithNumbers(first, 20);
  assert.deepEqual(back, [
    [0, 10],
    [20, null],
  ]);
  assert.deepEqual(
    [0, 1, 10, 11, 20, 21].filter((number) => isOwnNumber(back, number)),
    [1, 10, 21],
  );
  assert.deepEqual([lastOf(back as unknown as []), lastOf(undefined), lastOf(["x"])], [20, 0, 0]);
  let often: OwnNumbers = first;
  for (let time = 2; time < 500; time += 1) often = endNumbers(goOnWithNumbers(often, time * 20), time * 20 + 10);
  assert.equal(often.length, 200);
});

test("HIS-27 a deleted collection keeps the objects that were stored while its deletion began", () => {
  const twice: OwnNumbers = [
    [0, 10],
    [20, 30],
  ];
  assert.deepEqual(endBehind(twice, 33), [
    [0, 10],
    [20, 33],
  ]);
  assert.deepEqual(endBehind(twice, 25), twice);
});
