// `sort` and `order`: `p`, `-p`, `p:asc`, `p:desc`, comma lists, and `shuffle` alone for a random order.

import type { Selection, SortKey } from "#storage/query/selection.ts";
import { findOperand, type Naming, presenceOperand } from "./operands.ts";
import { refuse, shown } from "./parameters.ts";

const maxKeys = 5;

export type Sorting = Pick<Selection, "sort" | "shuffle">;

/** `isDescending` applies to keys without a direction. */
export function parseSort(naming: Naming, text: string, isDescending: boolean): Sorting {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length > maxKeys) refuse(naming.parameter, `${naming.parameter} takes at most ${maxKeys} properties.`);
  if (parts.length === 1 && parts[0] === "shuffle" && !naming.schema.properties.has("shuffle"))
    return { sort: [], shuffle: true };
  return { sort: parts.map((part) => parseKey(naming, part, isDescending)) };
}

function parseKey(naming: Naming, part: string, isDescending: boolean): SortKey {
  const isNegated = part.startsWith("-");
  const [name = "", direction, ...rest] = (isNegated ? part.slice(1) : part).split(":");
  const isDirection = direction === undefined || (!isNegated && (direction === "asc" || direction === "desc"));
  if (!isDirection || rest.length > 0) refuse(naming.parameter, `${shown(part)} is not a sort order.`);
  const operand = findOperand(naming, name) ?? presenceOperand(naming, name);
  if (operand.within)
    refuse(naming.parameter, `${shown(name)} is inside a card or deck: objects cannot be sorted by it.`);
  return { operand, descending: isNegated || (direction ? direction === "desc" : isDescending) };
}
