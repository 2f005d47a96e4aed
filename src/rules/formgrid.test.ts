import assert from "node:assert/strict";
import { test } from "node:test";
import { type FormBlock, readFormgrid } from "./formgrid.ts";

/** `name row/column+columns(xrows)`. */
function shown(blocks: FormBlock[]): unknown[] {
  return blocks.map((block) => {
    if (block.kind === "fieldset") return { [block.legend]: shown(block.parts) };
    if (block.kind === "heading") return `# ${block.title}`;
    if (block.kind === "divider") return "---";
    return block.cells.map(
      ({ name, row, column, columns, rows }) => `${name} ${row}/${column}+${columns}${rows > 1 ? `x${rows}` : ""}`,
    );
  });
}

const cases: [text: string, names: string, expected: unknown[]][] = [
  ["", "a b", [["a 1/1+1", "b 2/1+1"]]],
  ["title title\ndate author", "title date author", [["title 1/1+2", "date 2/1+1", "author 2/2+1"]]],
  ["a b\n. c", "a b c d", [["a 1/1+1", "b 1/2+1", "c 2/2+1"], ["d 1/1+2"]]],
  ["a b\na c", "a b c", [["a 1/1+1x2", "b 1/2+1", "c 2/2+1"]]],
  [
    "a\n---\nb\n--- More\nc\n---Last---\nd",
    "a b c d",
    [["a 1/1+1"], "---", ["b 1/1+1"], "# More", ["c 1/1+1"], "# Last", ["d 1/1+1"]],
  ],
  ["[[ Place\na b\n]]\nc c", "a b c", [{ Place: [["a 1/1+1", "b 1/2+1"]] }, ["c 1/1+2"]]],
  ["[[ Open\na", "a b", [{ Open: [["a 1/1+1"]] }, ["b 1/1+1"]]],
  ["a b a", "a b", [["a 1/1+1", "b 1/2+1"]]],
  ["unknown a\n1st b\na", "a b", [["a 1/2+1"], ["b 1/1+2"]]],
  ["x", "", []],
];

for (const [text, names, expected] of cases)
  test(`ADM-220 ${JSON.stringify(text)} lays out ${names || "nothing"}`, () =>
    assert.deepEqual(shown(readFormgrid(text, names.split(" ").filter(Boolean))), expected));
