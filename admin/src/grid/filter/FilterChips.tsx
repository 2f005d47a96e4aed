// The filters that hold, each with a button that takes it away.

import type { Filter } from "#grid/address.ts";
import { choicesOf, labelOf } from "#grid/choices.ts";
import type { Column } from "#grid/columns.ts";
import { comparisonOf, conditionOf, takesValue } from "#grid/filters.ts";
import { Chip } from "#ui/Chip.tsx";
import { formatDay, formatList } from "#words/format.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./filter.module.css";

interface Props {
  filters: readonly Filter[];
  columns: readonly Column[];
  onRemove: (filter: Filter) => void;
}

export function FilterChips({ filters, columns, onRemove }: Props) {
  const words = useWords(gridWords);
  if (filters.length === 0) return null;
  return (
    <ul className={css.chips} aria-label={words.filters}>
      {filters.map((filter) => {
        const column = columns.find(({ property }) => property === filter.property);
        const label = column?.label ?? filter.property;
        const condition = conditionOf(filter, column?.type ?? "string");
        return (
          <li key={`${filter.property} ${filter.operator}`}>
            <Chip
              label={
                <>
                  {label} {words.conditions[condition]}{" "}
                  {takesValue(condition) && <b>{valueText(filter, column, words)}</b>}
                </>
              }
              removeLabel={words.removeFilter(label)}
              onRemove={() => onRemove(filter)}
            />
          </li>
        );
      })}
    </ul>
  );
}

interface Said {
  yes: string;
  no: string;
  range: (from: string, to: string) => string;
}

function valueText({ operator, value, to = "" }: Filter, column: Column | undefined, words: Said): string {
  const one = (text: string) => {
    if (!column) return text;
    const comparison = comparisonOf(column.type);
    if (comparison === "boolean") return text === "true" ? words.yes : words.no;
    if (comparison === "date") return formatDay(text);
    return labelOf(choicesOf(column.definition), text);
  };
  if (operator === "between") return words.range(one(value), one(to));
  if (operator === "in" || operator === "notin") return formatList(value.split("|").map(one));
  return one(value);
}
