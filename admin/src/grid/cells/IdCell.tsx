import { textOf } from "#grid/text-of.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function IdCell({ value }: CellProps) {
  return <span className={css.mono}>{textOf(value)}</span>;
}
