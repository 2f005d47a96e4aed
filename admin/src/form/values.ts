// Values of an object by dotted path: `title`, `card.street`, `deck.item-1.title`. Pure; what is given is never changed.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { itemKey } from "#fields/items.ts";

export type Value = Json | undefined;

/** The first part of a path. */
export function topOf(path: string): string {
  const dot = path.indexOf(".");
  return dot < 0 ? path : path.slice(0, dot);
}

/** The whole for the empty path. Items of a deck are found by their id; those that have none yet, by their position. */
export function valueAt(values: Json | undefined, path: string): Value {
  let found: Value = values;
  if (path === "") return found;
  for (const name of path.split(".")) {
    if (Array.isArray(found)) found = found.find((item, at) => isJsonObject(item) && itemKey(item, at) === name);
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** A copy with the value at its place; `undefined` removes it. */
export function withValue(values: JsonObject, path: string, value: Value): JsonObject {
  return put(values, path.split("."), value) as JsonObject;
}

/** A copy with the item at its place in its deck; at the end where the deck does not have it yet. */
export function withItem(values: JsonObject, path: string, item: JsonObject): JsonObject {
  if (valueAt(values, path) !== undefined) return withValue(values, path, item);
  const deck = valueAt(values, parentOf(path));
  return withValue(values, parentOf(path), [...(Array.isArray(deck) ? deck : []), item]);
}

function put(target: Json | undefined, [name, ...rest]: string[], value: Value): Value {
  if (name === undefined) return value;
  if (Array.isArray(target))
    return target.flatMap((item, at) => {
      if (!isJsonObject(item) || itemKey(item, at) !== name) return [item];
      const next = put(item, rest, value);
      return next === undefined ? [] : [next];
    });
  const { [name]: present, ...others } = isJsonObject(target) ? target : ({} as JsonObject);
  const next = put(present, rest, value);
  if (next === undefined) return others;
  return isJsonObject(target) && Object.hasOwn(target, name)
    ? { ...target, [name]: next }
    : { ...others, [name]: next };
}

/** The path of what the value lies in; empty at the top. */
export function parentOf(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? "" : path.slice(0, dot);
}

/** `name` beside or in `parent`. */
export function pathIn(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}

/** Whether a file can be stored at the path: items of decks have to be stored, cards come into being. */
export function isPlaceStored({ base, values }: { base: JsonObject; values: JsonObject }, path: string): boolean {
  let above = "";
  for (const name of path.split(".").slice(0, -1)) {
    const here: Value = above === "" ? values : valueAt(values, above);
    above = above === "" ? name : `${above}.${name}`;
    if (Array.isArray(here) && valueAt(base, above) === undefined) return false;
  }
  return true;
}

/** Nothing, null and the empty text are one: a field without a value. */
export function isBlank(value: Value): boolean {
  return value === undefined || value === null || value === "";
}

/** Whether two values say the same; the order of keys does not count. */
export function isSame(a: Value, b: Value): boolean {
  if (a === b || (isBlank(a) && isBlank(b))) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => isSame(one, b[at]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(a[name], b[name]));
}
