// Changes that are not saved yet, kept in the storage of this browser: under the user, the collection, the object and the form
// that made them, with what they began from. Pure: the storage and the clock are given.

import type { JsonObject } from "@contract/json.ts";

export interface Place {
  user: string;
  collection: string;
  /** "-new" for an object that does not exist yet. */
  id: string;
}

export interface KeptChanges {
  /** ISO time of the last change. */
  at: string;
  /** Of the object as the changes began from it; empty for a new one. */
  etag: string;
  /** What the object is called, for lists. */
  title: string;
  /** Changed top-level properties; those that were removed are null. */
  changes: JsonObject;
  /** The same properties as they were stored. */
  base: JsonObject;
}

export interface KeptEntry extends KeptChanges {
  place: Place;
  /** The form that made them. */
  form: string;
}

const prefix = "cairn:kept:";
const lifetime = 30 * 86_400_000;

type Store = Pick<Storage, "length" | "key" | "getItem" | "setItem" | "removeItem">;

function keyOf({ user, collection, id }: Place, form: string): string {
  return prefix + [user, collection, id, form].map(encodeURIComponent).join(":");
}

function placeOf(key: string): { place: Place; form: string } | undefined {
  const [user, collection, id, form, ...more] = key.slice(prefix.length).split(":").map(decodeURIComponent);
  if (!user || !collection || !id || !form || more.length > 0) return undefined;
  return { place: { user, collection, id }, form };
}

/** All of a user, newest first; those of an object with `place`. What is too old or unreadable is removed. */
export function listKept(storage: Store, now: number, wanted: Pick<Place, "user"> & Partial<Place>): KeptEntry[] {
  const found: KeptEntry[] = [];
  for (const key of keysOf(storage)) {
    const where = placeOf(key);
    const kept = readKept(storage.getItem(key));
    if (!where || !kept || now - Date.parse(kept.at) > lifetime) {
      storage.removeItem(key);
      continue;
    }
    const { user, collection, id } = where.place;
    const isWanted =
      user === wanted.user &&
      (wanted.collection === undefined || wanted.collection === collection) &&
      (wanted.id === undefined || wanted.id === id);
    if (isWanted) found.push({ ...where, ...kept });
  }
  return found.sort((a, b) => b.at.localeCompare(a.at));
}

/** False: the storage is full or closed, even after older changes were dropped. */
export function keep(storage: Store, place: Place, form: string, kept: KeptChanges): boolean {
  const key = keyOf(place, form);
  const text = JSON.stringify(kept);
  for (;;) {
    try {
      storage.setItem(key, text);
      return true;
    } catch {
      if (!dropOldest(storage, key)) return false;
    }
  }
}

export function forget(storage: Store, place: Place, form: string): void {
  storage.removeItem(keyOf(place, form));
}

function dropOldest(storage: Store, but: string): boolean {
  const ages = keysOf(storage)
    .filter((key) => key !== but)
    .map((key) => ({ key, at: readKept(storage.getItem(key))?.at ?? "" }))
    .sort((a, b) => a.at.localeCompare(b.at));
  const [oldest] = ages;
  if (oldest) storage.removeItem(oldest.key);
  return oldest !== undefined;
}

function keysOf(storage: Store): string[] {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
  return keys.filter((key) => key.startsWith(prefix));
}

function readKept(text: string | null): KeptChanges | undefined {
  try {
    const kept = JSON.parse(text ?? "") as KeptChanges;
    const isWhole = typeof kept.at === "string" && typeof kept.changes === "object" && typeof kept.base === "object";
    return isWhole ? kept : undefined;
  } catch {
    return undefined;
  }
}
