// Objects that are read again and again, as they are answered, until the next write to their collection.
// Call after `catchUp`: else a stale entry could be answered.

import { createLru, type Lru } from "#base/lru.ts";
import type { Collection } from "#content/collections/collection-cache.ts";
import type { Storage } from "#storage/port.ts";
import type { ObjectAnswer } from "./object-answer.ts";

/** Characters of all that is kept. */
const capacity = 16_000_000;
const largest = 64_000;

export interface CachedObject {
  answer: ObjectAnswer;
  isDraft: boolean;
}

interface Entry {
  version: number;
  /** Another one as soon as its settings or its schema are. */
  collection: Collection;
  object: CachedObject;
}

const states = new WeakMap<Storage, Lru<Entry>>();

export function findCachedObject(storage: Storage, collection: Collection, id: string): CachedObject | undefined {
  const entry = states.get(storage)?.get(`${collection.id}/${id}`);
  if (entry?.collection !== collection) return undefined;
  return entry.version === storage.version(`objects:${collection.id}`) ? entry.object : undefined;
}

/** `version`: of the collection's objects, read before the object was. */
export function cacheObject(storage: Storage, collection: Collection, object: CachedObject, version: number): void {
  const { id, text } = object.answer;
  if (text.length > largest) return;
  const octets = octetsOf(text);
  object.answer.octets = octets;
  let state = states.get(storage);
  if (!state) {
    state = createLru(capacity);
    states.set(storage, state);
  }
  state.set(
    `${collection.id}/${id}`,
    { version, collection, object },
    text.length + (octets === text ? 0 : octets.length) + 200,
  );
}

/** Text of ASCII alone is as long in UTF-8, and the same. */
function octetsOf(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}
