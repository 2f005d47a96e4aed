import type { Json } from "@contract/json.ts";
import { choicesOf, labelOf } from "#grid/choices.ts";
import { textOf } from "#grid/text-of.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

const most = 3;

export function ListCell({ value, column }: CellProps) {
  const words = useWords(gridWords);
  const choices = choicesOf(column.definition);
  const entries = (Array.isArray(value) ? value : [value as Json]).map(textOf).filter((text) => text !== "");
  if (entries.length === 0) return null;
  return (
    <span className={css.chips} title={entries.join(", ")}>
      {entries.slice(0, most).map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list may hold a value twice
        <span key={at} className={css.chip}>
          {labelOf(choices, entry)}
        </span>
      ))}
      {entries.length > most && <span className={css.rest}>{words.more(entries.length - most)}</span>}
    </span>
  );
}
