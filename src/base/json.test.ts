import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson, parseLargeJson } from "./json.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const refused = { name: "CairnError", status: 400, word: "malformed-json" };

test("HTTP-20 well-formed JSON of any kind is read", () => {
  assert.deepEqual(parseJson(bytes('{"a":[1,-2.5e3,true,null,"\\u00fc\\ud83d\\ude00"]}')), {
    a: [1, -2500, true, null, "ü😀"],
  });
  assert.equal(parseJson(bytes('"text"')), "text");
});

for (const [what, text] of [
  ["broken JSON", '{"a":'],
  ["trailing text", "{} {}"],
  ["a single quote", "{'a':1}"],
  ["a byte order mark", "\ufeff{}"],
  ["65 levels", "[".repeat(65) + "]".repeat(65)],
  ["30,000 levels", "[".repeat(30_000) + "]".repeat(30_000)],
  ["100,000 levels", "[".repeat(100_000) + "]".repeat(100_000)],
  ["100,000 open brackets", "[".repeat(100_000)],
  ["a number beyond range", '{"a":1e400}'],
  ["400 digits", `[${"9".repeat(400)}]`],
  ["a lone surrogate", '["\\ud800"]'],
  ["a lone surrogate in a key", '{"\\udc00":1}'],
  ["__proto__", '{"__proto__":{"polluted":1}}'],
  ["__proto__ spelled with escapes", '{"\\u005f_proto__":1}'],
  ["a nested constructor", '{"a":[{"constructor":{"prototype":1}}]}'],
] as const)
  test(`HTTP-21 ${what} is refused (T13, T9)`, () => {
    assert.throws(() => parseJson(bytes(text)), refused);
  });

test("HTTP-21 bytes that are not UTF-8 are refused (T13)", () => {
  assert.throws(() => parseJson(Uint8Array.of(0x22, 0xc3, 0x28, 0x22)), refused);
});

test("HTTP-20 refused keys are fine as values, and 64 levels are fine", () => {
  assert.deepEqual(parseJson(bytes('{"a":"__proto__","b":"constructor"}')), { a: "__proto__", b: "constructor" });
  parseJson(bytes("[".repeat(64) + "]".repeat(64)));
});

test("HTTP-20 brackets inside texts do not count as depth", () => {
  assert.deepEqual(parseJson(bytes(`["${"[{".repeat(100)}", "\\"[[["]`)), ["[{".repeat(100), '"[[[']);
});

test("BOUND-2 a body has limits of values and keys, input of administrators has none", () => {
  const list = (count: number, item: (at: number) => string) =>
    `[${Array.from({ length: count }, (_, at) => item(at))}]`;
  for (const [item, most] of [
    [() => "1", 249_998],
    [() => '{"a":"x, y: [z]"}', 100_000],
    [(at: number) => `{"k${at}":1}`, 10_000],
  ] as const) {
    assert.equal((parseJson(bytes(list(most, item))) as unknown[]).length, most);
    assert.throws(() => parseJson(bytes(list(most + 2, item))), refused);
    assert.equal((parseLargeJson(bytes(list(most + 2, item))) as unknown[]).length, most + 2);
  }
});
