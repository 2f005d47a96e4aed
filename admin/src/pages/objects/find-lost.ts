// A new object whose answer was lost may be stored all the same: it is looked for before it is sent again, so that it is not there
// twice.

import type { JsonObject } from "@contract/json.ts";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { isSame } from "#form/values.ts";
import { fetchObject, type StoredObject } from "./open-object.ts";

/** Clocks of this device and of the server may differ. */
const skewMs = 120_000;
const newest = 10;

/** `since`: when it was sent first. Undefined: it is not among the newest objects, or they may not be read. */
export async function findLost(collection: string, sent: JsonObject, since: number): Promise<StoredObject | undefined> {
  try {
    const query = { sort: "-created", limit: newest };
    const { data } = await ask<JsonObject[]>(routes.list, { path: { collection }, query });
    const found = data.find((stored) => isItself(stored, sent, since - skewMs));
    return found && (await fetchObject(collection, String(found.id)));
  } catch {
    return undefined;
  }
}

/** All that was sent is in it, but for what answers never show. */
export function isItself(stored: JsonObject, sent: JsonObject, since: number): boolean {
  const shown = Object.entries(sent).filter(([name]) => Object.hasOwn(stored, name));
  const isNew = Date.parse(String(stored.created ?? "")) >= since;
  return isNew && shown.length > 0 && shown.every(([name, value]) => isSame(value, stored[name]));
}
