// In which properties two versions of an object differ. Pure.

import type { JsonObject } from "@contract/json.ts";
import type { FieldProperty } from "#fields/property.ts";
import { isSame, type Value } from "#form/values.ts";

export interface Difference {
  property: FieldProperty;
  from: Value;
  to: Value;
}

/** Files come by requests of their own and are in no version; passwords are never shown. */
const notRestored = new Set(["image", "gallery", "file", "depot", "password"]);

export function canRestore({ type }: Pick<FieldProperty, "type">): boolean {
  return !notRestored.has(type);
}

/** What the server sets by itself is left out: it says nothing about what somebody changed. */
export function differencesOf(properties: readonly FieldProperty[], from: JsonObject, to: JsonObject): Difference[] {
  return properties
    .filter(({ name, lock, type }) => name !== "id" && lock === undefined && type !== "password")
    .map((property) => ({ property, from: from[property.name], to: to[property.name] }))
    .filter(({ from: before, to: after }) => !isSame(before, after));
}

/** The chosen properties as the version has them; those that it does not have are removed. */
export function restoredValues(content: JsonObject, names: Iterable<string>): { [property: string]: Value } {
  return Object.fromEntries([...names].map((name) => [name, content[name]]));
}
