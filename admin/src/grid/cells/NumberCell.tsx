import { formatNumber } from "#words/format.ts";
import type { CellProps } from "./cell.ts";

export function NumberCell({ value }: CellProps) {
  if (value === undefined || value === null || value === "") return null;
  return typeof value === "number" ? formatNumber(value) : String(value);
}
