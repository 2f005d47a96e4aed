import { localText, plainText } from "#grid/text-of.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function LocalizedCell({ value, column }: CellProps) {
  const text = localText(value);
  return <span className={css.text}>{column.field === "localizedstyledtext" ? plainText(text) : text}</span>;
}
