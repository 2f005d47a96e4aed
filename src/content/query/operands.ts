// From a sent name to an operand. Passwords do not exist here, in any spelling:
// a name is exactly a property that may be shown, or it is unknown.

import { isJsonObject, type Json } from "#contract/json.ts";
import { comparisonOf } from "#schemas/added-kinds.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import type { Comparison, Operand, Shape } from "#storage/query/selection.ts";
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

/**
 * undefined: the property exists, but its kind has no order and no equality (images, cards). Refuses unknown names.
 * Properties of cards and decks are named by their path: `ingredients.name`.
 */
export function findOperand(naming: Naming, name: string): Operand | undefined {
  const column = columns.get(name);
  if (column) return column;
  const part = findPart(naming, name);
  if (part) return part;
  const { property, within } = findNamed(naming, name);
  const comparison = property?.kind.comparison ?? (property ? undefined : "text");
  return comparison && operandOf(naming, { name, property, comparison, within });
}

/** For any property: whether it has a value. Values that have no order come before missing ones. */
export function presenceOperand(naming: Naming, name: string): Operand {
  const column = columns.get(name);
  if (column) return column;
  const part = findPart(naming, name);
  if (part) return { ...part, comparison: "presence" };
  return operandOf(naming, { name, comparison: "presence", ...findNamed(naming, name) });
}

/** `place.lat`: a part of a value of a field kind that its extension lets be compared. */
function findPart({ schema }: Naming, name: string): Operand | undefined {
  const [first = "", ...rest] = name.split(".");
  const property = rest.length > 0 ? schema.properties.get(first) : undefined;
  const { added, isIndexed } = property ?? {};
  if (!added?.index.includes(rest.join("."))) return undefined;
  const comparison = comparisonOf(added, rest.join("."));
  if (isIndexed) return { property: name, source: "index", comparison };
  const within = [first, ...rest.slice(0, -1)].map((step): Shape => ({ property: step, isDeck: false }));
  return { property: rest.at(-1) as string, source: "document", comparison, within };
}

/** The texts that a property is limited to, where it is limited to some. */
export function findChoices({ schema }: Naming, name: string): readonly string[] | undefined {
  const { enum: choices, options } = schema.properties.get(name)?.definition ?? {};
  const given = choices ?? options;
  if (!Array.isArray(given)) return undefined;
  return given.map((choice: Json) => String(isJsonObject(choice) ? choice.value : choice));
}

interface Named {
  /** undefined: the id of an item, which every item has. */
  property: Property | undefined;
  within: readonly Shape[] | undefined;
}

function findNamed(naming: Naming, name: string): Named {
  const path = name.split(".");
  const last = path.pop() as string;
  let { schema } = naming;
  let isItem = false;
  const within = path.map((step): Shape => {
    const property = schema.properties.get(step);
    if (!property?.item) return refuseName(naming, name);
    schema = property.item;
    isItem = property.kind.type === "deck";
    return { property: step, isDeck: isItem, ...formerNames(naming, property) };
  });
  const property = schema.properties.get(last);
  if (property ? property.isPassword : !(isItem && last === "id")) return refuseName(naming, name);
  return { property, within: within.length > 0 ? within : undefined };
}

function operandOf(
  naming: Naming,
  { name, property, within, comparison }: Named & { name: string; comparison: Comparison },
): Operand {
  const former = formerNames(naming, property);
  if (!within) return { property: name, source: sourceOf(property), comparison, ...former };
  return { property: property?.name ?? "id", source: "document", comparison, ...former, within };
}

function formerNames({ schema }: Naming, property: Property | undefined): Pick<Operand, "former"> {
  return schema.isMoving && property && property.formerly.length > 0 ? { former: property.formerly } : {};
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
