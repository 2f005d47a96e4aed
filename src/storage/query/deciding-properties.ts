// Which properties of an object decide whether a selection finds it, and at which place. A change of others leaves the answer as it is.

import type { Filter, Operand, Selection } from "./selection.ts";

/** Top-level names; undefined where any change, or time, may decide. */
export function decidingProperties(selection: Selection): ReadonlySet<string> | undefined {
  const { include, exclude, groups = [], sort, hideDrafts, search, shuffle, isRelative } = selection;
  if (search || shuffle || isRelative) return undefined;
  const operands = [...include, ...exclude, ...groups].flatMap(operandsOf).concat(sort.map(({ operand }) => operand));
  if (operands.some(hasFormerNames)) return undefined;
  const names = operands.map(({ property, within }) => within?.[0]?.property ?? property);
  // The id changes where an object could not be read before. A part of a value has a name of several words.
  return new Set([
    "id",
    ...names,
    ...names.map((name) => name.split(".", 1)[0] as string),
    ...(hideDrafts ? ["draft"] : []),
  ]);
}

function operandsOf(filter: Filter): Operand[] {
  if ("operand" in filter) return [filter.operand];
  if ("not" in filter) return operandsOf(filter.not);
  return ("all" in filter ? filter.all : filter.any).flatMap(operandsOf);
}

/** Some objects are stored under these. */
function hasFormerNames({ former = [], within = [] }: Operand): boolean {
  return former.length > 0 || within.some((shape) => (shape.former ?? []).length > 0);
}
