import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addLine,
  dropCell,
  moveDown,
  moveLeft,
  moveLine,
  moveRight,
  moveUp,
  narrower,
  placeAtEnd,
  removeCell,
  removeLine,
  renameLine,
  wider,
} from "./edit.ts";
import { notPlaced, problemsOf, readLayout } from "./model.ts";

/** The first cell of this name. */
function at(text: string, name: string): { line: number; cell: number } {
  for (const [line, found] of readLayout(text).lines.entries()) {
    const cell = found.kind === "row" ? found.cells.findIndex((each) => each.name === name) : -1;
    if (cell >= 0) return { line, cell };
  }
  throw new Error(`no ${name}`);
}

const actions = { moveLeft, moveRight, moveUp, moveDown, wider, narrower, removeCell };

const cases: [action: keyof typeof actions, name: string, before: string, after: string | undefined][] = [
  ["moveRight", "a", "a b\nc", "b a\nc"],
  ["moveRight", "b", "a b\nc", undefined],
  ["moveLeft", "b", "a a b\nc", "b a a\nc"],
  ["moveLeft", "a", "a b", undefined],
  // Over two rows, in both.
  ["moveRight", "a", "a b\na c", "b a\nc a"],
  // Out of the row, then into the next one.
  ["moveUp", "b", "x y\na b", "x y\nb b\na"],
  ["moveUp", "b", "x y\nb b\na a", "x y b\na a"],
  ["moveUp", "b", "x x\nb b", "x b"],
  ["moveUp", "b", "x .\nb b", "x b"],
  ["moveUp", "b", ".\nb", "b"],
  ["moveUp", "a", "a a\nb c", undefined],
  ["moveUp", "a", "a b", "a a\nb"],
  ["moveDown", "a", "a b\nc c", "b\na a\nc c"],
  ["moveDown", "a", "a a\nc c", "c a"],
  ["moveDown", "c", "a b\nc", undefined],
  // Over what is no row.
  ["moveUp", "b", "a\n--- Title\nb", "a\nb\n--- Title"],
  ["moveDown", "a", "a\n\n[[ Set\nb\n]]", "\n[[ Set\na\nb\n]]"],
  ["moveUp", "b", "[[ Set\na\n]]\nb", "[[ Set\na\nb\n]]"],
  ["wider", "a", "a b", "a a b"],
  ["wider", "a", "a . b", "a a b"],
  ["wider", "a", "a b\na c", "a a b\na a c"],
  ["wider", "a", "a b c d e f g h i j k l", undefined],
  ["narrower", "a", "a a b", "a . b"],
  ["narrower", "b", "a b b", "a b"],
  ["narrower", "a", "a b", undefined],
  ["removeCell", "a", "a b\nc", "b\nc"],
  ["removeCell", "c", "a b\nc\n---", "a b\n---"],
  ["removeCell", "a", "a b\na c", "b\nc"],
  ["removeCell", ".", "a\n.\nb", "a\nb"],
];

for (const [action, name, before, after] of cases)
  test(`ADM-640 ${action} ${name} makes ${JSON.stringify(before)} ${JSON.stringify(after)}`, () =>
    assert.equal(actions[action](before, at(before, name)), after));

test("ADM-641 a change leaves every other line as it is written", () => {
  const kept = "  a   b\r\n--- Heading  \r\n\r\nno 1name\r\n[[ Set";
  assert.equal(moveRight(`${kept}\r\n\tc  d\r\n]]\r\n`, { line: 5, cell: 0 }), `${kept}\r\n\td c\r\n]]\r\n`);
  assert.equal(placeAtEnd("a  b\r\nc\r\n", ["d"]), "a  b\r\nc\r\nd d\r\n");
  assert.equal(moveRight("a b\\n c  d", { line: 0, cell: 0 }), "b a\\n c  d");
});

test("ADM-641 cells are dropped before another one, or into a row of their own", () => {
  assert.equal(dropCell("a b\nc c", { line: 0, cell: 0 }, { line: 0, cell: 2 }), "b a\nc c");
  assert.equal(dropCell("a b\nc c", { line: 1, cell: 0 }, { line: 0, cell: 0 }), "c a b");
  assert.equal(dropCell("a a\nc c", { line: 1, cell: 0 }, { line: 0, cell: 0 }), "c a");
  assert.equal(dropCell("a b\nc c", { line: 0, cell: 1 }, { line: 2 }), "a\nc c\nb b");
  assert.equal(dropCell("a b\nc c", { line: 0, cell: 1 }, { line: 0 }), "b b\na\nc c");
  assert.equal(dropCell("a b", { line: 0, cell: 0 }, { line: 0, cell: 1 }), undefined);
});

test("ADM-641 rows, headings, dividers and fieldsets come, move and go as lines", () => {
  assert.equal(addLine("a\nb", 0, { kind: "heading", title: " More\n of it " }), "a\n--- More of it\nb");
  assert.equal(addLine("a\n", undefined, { kind: "divider" }), "a\n---\n");
  assert.equal(addLine("", undefined, { kind: "fieldset", title: "Place" }), "[[ Place\n.\n]]");
  assert.equal(renameLine("a\n[[ Old\nb\n]]", 1, "New"), "a\n[[ New\nb\n]]");
  assert.equal(renameLine("---Old---\nb", 0, "New"), "--- New\nb");
  assert.equal(moveLine("a\n---\nb", 1, -1), "---\na\nb");
  assert.equal(moveLine("[[ A\na\n]]\n[[ B\nb\n]]", 3, -1), undefined);
  assert.equal(moveLine("[[ A\n]]", 0, 1), undefined);
  assert.equal(moveLine("[[ A\na\n]]", 2, -1), "[[ A\n]]\na");
  assert.equal(removeLine("[[ A\na\n]]\nb", 0), "a\nb");
  assert.equal(removeLine("[[ A\na\n]]\nb", 2), "a\nb");
});

test("ADM-642 what a form would pass over is named at its line, and what is placed nowhere is known", () => {
  const text = "a b\n1st c\nx a\n]]\n[[ A\n[[ B\nd d\nd d\na b c d e f g h i j k l m";
  assert.deepEqual(
    problemsOf(text, ["a", "b", "c", "d"]).map(({ line, ...rest }) => `${line} ${Object.values(rest).join(" ")}`),
    ["1 notAName 1st", "2 unknown x", "2 twice a", "3 notOpen", "4 notClosed", "5 nested", "8 tooMany"],
  );
  assert.deepEqual(notPlaced(text, ["a", "b", "c", "d"]), ["c"]);
  assert.deepEqual(notPlaced("", ["a"]), ["a"]);
});
