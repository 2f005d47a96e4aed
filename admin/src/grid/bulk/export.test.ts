import assert from "node:assert/strict";
import { test } from "node:test";
import { joinCsv, joinJson } from "./export.ts";

test("parts of an export become one file", () => {
  assert.deepEqual(JSON.parse(joinJson(['[\n{"id":"a"},\n{"id":"b"}\n]\n', "[]", '[{"id":"c"}]'])), [
    { id: "a" },
    { id: "b" },
    { id: "c" },
  ]);
  assert.equal(joinCsv(["id,title\r\na,A\r\n", "id,title\r\nb,B\r\n"]), "id,title\r\na,A\r\nb,B\r\n");
});

test("parts with different columns are not joined", () => {
  assert.throws(() => joinCsv(["id\na\n", "id,x\nb,1\n"]), /different columns/);
});
