import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { gapAt, moved, placeAfter, placeInGap } from "./order.ts";

test("ADM-310 an entry moves to the top, up, down and to the bottom, and stays where it cannot go further", () => {
  const list = ["a", "b", "c", "d"];
  deepEqual(moved(list, 2, placeAfter("top", 2, 4)), ["c", "a", "b", "d"]);
  deepEqual(moved(list, 2, placeAfter("up", 2, 4)), ["a", "c", "b", "d"]);
  deepEqual(moved(list, 1, placeAfter("down", 1, 4)), ["a", "c", "b", "d"]);
  deepEqual(moved(list, 0, placeAfter("bottom", 0, 4)), ["b", "c", "d", "a"]);
  deepEqual([placeAfter("up", 0, 4), placeAfter("down", 3, 4)], [0, 3]);
  deepEqual(list, ["a", "b", "c", "d"]);
});

test("ADM-310 what is dropped between two entries gets the place between them", () => {
  const column = [0, 10, 20].map((top) => ({ left: 0, top, width: 100, height: 10 }));
  deepEqual(
    [1, 6, 14, 16, 99].map((y) => gapAt(column, { x: 5, y }, "column")),
    [0, 1, 1, 2, 3],
  );
  const lines = [
    { left: 0, top: 0, width: 10, height: 10 },
    { left: 10, top: 0, width: 10, height: 10 },
    { left: 0, top: 10, width: 10, height: 10 },
  ];
  equal(gapAt(lines, { x: 12, y: 5 }, "lines"), 1);
  equal(gapAt(lines, { x: 19, y: 5 }, "lines"), 2);
  equal(gapAt(lines, { x: 2, y: 15 }, "lines"), 2);
  equal(gapAt(lines, { x: 9, y: 15 }, "lines"), 3);
  deepEqual(
    [0, 1, 2, 3].map((gap) => placeInGap(1, gap)),
    [0, 1, 1, 2],
  );
});
