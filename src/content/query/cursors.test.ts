import assert from "node:assert/strict";
import { test } from "node:test";
import { CairnError } from "#base/errors.ts";
import type { Comparison, Selection } from "#storage/query/selection.ts";
import { readCursor, writeCursor } from "./cursors.ts";

function sortedBy(...comparisons: Comparison[]): Selection {
  return {
    collection: "products",
    include: [],
    exclude: [],
    hideDrafts: false,
    sort: comparisons.map((comparison, index) => ({
      operand: { property: `p${index}`, source: "index", comparison },
      descending: false,
    })),
  };
}

const forge = (content: unknown) => Buffer.from(JSON.stringify(content)).toString("base64url");
const shapeOf = (cursor: string) => JSON.parse(Buffer.from(cursor, "base64url").toString())[0];

test("LST-11 a cursor carries the position it was made of", () => {
  const position = { values: ["lamp", 5, null, true], id: "a" };
  const selection = sortedBy("text", "number", "date", "boolean");
  assert.deepEqual(readCursor(selection, writeCursor(selection, position) as string), position);
});

test("LST-12 a cursor of another request, or none at all, is refused by name", () => {
  const selection = sortedBy("text");
  const cursor = writeCursor(selection, { values: ["x"], id: "a" }) as string;
  const foreign = [{ ...selection, collection: "others" }, { ...selection, hideDrafts: true }, sortedBy("number")];
  for (const other of foreign) assert.throws(() => readCursor(other, cursor), CairnError);
  for (const text of ["", "x", "!!!", forge(null), forge({}), forge([]), `${cursor.slice(0, -4)}AAAA`])
    assert.throws(
      () => readCursor(selection, text),
      { details: { cursor: ["cursor is not one that was given for this request."] } },
      text,
    );
});

test("LST-12 forged values of the wrong type never reach the database", () => {
  const selection = sortedBy("number", "text");
  const shape = shapeOf(writeCursor(selection, { values: [1, "a"], id: "a" }) as string);
  const forged = [
    [shape, "1", "a", "id"],
    [shape, 1, 2, "id"],
    [shape, 1, "a\0", "id"],
    [shape, 1, "\ud800", "id"],
    [shape, { $gt: 1 }, "a", "id"],
    [shape, 1, "a", 7],
    [shape, 1, "a", "id", "more"],
  ];
  for (const content of forged) assert.throws(() => readCursor(selection, forge(content)), CairnError);
  const infinite = Buffer.from(`["${shape}",1e999,"a","id"]`).toString("base64url");
  assert.throws(() => readCursor(selection, infinite), CairnError);
});

test("LST-13 relevance and random order have no cursors", () => {
  const position = { values: [], id: "a" };
  const search = { terms: [["lamp"]], mode: "and" as const };
  assert.equal(writeCursor({ ...sortedBy(), search }, position), undefined);
  assert.equal(writeCursor({ ...sortedBy(), shuffle: true }, position), undefined);
  assert.equal(writeCursor(sortedBy("text"), { values: ["x".repeat(5_000)], id: "a" }), undefined);
});
