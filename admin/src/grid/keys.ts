// Where a key leads in a grid. Pure. The focus is on a whole row, on a cell of it, or on a column's head.

export interface Spot {
  /** -1: the heads of the columns. */
  row: number;
  /** -1: the whole row. */
  column: number;
}

export interface Extent {
  rows: number;
  columns: number;
  /** Rows that are seen at once. */
  page: number;
  isRightToLeft?: boolean;
}

export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** undefined: the key does not move. */
export function moveTo({ row, column }: Spot, press: Press, extent: Extent): Spot | undefined {
  const { rows, columns, page } = extent;
  const isFar = press.ctrlKey || press.metaKey;
  const lastRow = rows - 1;
  const isRow = column === -1;
  const at = (nextRow: number, nextColumn = column): Spot => {
    const landing = Math.max(-1, Math.min(lastRow, nextRow));
    return { row: landing, column: landing === -1 ? Math.max(0, nextColumn) : Math.min(columns - 1, nextColumn) };
  };
  switch (turned(press.key, extent.isRightToLeft)) {
    case "ArrowDown":
      return isFar ? at(lastRow) : at(row + 1);
    case "ArrowUp":
      return isFar ? at(Math.min(0, lastRow)) : at(row - 1);
    case "ArrowRight":
      return at(row, isFar ? columns - 1 : Math.min(columns - 1, column + 1));
    case "ArrowLeft":
      return at(row, isFar ? 0 : Math.max(row === -1 ? 0 : -1, column - 1));
    case "PageDown":
      return at(Math.max(0, row) + page);
    case "PageUp":
      return at(Math.max(Math.min(0, lastRow), row - page));
    case "Home":
      return isFar || isRow ? at(Math.min(0, lastRow)) : at(row, 0);
    case "End":
      return isFar || isRow ? at(lastRow) : at(row, columns - 1);
    default:
      return undefined;
  }
}

function turned(key: string, isRightToLeft = false): string {
  if (!isRightToLeft) return key;
  if (key === "ArrowLeft") return "ArrowRight";
  return key === "ArrowRight" ? "ArrowLeft" : key;
}

/** The order of columns after one is moved; the same where there is no room. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  if (from < 0 || to < 0 || from >= items.length || to >= items.length) return [...items];
  const rest = items.filter((_, at) => at !== from);
  return [...rest.slice(0, to), items[from] as T, ...rest.slice(to)];
}
