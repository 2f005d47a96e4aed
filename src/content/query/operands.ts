// From a sent name to an operand. Passwords do not exist here, in any spelling:
// a name is exactly a property that may be shown, or it is unknown.

import type { FlatSchema, Property } from "#schemas/types.ts";
import type { Operand } from "#storage/query/selection.ts";
import { refuse, shown } from "./parameters.ts";

export const idOperand: Operand = { property: "id", source: "column", comparison: "text" };

const columns: ReadonlyMap<string, Operand> = new Map([
  ["id", idOperand],
  ["created", { property: "created", source: "column", comparison: "date" }],
  ["modified", { property: "modified", source: "column", comparison: "date" }],
]);

export interface Naming {
  schema: FlatSchema;
  /** For the error. */
  parameter: string;
}

/** undefined: the property exists, but its kind has no order and no equality (images, cards). Refuses unknown names. */
export function findOperand(naming: Naming, name: string): Operand | undefined {
  const column = columns.get(name);
  if (column) return column;
  const property = naming.schema.properties.get(name);
  if (!property || property.isPassword) return refuseName(naming, name);
  const { comparison } = property.kind;
  return comparison && { property: name, source: sourceOf(property), comparison, ...formerNames(naming, property) };
}

function formerNames({ schema }: Naming, property: Property | undefined): Pick<Operand, "former"> {
  return schema.isMoving && property && property.formerly.length > 0 ? { former: property.formerly } : {};
}

/** For any property: whether it has a value. Values that have no order come before missing ones. */
export function presenceOperand(naming: Naming, name: string): Operand {
  const column = columns.get(name);
  if (column) return column;
  const property = naming.schema.properties.get(name);
  return { property: name, source: sourceOf(property), comparison: "presence", ...formerNames(naming, property) };
}

function sourceOf(property: Property | undefined): Operand["source"] {
  return property?.isIndexed ? "index" : "document";
}

export function refuseName({ parameter }: Naming, name: string, what = "property"): never {
  refuse(parameter, `There is no ${what} ${shown(name)} in this collection.`);
}

/** The properties of an entry of query and index, in this order. */
export function entryColumns(schema: FlatSchema): string[] {
  return ["id", ...schema.index.filter((name) => !columns.has(name)), "created", "modified"];
}
