import { localText, plainText } from "#grid/text-of.ts";
import type { CellProps } from "./cell.ts";

export function LocalizedCell({ value, column }: CellProps) {
  const text = localText(value);
  return column.field === "localizedstyledtext" ? plainText(text) : text;
}
