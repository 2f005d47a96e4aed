// The text of a layout as lines of cells, to be drawn and checked. Pure. What changes the text is in edit.ts.

import { cellName, isMark, lineBreak, maxColumns } from "@rules/formgrid.ts";

/** One name, over one or more columns; "." is an empty cell. */
export interface Cell {
  name: string;
  /** From 1. */
  column: number;
  columns: number;
  /** More than 1 where the rows below have it at the same place. */
  rows: number;
  /** It stands for the one above it. */
  isBelow: boolean;
}

export type Line =
  | { kind: "row"; cells: Cell[] }
  | { kind: "divider" }
  | { kind: "heading"; title: string }
  | { kind: "open"; legend: string }
  /** Of the fieldset with this legend. */
  | { kind: "close"; legend: string }
  | { kind: "blank" }
  /** It is shown nowhere. */
  | { kind: "wrong" };

export interface Layout {
  /** As many as the text has. */
  lines: Line[];
  /** Of all rows together. */
  columns: number;
}

export type LayoutProblem = { line: number } & (
  | { problem: "unknown" | "twice" | "notAName"; name: string }
  | { problem: "tooMany" | "nested" | "notOpen" | "notClosed" }
);

export function readLayout(text: string): Layout {
  let legend = "";
  const lines = linesOf(text).map((line): Line => {
    if (line === "") return { kind: "blank" };
    if (line.startsWith("[[")) {
      legend = line.slice(2).trim();
      return { kind: "open", legend };
    }
    if (line.startsWith("]]")) return { kind: "close", legend };
    if (line.startsWith("---")) {
      const title = line.replace(/^-+|-+$/g, "").trim();
      return title === "" ? { kind: "divider" } : { kind: "heading", title };
    }
    const words = wordsOf(line);
    return words ? { kind: "row", cells: cellsOf(words) } : { kind: "wrong" };
  });
  joinBelow(lines);
  return { lines, columns: columnsOf(text) };
}

function linesOf(text: string): string[] {
  return text.split(lineBreak).map((line) => line.trim());
}

export function columnsOf(text: string): number {
  return Math.max(1, ...linesOf(text).map((line) => (isMark(line) ? 0 : (wordsOf(line)?.length ?? 0))));
}

/** Undefined: a word is no name, or there are too many. */
export function wordsOf(line: string): string[] | undefined {
  const words = line.split(/\s+/).filter((word) => word !== "");
  const isRow = words.length > 0 && words.length <= maxColumns && words.every((word) => cellName.test(word));
  return isRow ? words : undefined;
}

function cellsOf(words: readonly string[]): Cell[] {
  const cells: Cell[] = [];
  for (const [at, name] of words.entries()) {
    const last = cells.at(-1);
    if (last?.name === name) last.columns += 1;
    else cells.push({ name, column: at + 1, columns: 1, rows: 1, isBelow: false });
  }
  return cells;
}

/** As the form does: the same name at the same columns of the next row is one field over both. */
function joinBelow(lines: readonly Line[]): void {
  let open: Cell[] = [];
  for (const line of lines) {
    if (line.kind !== "row") {
      if (line.kind !== "blank" && line.kind !== "wrong") open = [];
      continue;
    }
    open = line.cells.map((cell) => {
      const above = open.find(
        (each) => each.name === cell.name && each.column === cell.column && each.columns === cell.columns,
      );
      if (!above || cell.name === ".") return cell;
      above.rows += 1;
      cell.isBelow = true;
      return above;
    });
  }
}

/** Properties that the text names nowhere: the form shows them below, each in a row of its own. */
export function notPlaced(text: string, names: readonly string[]): string[] {
  const placed = new Set(
    readLayout(text).lines.flatMap((line) => (line.kind === "row" ? line.cells.map(({ name }) => name) : [])),
  );
  return names.filter((name) => !placed.has(name));
}

/** Lines count from 0. `names`: those that a form knows. */
export function problemsOf(text: string, names: readonly string[]): LayoutProblem[] {
  const { lines } = readLayout(text);
  const problems = structureProblems(lines);
  const seen = new Set<string>();
  for (const [line, words] of linesOf(text).entries()) {
    const found = lines[line];
    if (found?.kind === "wrong") {
      const name = words.split(/\s+/).find((word) => !cellName.test(word));
      problems.push(name === undefined ? { line, problem: "tooMany" } : { line, problem: "notAName", name });
    }
    for (const { name, isBelow } of found?.kind === "row" ? found.cells : []) {
      if (name === "." || isBelow) continue;
      if (!names.includes(name)) problems.push({ line, problem: "unknown", name });
      else if (seen.has(name)) problems.push({ line, problem: "twice", name });
      seen.add(name);
    }
  }
  return problems.sort((a, b) => a.line - b.line);
}

export function structureProblems(lines: readonly Line[]): LayoutProblem[] {
  const problems: LayoutProblem[] = [];
  let opened: number | undefined;
  for (const [line, { kind }] of lines.entries()) {
    if (kind === "open") {
      if (opened !== undefined) problems.push({ line, problem: "nested" });
      opened ??= line;
    } else if (kind === "close") {
      if (opened === undefined) problems.push({ line, problem: "notOpen" });
      opened = undefined;
    }
  }
  if (opened !== undefined) problems.push({ line: opened, problem: "notClosed" });
  return problems;
}
