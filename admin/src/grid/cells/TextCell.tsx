import { choicesOf, labelOf } from "#grid/choices.ts";
import { plainText, textOf } from "#grid/text-of.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function TextCell({ value, column }: CellProps) {
  const { definition, field } = column;
  const text = textOf(value);
  const shown = field === "styledtext" ? plainText(text) : labelOf(choicesOf(definition), text);
  return <span className={css.text}>{shown}</span>;
}
