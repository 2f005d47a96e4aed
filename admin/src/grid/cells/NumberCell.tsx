import { formatNumber } from "#words/format.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function NumberCell({ value }: CellProps) {
  if (value === undefined || value === null || value === "") return null;
  return <span className={css.number}>{typeof value === "number" ? formatNumber(value) : String(value)}</span>;
}
