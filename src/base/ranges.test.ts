import assert from "node:assert/strict";
import { test } from "node:test";
import { leastTime } from "./patience.fixture.ts";
import { parseRange } from "./ranges.ts";

for (const [header, size, expected] of [
  [undefined, 10, "none"],
  ["", 10, "none"],
  ["bytes=0-0", 10, { start: 0, end: 0 }],
  ["bytes=5-", 10, { start: 5, end: 9 }],
  ["bytes=-3", 10, { start: 7, end: 9 }],
  ["bytes=-99", 10, { start: 0, end: 9 }],
  ["bytes=0-99", 10, { start: 0, end: 9 }],
  ["bytes=0-99999999999999999999999", 10, { start: 0, end: 9 }],
  ["bytes=9-9", 10, { start: 9, end: 9 }],
  ["Bytes=2-3", 10, { start: 2, end: 3 }],
  ["bytes= 2-3 ", 10, { start: 2, end: 3 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=10-20", 10, "unsatisfiable"],
  ["bytes=99999999999999999999999-", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-5", 0, "none"],
  ["bytes=a-b", 10, "none"],
  ["bytes=-", 10, "none"],
  ["bytes=", 10, "none"],
  ["bytes=5", 10, "none"],
  ["bytes=5-2", 10, "none"],
  ["bytes=--5", 10, "none"],
  ["bytes=1-2-3", 10, "none"],
  ["bytes=0x1-2", 10, "none"],
  ["bytes=+1-2", 10, "none"],
  ["bytes=1.5-2", 10, "none"],
  ["bytes 0-1", 10, "none"],
  ["items=0-1", 10, "none"],
  ["bytes=0-1,3-4", 10, "none"],
] as const) {
  test(`FILE-26 (T52) ${header} of ${size} bytes`, () => {
    assert.deepEqual(parseRange(header, size), expected);
  });
}

test("FILE-26 (T53) a thousand ranges are the whole file, and quick to refuse", async () => {
  for (const header of [`bytes=${Array(100_000).fill("0-").join(",")}`, `bytes=${" ".repeat(100_000)}x`]) {
    assert.equal(parseRange(header, 100), "none");
    assert.ok((await leastTime(50, () => parseRange(header, 100))) < 50);
  }
});
