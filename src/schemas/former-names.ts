// Properties that were renamed: values stored under a former name are shown, and kept, under the present one.
// A former name that is a property again means that property. Pure.

import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "#contract/json.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import type { FlatSchema, Property } from "./types.ts";

/** More ways to one property are not looked for. */
const maxPaths = 60;

/** One shape, cards and items in it not included. The value under a former name counts more than a mere default. */
export function moveFormer(schema: FlatSchema, values: JsonObject): JsonObject {
  let moved = values;
  for (const { name, formerly, definition } of schema.properties.values()) {
    const former = formerly.find((each) => !schema.properties.has(each) && Object.hasOwn(moved, each));
    if (former === undefined) continue;
    const { [former]: value, ...others } = moved;
    const own = Object.hasOwn(others, name) ? others[name] : undefined;
    const isUnset = own === undefined || own === null || isDeepStrictEqual(own, definition.default);
    if (isUnset && value !== undefined) moved = { ...others, [name]: value };
  }
  return moved;
}

/** Paths of secrets with the names of now: `password`, `card.password`, `deck.itemId.password`. */
export function moveFormerSecrets(schema: FlatSchema, secrets: ObjectSecrets): ObjectSecrets {
  const moved: ObjectSecrets = {};
  for (const [path, hash] of Object.entries(secrets)) {
    const present = presentPath(schema, path.split(".")).join(".");
    if (present === path || !Object.hasOwn(secrets, present)) moved[present] = hash;
  }
  return moved;
}

/** The ways to a property by its present names, then by those that it and the ones around it had before. */
export function formerPaths(schema: FlatSchema, [name = "", ...rest]: readonly string[]): string[][] {
  const property = schema.properties.get(name);
  const names = property ? [name, ...property.formerly.filter((each) => !schema.properties.has(each))] : [name];
  const isDeck = property?.kind.type === "deck";
  const inner = property?.item && rest.length > (isDeck ? 1 : 0) ? property.item : undefined;
  const [above, below] = isDeck ? [rest.slice(0, 1), rest.slice(1)] : [[], rest];
  const ends = inner ? formerPaths(inner, below).map((end) => [...above, ...end]) : [rest];
  return names.flatMap((each) => ends.map((end) => [each, ...end])).slice(0, maxPaths);
}

/** The way by the names of now. */
export function presentPath(schema: FlatSchema, [name = "", ...rest]: string[]): string[] {
  const property = schema.properties.get(name) ?? findFormer(schema, name);
  if (!property) return [name, ...rest];
  const { item } = property;
  if (!item || rest.length === 0) return [property.name, ...rest];
  if (property.kind.type !== "deck") return [property.name, ...presentPath(item, rest)];
  return [property.name, ...rest.slice(0, 1), ...(rest.length > 1 ? presentPath(item, rest.slice(1)) : [])];
}

/** Former names that no property has now, with the present ones. */
export function renamesOf(schema: FlatSchema): { from: string; to: string }[] {
  return [...schema.properties.values()].flatMap(({ name, formerly }) =>
    formerly.filter((from) => !schema.properties.has(from)).map((from) => ({ from, to: name })),
  );
}

/** The property that had this name before, when none has it now. */
export function findFormer(schema: FlatSchema, name: string): Property | undefined {
  for (const property of schema.properties.values()) if (property.formerly.includes(name)) return property;
  return undefined;
}
