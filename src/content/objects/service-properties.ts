// What the service notes in records about its own work: failures of automations, builds of views, logins. Nobody else
// writes it, by whichever door. What is sent for it is passed over, so that a record can come back as it was read.

import { usersCollection } from "#access/accounts.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Change } from "./change-object.ts";

/** How its work went in this place; it goes nowhere else. */
const placeNotes: ReadonlyMap<string, readonly string[]> = new Map([
  ["automations", ["consecutiveFailures", "autoDisabled"]],
  ["dataviews", ["lastBuilt", "lastError"]],
]);
/** Of a person, wherever the record is: an import of the admin persona brings them along, as it does times. */
const userNotes: readonly string[] = ["loginCount", "lastlogin", "passkeys"];

export function localServiceProperties(collection: string): readonly string[] {
  return placeNotes.get(collection) ?? [];
}

function notesOf(collection: string): readonly string[] {
  return collection === usersCollection ? userNotes : localServiceProperties(collection);
}

/** Of a new object there are none yet. */
export function dropServiceProperties(collection: string, sent: JsonObject): JsonObject {
  return without(notesOf(collection), sent);
}

export function withoutPlaceNotes(collection: string, sent: JsonObject): JsonObject {
  return without(localServiceProperties(collection), sent);
}

/** They stay as they are stored, unless the service itself makes the change. */
export function keepServiceProperties(collection: string, change: Change, current: JsonObject): Change {
  const names = notesOf(collection);
  if (names.length === 0 || change.isOwn) return change;
  const kept = Object.fromEntries(Object.entries(current).filter(([name]) => names.includes(name)));
  return {
    ...change,
    input: { ...without(names, change.input), ...kept },
    ...(change.changed && { changed: new Set([...change.changed].filter((name) => !names.includes(name))) }),
  };
}

function without(names: readonly string[], values: JsonObject): JsonObject {
  if (!names.some((name) => name in values)) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}
