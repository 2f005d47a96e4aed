// Changes of a layout's text, one for each thing that can be done to a drawn cell or line. All lines that a change does not
// concern stay as they are written. Each answers the new text, or undefined where the change is not possible. Pure.

import { isMark, lineBreak, maxColumns } from "@rules/formgrid.ts";
import { columnsOf, readLayout, structureProblems, wordsOf } from "./model.ts";

/** A cell: its line, and its number among the cells of the line; both from 0. */
export interface CellPlace {
  line: number;
  cell: number;
}

/** Before the cell of a row, or as a row of its own before the line. */
export interface DropPlace {
  line: number;
  cell?: number;
}

interface Run {
  name: string;
  columns: number;
}

interface EditedLine {
  /** As it is written. */
  text: string;
  /** What ends it; empty for the last. */
  end: string;
  /** Of a row. */
  runs?: Run[];
}

export function moveLeft(text: string, place: CellPlace): string | undefined {
  return inSpan(text, place, (runs, at) => swap(runs, at, at - 1));
}

export function moveRight(text: string, place: CellPlace): string | undefined {
  return inSpan(text, place, (runs, at) => swap(runs, at, at + 1));
}

/** Out of its row into one of its own, then into the row above, or over a heading. */
export function moveUp(text: string, place: CellPlace): string | undefined {
  return moveAcross(text, place, -1);
}

export function moveDown(text: string, place: CellPlace): string | undefined {
  return moveAcross(text, place, 1);
}

export function wider(text: string, place: CellPlace): string | undefined {
  return inSpan(text, place, (runs, at) => {
    const next = runs[at + 1];
    const isFree = next?.name === ".";
    if (!isFree && widthOf(runs) >= maxColumns) return undefined;
    return runs.flatMap((run, each) => {
      if (each === at) return [{ ...run, columns: run.columns + 1 }];
      if (each !== at + 1 || !isFree) return [run];
      return run.columns > 1 ? [{ ...run, columns: run.columns - 1 }] : [];
    });
  });
}

/** What stands beside it stays where it is. */
export function narrower(text: string, place: CellPlace): string | undefined {
  return inSpan(text, place, (runs, at) => {
    const run = runs[at] as Run;
    if (run.columns === 1) return undefined;
    return [
      ...runs.slice(0, at),
      { ...run, columns: run.columns - 1 },
      { name: ".", columns: 1 },
      ...runs.slice(at + 1),
    ];
  });
}

export function removeCell(text: string, place: CellPlace): string | undefined {
  return inSpan(text, place, (runs, at) => runs.filter((_, each) => each !== at));
}

export function dropCell(text: string, from: CellPlace, to: DropPlace): string | undefined {
  const columns = columnsOf(text);
  return edit(text, (lines) => {
    const run = lines[from.line]?.runs?.[from.cell];
    const target = lines[to.line];
    if (!run) return undefined;
    const isWithin = to.cell !== undefined && to.line === from.line;
    if (isWithin && (to.cell === from.cell || to.cell === from.cell + 1)) return undefined;
    const moving = isWithin ? run : { name: run.name, columns: to.cell === undefined ? columns : 1 };
    // Marked, because the numbers of lines and cells move.
    const gone: Run = { name: "", columns: 0 };
    const cleared = withoutSpan(lines, from, gone);
    if (to.cell === undefined) return insertAt(cleared, to.line, [rowOf([moving])]);
    if (!target?.runs) return undefined;
    return cleared.map((line, at) => {
      if (at !== to.line || !line.runs) return line;
      const rest = [...line.runs];
      const joined = isWithin ? rest : fitted(rest, columns);
      if (!joined) return line;
      return { ...line, runs: joined.toSpliced(to.cell as number, 0, moving) };
    });
  });
}

/** In a row of its own at the end. */
export function placeAtEnd(text: string, names: readonly string[]): string {
  const columns = columnsOf(text);
  const isOpen = structureProblems(readLayout(text).lines).some(({ problem }) => problem === "notClosed");
  const rows = names.map((name) => rowOf([{ name, columns }]));
  return addLines(text, undefined, [...(isOpen ? [{ text: "]]", end: "" }] : []), ...rows]);
}

export type NewLine = { kind: "row" | "divider" } | { kind: "heading" | "fieldset"; title: string };

