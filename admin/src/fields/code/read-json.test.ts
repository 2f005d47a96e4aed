import assert from "node:assert/strict";
import { test } from "node:test";
import { readJson } from "./read-json.ts";

test("ADM-229 JSON text is read, or the place where it ends being JSON is named", () => {
  assert.deepEqual(readJson('{"a": 1}'), { value: { a: 1 } });
  const wrong: [text: string, line: number, column: number][] = [
    ['{\n  "a": x\n}', 2, 8],
    ['{\n  "a": 1', 2, 9],
    ["", 1, 1],
    ["{a: 1}", 1, 2],
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ['[1, [2, {"b": [true, nul]}]]', 1, 22],
    ['{"a": []} x', 1, 11],
    ['{"a": "open}', 1, 7],
    ["[1 2]", 1, 4],
  ];
  for (const [text, line, column] of wrong) assert.deepEqual(readJson(text), { line, column }, text);
});
