// Objects that are read again and again, as they are answered, until the next write to their collection.
// Call after `catchUp`: else a stale entry could be answered.

import { characterBytes } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedEntries } from "#base/caches/versioned-cache.ts";
import type { Collection } from "#content/collections/collection.ts";
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
  /** Another one as soon as its settings or its schema are. */
  collection: Collection;
  object: CachedObject;
}

const entries = createVersionedEntries<Storage, string, Entry>(
  (storage, collection) => storage.version(`objects:${collection}`),
  { kind: cacheKinds.objects, capacity, unit: characterBytes },
  sizeOf,
);

export function findCachedObject(storage: Storage, collection: Collection, id: string): CachedObject | undefined {
  const entry = entries.find(storage, collection.id, `${collection.id}/${id}`);
  return entry?.collection === collection ? entry.object : undefined;
}

/** For an object that was not found: reads it and caches it, unless its collection is written to meanwhile. */
export async function cacheObject(
  storage: Storage,
  collection: Collection,
  id: string,
  read: () => Promise<CachedObject | undefined>,
): Promise<CachedObject | undefined> {
  const entry = await entries.load(storage, collection.id, `${collection.id}/${id}`, async () => {
    const object = await read();
    if (object && isSmall(object)) object.answer.octets = octetsOf(object.answer.text);
    return object && { collection, object };
  });
  return entry?.object;
}

function isSmall({ answer }: CachedObject): boolean {
  return answer.text.length <= largest;
}

function sizeOf({ object }: Entry): number {
  const { text, octets = text } = object.answer;
  return isSmall(object) ? text.length + (octets === text ? 0 : octets.length) + 200 : Number.POSITIVE_INFINITY;
}

/** Text of ASCII alone is as long in UTF-8, and the same. */
function octetsOf(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}
