import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function PasswordCell({ value }: CellProps) {
  const words = useWords(gridWords);
  return value ? <span className={css.quiet}>{words.set}</span> : null;
}
