// In which values two contents differ, by name; definitions of properties one by one. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { isSame } from "#form/values.ts";

export interface SideDifference {
  name: string;
  /** Empty where the side has none. */
  left: string;
  right: string;
}

/** Times of the last change differ by nature. */
const times = new Set(["created", "modified", "updated"]);
/** A long value is a page of its own. */
const maxText = 20_000;

export function sideDifferences(left: JsonObject | null, right: JsonObject | null): SideDifference[] {
  return namesOf(left, right)
    .filter((name) => !times.has(name))
    .flatMap((name) => differencesOf(name, left?.[name], right?.[name]));
}

function differencesOf(name: string, left: Json | undefined, right: Json | undefined): SideDifference[] {
  if (isSame(left, right)) return [];
  if (name === "properties" && isJsonObject(left) && isJsonObject(right))
    return namesOf(left, right).flatMap((inner) => differencesOf(`properties.${inner}`, left[inner], right[inner]));
  return [{ name, left: textOf(left), right: textOf(right) }];
}

function namesOf(left: JsonObject | null, right: JsonObject | null): string[] {
  return [...new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])];
}

function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
