import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError, type ErrorWord } from "#base/errors.ts";
import { readJsonArray, readJsonLines } from "./read-json.ts";
import { BadRow, type ImportRow } from "./rows.ts";

const limits = { maxObjectSize: 1_000 };

/** The bytes of a text in pieces of one size, so that cuts fall anywhere. */
async function* pieces(text: string | Uint8Array, size: number): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 7): Promise<(ImportRow | string)[]> {
  const rows: (ImportRow | string)[] = [];
  for await (const row of readJsonArray(pieces(text, size), limits))
    rows.push(row instanceof BadRow ? row.message : row);
  return rows;
}

const failsWith = (word: ErrorWord) => (error: unknown) =>
  error instanceof CairnError && error.word === word && error.details?.file !== undefined;
const isRefused = failsWith("refused");
const isMalformed = failsWith("malformed-json");

test("IMP-10 a JSON array gives its objects wherever the stream is cut", async () => {
  const objects = [{ a: 'q"]}\\', b: [1, { c: "[{" }] }, {}, { text: "é中🙂", nested: { deep: [[]] } }];
  const text = `  ${JSON.stringify(objects, null, 1)} \n`;
  for (const size of [1, 2, 3, 5, 64, 10_000]) assert.deepEqual(await read(text, size), objects);
});

test("IMP-10 an empty array, and a byte order mark before it, hold no rows", async () => {
  assert.deepEqual(await read("[]"), []);
  assert.deepEqual(await read("\ufeff [ \n ]", 1), []);
});

test("IMP-11 JSON that is not an array of objects is refused with details", async () => {
  for (const text of ['{"a":1}', ' {"a":[1,"]"]} ', "5", '"x"', "null", "[1,2]", '["a"]'])
    for (const size of [1, 7, 1_000]) await assert.rejects(read(text, size), isRefused, text);
});

test("IMP-11 text that is not JSON, or breaks off, is malformed", async () => {
  const broken = ["[", '[{"a":1}', '[{"a":1},', '[{"a":"', '{"a":1'];
  const other = ["", "   ", "nonsense", "{bad", "[{bad}]", '{"a":1} x', '[{"a":1}] x', '[{"a":1}}, {"b":2}]'];
  for (const text of [...broken, ...other])
    for (const size of [1, 7, 1_000]) await assert.rejects(read(text, size), isMalformed, text);
});

test("IMP-12 a broken element is a bad row and the rest goes on", async () => {
  const rows = await read('[{"a":1}, {"b":nope}, 7, {"__proto__":{}}, {"c":3},]');
  assert.deepEqual([rows[0], rows[4]], [{ a: 1 }, { c: 3 }]);
  assert.equal(rows.length, 6);
  for (const at of [1, 2, 3, 5]) assert.equal(typeof rows[at], "string");
});

test("IMP-13 an object beyond the size limit is refused before it is held", async () => {
  await assert.rejects(read(`[{"a":"${"x".repeat(2_000)}"}]`), isRefused);
});

test("IMP-10 NDJSON gives one object for each line, with or without a last line end", async () => {
  const rows: ImportRow[] = [];
  for await (const row of readJsonLines(pieces('{"a":1}\r\n\n{"b":"x\\ny"}\n{oops\n{"c":3}', 4), limits))
    rows.push(row);
  assert.deepEqual([rows[0], rows[1], rows[3]], [{ a: 1 }, { b: "x\ny" }, { c: 3 }]);
  assert.ok(rows[2] instanceof BadRow);
});
