// The layout of a form, from the text of a schema's `formgrid`: lines are rows, words are properties. A repeated name spans
// columns or rows, `.` is an empty cell. `---` divides, `--- Title` heads a section, `[[ Legend` to `]]` is a fieldset.

/** Rows and columns count from 1. */
export interface FormCell {
  name: string;
  row: number;
  column: number;
  rows: number;
  columns: number;
}

export interface FormGrid {
  kind: "grid";
  /** The same for all grids of a form. */
  columns: number;
  /** In the order of their first appearance. */
  cells: FormCell[];
}

export type FormPart = FormGrid | { kind: "divider" } | { kind: "heading"; title: string };
export type FormBlock = FormPart | { kind: "fieldset"; legend: string; parts: FormPart[] };

/** More would be too narrow to type in. */
export const maxColumns = 12;
/** Between lines; the text may be written on one line. */
export const lineBreak = /\r?\n|\\n/;
export const cellName = /^(?:\.|[A-Za-z_-][A-Za-z0-9_-]*)$/;

/** Places each of `names` once: where the text names it, else in a row of its own at the end. */
export function readFormgrid(text: string, names: readonly string[]): FormBlock[] {
  const waiting = new Set(names);
  const lines = text.split(lineBreak).map((line) => line.trim());
  const columns = Math.max(1, ...lines.map((line) => rowOf(line)?.length ?? 0));
  const blocks: FormBlock[] = [];
  let fieldset: { kind: "fieldset"; legend: string; parts: FormPart[] } | undefined;
  let rows: string[][] = [];

  const parts = (): FormBlock[] => fieldset?.parts ?? blocks;
  const endGrid = (): void => {
    const cells = place(rows, waiting);
    rows = [];
    if (cells.length > 0) parts().push({ kind: "grid", columns, cells });
  };
  for (const line of lines) {
    const row = rowOf(line);
    if (row) {
      rows.push(row);
      continue;
    }
    if (!isMark(line)) continue;
    endGrid();
    if (line.startsWith("[[") && !fieldset) {
      fieldset = { kind: "fieldset", legend: line.slice(2).trim(), parts: [] };
      blocks.push(fieldset);
    } else if (line.startsWith("]]")) fieldset = undefined;
    else if (line.startsWith("---")) {
      const title = line.replace(/^-+|-+$/g, "").trim();
      parts().push(title === "" ? { kind: "divider" } : { kind: "heading", title });
    }
  }
  endGrid();
  fieldset = undefined;
  rows = [...waiting].map((name) => Array.from({ length: columns }, () => name));
  endGrid();
  return blocks;
}

/** The names in its cells, each once. */
export function cellsOf(text: string): string[] {
  const rows = text.split(lineBreak).map((line) => rowOf(line.trim()) ?? []);
  return [...new Set(rows.flat())].filter((name) => name !== ".");
}

/** The text with another name for a property. Headings and legends are words, not cells. */
export function renameCells(text: string, { from, to }: { from: string; to: string }): string {
  return text
    .split(new RegExp(`(${lineBreak.source})`))
    .map((line) => (isMark(line.trim()) ? line : line.replace(/\S+/g, (cell) => (cell === from ? to : cell))))
    .join("");
}

export function isMark(line: string): boolean {
  return line.startsWith("---") || line.startsWith("[[") || line.startsWith("]]");
}

/** undefined: a mark, an empty line, or one with a word that is no name. */
function rowOf(line: string): string[] | undefined {
  if (line === "" || isMark(line)) return undefined;
  const words = line.split(/\s+/);
  return words.length <= maxColumns && words.every((word) => cellName.test(word)) ? words : undefined;
}

/** Takes what it places out of `waiting`. */
function place(rows: readonly string[][], waiting: Set<string>): FormCell[] {
  const cells = new Map<string, FormCell>();
  rows.forEach((row, at) => {
    for (let column = 0; column < row.length; ) {
      const name = row[column] as string;
      let columns = 1;
      while (row[column + columns] === name) columns++;
      const above = cells.get(name);
      const isBelow = above?.column === column + 1 && above.columns === columns && above.row + above.rows === at + 1;
      if (above && isBelow) above.rows++;
      else if (waiting.delete(name)) cells.set(name, { name, row: at + 1, column: column + 1, rows: 1, columns });
      column += columns;
    }
  });
  return [...cells.values()];
}
