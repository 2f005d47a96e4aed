import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { nextTimes } from "./next-times.ts";

const from = new Date("2027-03-01T12:00:00Z");
const shown = (text: string, timezone = "UTC") => {
  const found = nextTimes(text, timezone, { from, count: 2 });
  return "isWrong" in found ? "wrong" : found.times.map((time) => time.toISOString());
};

test("ADM-714 the next times of a schedule are worked out in the time zone of the site", () => {
  deepEqual(shown("0 6 * * *"), ["2027-03-02T06:00:00.000Z", "2027-03-03T06:00:00.000Z"]);
  deepEqual(shown("0 6 * * *", "Europe/Berlin"), ["2027-03-02T05:00:00.000Z", "2027-03-03T05:00:00.000Z"]);
  deepEqual(shown("@weekly"), ["2027-03-07T00:00:00.000Z", "2027-03-14T00:00:00.000Z"]);
  deepEqual(shown("0 0 30 2 *"), []);
  for (const text of ["", "x", "* * * *", "61 * * * *", "2027-03-02T06:00:00Z", "* * * * * *"])
    deepEqual(shown(text), "wrong", text);
});
