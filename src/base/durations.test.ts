import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "./durations.ts";

test("RATE-12 durations are written as in ISO 8601", () => {
  for (const [text, expected] of [
    ["PT15M", 900_000],
    ["PT1H", 3_600_000],
    ["P1D", 86_400_000],
    ["P30D", 2_592_000_000],
    ["P2W", 1_209_600_000],
    ["P1DT2H3M4S", 93_784_000],
    ["PT0S", 0],
  ] as const)
    assert.equal(parseDuration(text), expected, text);
});

test("RATE-12 text that is not a duration of a fixed length is refused", () => {
  for (const text of [
    "",
    "P",
    "PT",
    "P1DT",
    "15M",
    "PT15",
    "P1M",
    "P1Y",
    "PT1.5H",
    "-PT1H",
    "pt1h",
    " PT1H",
    "P1W2D",
    "P9999999999999999D",
  ])
    assert.equal(parseDuration(text), undefined, text);
});
