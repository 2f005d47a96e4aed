import assert from "node:assert/strict";
import { test } from "node:test";
import { readJson } from "./read-json.ts";

test("ADM-229 JSON text is read, or the place where it ends being JSON is named", () => {
  assert.deepEqual(readJson('{"a": 1}'), { value: { a: 1 } });
  assert.deepEqual(readJson('{\n  "a": x\n}'), { line: 2, column: 8 });
  assert.deepEqual(readJson('{\n  "a": 1'), { line: 2, column: 9 });
  assert.deepEqual(readJson(""), { line: 1, column: 1 });
});
