// From a name that the caller sent to what can be compared. Passwords do not exist here, in no spelling:
// a name either is exactly a property that may be shown, or it is unknown.

import type { FlatSchema } from "#content/schema-types.ts";
import type { Operand } from "#storage/selection.ts";
import { refuse, shown } from "./parameters.ts";

/** Lists and reports reach every property; query and index only what is in the index entry. */
export type Reach = "all" | "indexed";

export const idOperand: Operand = { property: "id", source: "column", comparison: "text" };

const columns: ReadonlyMap<string, Operand> = new Map([
  ["id", idOperand],
  ["created", { property: "created", source: "column", comparison: "date" }],
  ["modified", { property: "modified", source: "column", comparison: "date" }],
]);

export interface Naming {
  schema: FlatSchema;
  reach: Reach;
  /** For the refusal. */
  parameter: string;
}

/** undefined: the property exists, and its kind has no order and no equality (images, cards). Refuses unknown names. */
export function findOperand(naming: Naming, name: string): Operand | undefined {
  const column = columns.get(name);
  if (column) return column;
  const property = naming.schema.properties.get(name);
  const isReached = property?.isIndexed || naming.reach === "all";
  if (!property || property.isPassword || !isReached) return refuseName(naming, name);
  const { comparison } = property.kind;
  return comparison && { property: name, source: property.isIndexed ? "index" : "document", comparison };
}

export function refuseName(naming: Naming, name: string): never {
  const what = naming.reach === "all" ? "property" : "indexed property";
  refuse(naming.parameter, `There is no ${what} ${shown(name)} in this collection.`);
}

/** What an entry of query and index holds, in this order. */
export function entryColumns(schema: FlatSchema): string[] {
  return ["id", ...schema.index.filter((name) => !columns.has(name)), "created", "modified"];
}