/** After the line, else at the end. */
export function addLine(text: string, after: number | undefined, line: NewLine): string {
  const written = {
    row: () => ["."],
    divider: () => ["---"],
    heading: () => [`--- ${titleOf(line)}`],
    fieldset: () => [`[[ ${titleOf(line)}`, ".", "]]"],
  }[line.kind]();
  return addLines(
    text,
    after,
    written.map((each) => ({ text: each, end: "" })),
  );
}

function titleOf(line: NewLine): string {
  return "title" in line ? line.title.replace(/\s+/g, " ").trim() : "";
}

/** Of a heading or a fieldset. */
export function renameLine(text: string, at: number, title: string): string | undefined {
  return edit(text, (lines) => {
    const line = lines[at];
    const mark = line?.text.trim().startsWith("[[") ? "[[" : "---";
    return line && lines.toSpliced(at, 1, { ...line, text: `${mark} ${titleOf({ kind: "heading", title })}` });
  });
}

/** Past the line before or after it; a fieldset neither passes its own end nor goes into another one. */
export function moveLine(text: string, at: number, step: -1 | 1): string | undefined {
  const moved = edit(text, (lines) => {
    const to = neighbour(lines, at, step);
    const line = lines[at];
    return line && to !== undefined ? lines.toSpliced(at, 1).toSpliced(to, 0, line) : undefined;
  });
  const problemsIn = (each: string) => structureProblems(readLayout(each).lines).length;
  const lines = readLayout(text).lines;
  const isCrossing = moved !== undefined && isFieldsetMark(lines[at]?.kind) && legendsOf(moved) !== legendsOf(text);
  return moved === undefined || isCrossing || problemsIn(moved) > problemsIn(text) ? undefined : moved;
}

function isFieldsetMark(kind: string | undefined): boolean {
  return kind === "open" || kind === "close";
}

/** The order of beginnings and ends. */
function legendsOf(text: string): string {
  return readLayout(text)
    .lines.flatMap((line) => (line.kind === "open" || line.kind === "close" ? [line.kind] : []))
    .join(" ");
}

/** A fieldset goes with its end; its rows stay. */
export function removeLine(text: string, at: number): string | undefined {
  const { lines: known } = readLayout(text);
  const kind = known[at]?.kind;
  const last = known.findIndex((line, each) => each > at && line.kind === "close");
  const first = known.findLastIndex((line, each) => each < at && line.kind === "open");
  const other = kind === "open" ? last : kind === "close" ? first : -1;
  return edit(text, (lines) => lines.filter((_, each) => each !== at && each !== other));
}

/* How lines are taken apart and written again. */

function edit(text: string, change: (lines: EditedLine[]) => EditedLine[] | undefined): string | undefined {
  const parts = text.split(new RegExp(`(${lineBreak.source})`));
  const lines: EditedLine[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const line = parts[at] as string;
    const words = isMark(line.trim()) ? undefined : wordsOf(line);
    lines.push({ text: line, end: parts[at + 1] ?? "", ...(words && { runs: runsOf(words) }) });
  }
  const changed = change(lines);
  if (!changed) return undefined;
  const kept = changed.map((line) => written(line, lines)).filter((line) => line !== undefined);
  const usual = parts[1] ?? "\n";
  return kept.map((line, at) => line.text + (at === kept.length - 1 ? "" : line.end || usual)).join("");
}

/** Undefined: nothing is left of the row. A line that was not changed is the same object. */
function written(line: EditedLine, before: readonly EditedLine[]): EditedLine | undefined {
  const { runs } = line;
  if (!runs || before.includes(line)) return line;
  const words = runs.flatMap(({ name, columns }) => Array.from({ length: columns }, () => name));
  const isEmptied = words.every((word) => word === ".") && !wordsOf(line.text)?.every((word) => word === ".");
  while (words.length > 1 && words.at(-1) === ".") words.pop();
  if (words.length === 0 || isEmptied) return undefined;
  const [indent = ""] = /^\s*/.exec(line.text) ?? [];
  return { ...line, text: indent + words.join(" ") };
}

function runsOf(words: readonly string[]): Run[] {
  const runs: Run[] = [];
  for (const name of words) {
    const last = runs.at(-1);
    if (last?.name === name) last.columns += 1;
    else runs.push({ name, columns: 1 });
  }
  return runs;
}

function rowOf(runs: Run[]): EditedLine {
  const words = runs.flatMap(({ name, columns }) => Array.from({ length: columns }, () => name));
  return { text: words.join(" "), end: "", runs };
}

function widthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { columns }) => sum + columns, 0);
}

