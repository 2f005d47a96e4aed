// A time as text and back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { millisecondsOf } from "./clock.ts";

test("HIS-25 the time of a change is exact, within a minute and across its end", () => {
  for (const from of [0, Date.UTC(2026, 10, 18, 9, 14, 58), Date.UTC(1999, 11, 31, 23, 59, 59), -1_500])
    for (let at = from; at < from + 3_000; at += 7) assert.equal(millisecondsOf(new Date(at).toISOString()), at);
});

test("HIS-25 a time in another form is parsed", () => {
  for (const text of [
    "2026-03-01T12:00:00Z",
    "2026-03-01T12:00:00.500+01:00",
    "2026-03-01T12:00:00+02:00",
    "2026-03-01",
  ])
    assert.equal(millisecondsOf(text), Date.parse(text));
});
