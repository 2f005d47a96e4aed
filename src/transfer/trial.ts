// A dry run of an import. Its transactions are rolled back, so what earlier ones would have stored is remembered here, as far
// as later rows depend on it: ids, unique values and counters.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { hasId } from "#content/objects/choose-id.ts";
import { notUnique, uniqueValues } from "#content/objects/unique.ts";
import type { Counters, Written } from "#content/objects/write-work.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { proposeId } from "#schemas/build.ts";

export interface Trial {
  counters?: Counters;
  /** Ids of the objects that would have been created. */
  readonly ids: Set<string>;
  /** Property -> value -> id of the object that would have it. */
  readonly values: Map<string, Map<Json, string>>;
}

export function createTrial(): Trial {
  return { ids: new Set(), values: new Map() };
}

/** Whether an earlier row would have taken the id that this one sends. */
export function isTakenBefore({ ids }: Trial, { schema }: Collection, row: JsonObject, now: string): boolean {
  return hasId(row) && ids.has(proposeId(schema, row, { now, counter: 0 }).id);
}

/** Fails where an earlier row would have taken a unique value. */
export function checkTakenBefore({ values }: Trial, collection: Collection, { id, text }: Written): void {
  if (!collection.schema.hasUnique) return;
  const taken = uniqueValues(collection, JSON.parse(text) as JsonObject).filter(({ property, value }) => {
    const holder = values.get(property.name)?.get(value);
    return holder !== undefined && holder !== id;
  });
  if (taken.length === 0) return;
  const details = taken.map(({ property, value }) => [property.name, [notUnique(property, value)]]);
  fail("validation-failed", undefined, Object.fromEntries(details));
}

/** After a transaction. */
export function remember(trial: Trial, collection: Collection, written: readonly Written[], counters: Counters): void {
  trial.counters = counters;
  for (const { id, done, text } of written) {
    if (done === "created") trial.ids.add(id);
    if (!collection.schema.hasUnique) continue;
    for (const { property, value } of uniqueValues(collection, JSON.parse(text) as JsonObject)) {
      const known = trial.values.get(property.name) ?? new Map<Json, string>();
      trial.values.set(property.name, known.set(value, id));
    }
  }
}
