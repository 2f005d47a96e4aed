// A value that the server has stored by itself, joined with what was changed in the form.

import type { JsonObject } from "@contract/json.ts";
import type { Merge } from "#files/queue.ts";
import type { FormStore } from "./store.ts";
import { isSame, parentOf, type Value, valueAt } from "./values.ts";

export interface TakenPlace {
  path: string;
  merge: Merge | undefined;
}

/** To be called before the store learns what is stored; the answer puts the value in its place. Undefined: the place is gone. */
export function joinStored(
  store: FormStore,
  stored: JsonObject,
  { path, merge }: TakenPlace,
): (() => void) | undefined {
  const above = parentOf(path);
  if (above !== "" && valueAt(store.values(), above) === undefined) return undefined;
  const values = {
    mine: valueAt(store.values(), path),
    before: valueAt(store.base(), path),
    stored: valueAt(stored, path),
  };
  const isTouched = !isSame(values.mine, values.before);
  const next = isTouched && merge ? (merge(values) as Value) : values.stored;
  return () => store.set(path, next);
}
