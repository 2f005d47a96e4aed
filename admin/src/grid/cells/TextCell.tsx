import { choicesOf, labelOf } from "#grid/choices.ts";
import { plainText, textOf } from "#grid/text-of.ts";
import type { CellProps } from "./cell.ts";

export function TextCell({ value, column }: CellProps) {
  const { definition, field } = column;
  const text = textOf(value);
  return field === "styledtext" ? plainText(text) : labelOf(choicesOf(definition), text);
}
