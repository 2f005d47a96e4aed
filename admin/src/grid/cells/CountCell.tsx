// Galleries, depots and decks: how much they hold.

import { countOf } from "#grid/text-of.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import type { CellProps } from "./cell.ts";

export function CountCell({ value, column }: CellProps) {
  const words = useWords(gridWords);
  const count = countOf(value);
  if (count === 0) return null;
  const say = column.type === "gallery" ? words.images : column.type === "depot" ? words.files : words.items;
  return say(count);
}