function swap(runs: readonly Run[], at: number, to: number): Run[] | undefined {
  const [one, other] = [runs[at], runs[to]];
  return one && other ? runs.with(at, other).with(to, one) : undefined;
}

/** Where a cell is, in each row that it reaches over. */
function spanOf(text: string, { line, cell }: CellPlace): CellPlace[] {
  const { lines } = readLayout(text);
  const found = lines[line];
  const own = found?.kind === "row" ? found.cells[cell] : undefined;
  if (!own) return [];
  const places: CellPlace[] = [];
  for (let at = line; places.length < own.rows && at < lines.length; at += 1) {
    const row = lines[at];
    if (row?.kind !== "row") continue;
    const index = row.cells.findIndex(({ name, column }) => name === own.name && column === own.column);
    if (index >= 0) places.push({ line: at, cell: index });
  }
  return places;
}

/** The same change in each row that the cell reaches over; possible where it is in all of them. */
function inSpan(
  text: string,
  place: CellPlace,
  change: (runs: readonly Run[], at: number) => Run[] | undefined,
): string | undefined {
  const places = spanOf(text, place);
  if (places.length === 0) return undefined;
  return edit(text, (lines) => {
    const after = [...lines];
    for (const { line, cell } of places) {
      const { runs } = lines[line] as EditedLine;
      const changed = runs && change(runs, cell);
      if (!changed) return undefined;
      after[line] = { ...(lines[line] as EditedLine), runs: changed };
    }
    return after;
  });
}

function withoutSpan(lines: readonly EditedLine[], { line, cell }: CellPlace, gone?: Run): EditedLine[] {
  const text = lines.map((each) => each.text).join("\n");
  const places = spanOf(text, { line, cell });
  return lines.map((each, at) => {
    const found = places.find((place) => place.line === at);
    if (!found || !each.runs) return each;
    const rest = gone ? each.runs.with(found.cell, gone) : each.runs.toSpliced(found.cell, 1);
    return { ...each, runs: rest };
  });
}

function moveAcross(text: string, place: CellPlace, step: -1 | 1): string | undefined {
  const columns = columnsOf(text);
  return edit(text, (lines) => {
    const own = lines[place.line];
    const run = own?.runs?.[place.cell];
    if (!own?.runs || !run) return undefined;
    const cleared = withoutSpan(lines, place);
    const after = step < 0 ? place.line : place.line + 1;
    const isAlone = own.runs.every(({ name }, at) => at === place.cell || name === ".");
    if (!isAlone) return insertAt(cleared, after, [rowOf([{ name: run.name, columns }])]);
    const to = neighbour(lines, place.line, step);
    const target = to === undefined ? undefined : lines[to];
    if (to === undefined || !target) return undefined;
    const joined = target.runs && fitted(target.runs, columns);
    if (!joined) return lines.toSpliced(place.line, 1).toSpliced(to, 0, own);
    return cleared.with(to, { ...target, runs: [...joined, { name: run.name, columns: 1 }] });
  });
}

/** With room for one more: an empty cell, free columns, or one of the widest cell. Undefined: there is none. */
function fitted(runs: readonly Run[], columns: number): Run[] | undefined {
  const filled = runs.filter(({ name }) => name !== ".");
  if (filled.length === 0) return [];
  if (widthOf(runs) < columns) return [...runs];
  const free = runs.findLastIndex(({ name }) => name === ".");
  const widest = Math.max(...runs.map((run) => run.columns));
  const at = free >= 0 ? free : widest > 1 ? runs.findIndex((run) => run.columns === widest) : -1;
  if (at >= 0) return runs.map((run, each) => (each === at ? { ...run, columns: run.columns - 1 } : run));
  return columns < maxColumns ? [...runs] : undefined;
}

/** The next line that is not blank. */
function neighbour(lines: readonly EditedLine[], at: number, step: -1 | 1): number | undefined {
  for (let each = at + step; each >= 0 && each < lines.length; each += step)
    if (lines[each]?.text.trim() !== "") return each;
  return undefined;
}

function insertAt(lines: readonly EditedLine[], at: number, added: readonly EditedLine[]): EditedLine[] {
  return lines.toSpliced(at, 0, ...added);
}

function addLines(text: string, after: number | undefined, added: readonly EditedLine[]): string {
  if (text.trim() === "") return added.map((line) => line.text).join("\n");
  const changed = edit(text, (lines) => {
    const last = lines.findLastIndex((line) => line.text.trim() !== "");
    return insertAt(lines, (after ?? last) + 1, added);
  });
  return changed ?? text;
}
