// Somebody else has saved: which of their changes and ours concern the same property. Pure.

import type { JsonObject } from "@contract/json.ts";
import { isSame, type Value } from "./values.ts";

export interface Conflict {
  property: string;
  before: Value;
  theirs: Value;
  yours: Value;
}

export interface Merge {
  /** Properties that only they changed. */
  theirs: string[];
  /** Changed by both, differently. */
  conflicts: Conflict[];
}

/** Set by the server with every write, so that they say nothing about what somebody changed. */
const stamps = new Set(["created", "modified"]);

/** `yours`: the changed properties alone, those that were removed as null. */
export function merge(before: JsonObject, theirs: JsonObject, yours: JsonObject): Merge {
  const names = [...new Set([...Object.keys(before), ...Object.keys(theirs)])];
  const changed = names.filter((name) => !stamps.has(name) && !isSame(before[name], theirs[name]));
  const isMine = (name: string) => Object.hasOwn(yours, name);
  return {
    theirs: changed.filter((name) => !isMine(name)),
    conflicts: changed
      .filter((name) => isMine(name) && !isSame(theirs[name], yours[name]))
      .map((property) => ({ property, before: before[property], theirs: theirs[property], yours: yours[property] })),
  };
}
