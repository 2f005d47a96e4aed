import assert from "node:assert/strict";
import { test } from "node:test";
import { placedAt } from "./place.ts";

test("ATM-46 the place of an error is that of the read that failed", () => {
  const source = [
    "export default async (ctx) => {",
    "  const rows = ctx.rows();",
    "  const a = {};",
    "  return a.b.c + a['d e'];",
    "};",
  ].join("\n");
  const at = (message: string) => placedAt(message, source);
  const read = "TypeError: cannot read property 'c' of undefined";
  assert.equal(at(`${read} (handler.js:1:1)`), `${read} (handler.js:4:14)`);
  assert.equal(at(`${read} (handler.js:2:20)`), `${read} (handler.js:4:14)`);
  const named = "ReferenceError: rows is not defined";
  assert.equal(at(`${named} (handler.js:1:1)`), `${named} (handler.js:2:9)`);
  const missing = "ReferenceError: nope is not defined (handler.js:1:1)";
  assert.equal(at(missing), missing);
  const thrown = "Error: no (handler.js:4:3)";
  assert.equal(at(thrown), thrown);
});
