import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { placeOfMistake, textOfValue, valueOfText } from "./json-text.ts";

test("ADM-386 JSON text becomes its value; any value becomes text and comes back the same", () => {
  for (const value of [{ a: [1, null, "x"] }, [], "text", '{"a":', 0, false]) {
    deepEqual(valueOfText(textOfValue(value)), value);
    equal(placeOfMistake(value), undefined);
  }
  for (const nothing of ["", "  \n", "null"]) equal(valueOfText(nothing), null);
  for (const nothing of [undefined, null, ""]) equal(textOfValue(nothing), "");
});

test("ADM-386 text that is no JSON stays as it was typed, with the place of the mistake", () => {
  const typed = '{\n  "a": 1,\n  b\n}';
  const value = valueOfText(typed);
  equal(textOfValue(value), typed);
  deepEqual(placeOfMistake(value), { line: 3, column: 3 });
});
