import { equal } from "node:assert/strict";
import { test } from "node:test";
import { numberText, parseNumber, stepNumber } from "./number-text.ts";

test("ADM-111 numbers are read as the language writes them", () => {
  const cases: [text: string, language: string, value: number | undefined][] = [
    ["12.5", "en", 12.5],
    ["1,204", "en", 1204],
    ["1,204.5", "en", 1204.5],
    ["-3", "en", -3],
    ["−3", "en", -3],
    [".5", "en", 0.5],
    ["1e3", "en", 1000],
    ["12,5", "en", undefined],
    ["12,5", "de", 12.5],
    ["1.204,5", "de", 1204.5],
    ["12.5", "de", 12.5],
    ["1 204", "en", 1204],
    ["", "en", undefined],
    ["-", "en", undefined],
    ["12 stones", "en", undefined],
  ];
  for (const [text, language, value] of cases) equal(parseNumber(text, language), value, `${text} (${language})`);
});

test("ADM-111 a number is written with all its digits and without grouping", () => {
  equal(numberText(1204.5, "en"), "1204.5");
  equal(numberText(1204.5, "de"), "1204,5");
  equal(numberText(0.1, "en"), "0.1");
});

test("ADM-111 a step starts from what was typed, has no rounding errors and stops at the bounds", () => {
  equal(stepNumber("0.2", 1, { step: 0.1 }, "en"), "0.3");
  equal(stepNumber("", 1, {}, "en"), "1");
  equal(stepNumber("9", 10, { max: 12 }, "en"), "12");
  equal(stepNumber("0", -1, { min: 0 }, "en"), "0");
  equal(stepNumber("1,5", 1, {}, "de"), "2,5");
});
