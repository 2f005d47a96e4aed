// Keeps whole answers and totals in memory until a write moves the collection's version.
// Identical requests that miss together are made once. What is kept is bounded in bytes, the oldest used go first.

import { createLru } from "#base/lru.ts";
import type { Storage } from "#storage/port.ts";

const pageBytes = 32 * 1024 * 1024;
const largestPage = 256 * 1024;
const totalBytes = 2 * 1024 * 1024;

interface Kept<V> {
  /** `stamp`: everything the value depends on; a value made under another stamp is made anew. */
  get(key: string, stamp: string, make: () => Promise<V>): Promise<V>;
}

export interface PageCache {
  pages: Kept<{ text: string }>;
  totals: Kept<number>;
}

const caches = new WeakMap<Storage, PageCache>();

export function pageCacheOf(storage: Storage): PageCache {
  let cache = caches.get(storage);
  if (!cache) {
    cache = {
      pages: createKept(pageBytes, ({ text }) => (text.length > largestPage / 2 ? Infinity : text.length * 2)),
      totals: createKept(totalBytes, () => 0),
    };
    caches.set(storage, cache);
  }
  return cache;
}

/** Strings count two bytes a character, as the engine may store them so. */
export function createKept<V>(capacity: number, sizeOf: (value: V) => number): Kept<V> {
  const kept = createLru<{ stamp: string; value: V }>(capacity);
  const pending = new Map<string, Promise<V>>();

  async function makeAndKeep(key: string, stamp: string, make: () => Promise<V>): Promise<V> {
    const value = await make();
    kept.set(key, { stamp, value }, sizeOf(value) + key.length * 2 + 200);
    return value;
  }

  return {
    async get(key, stamp, make) {
      const found = kept.get(key);
      if (found?.stamp === stamp) return found.value;
      const flight = `${stamp} ${key}`;
      let value = pending.get(flight);
      if (value === undefined) {
        value = makeAndKeep(key, stamp, make).finally(() => pending.delete(flight));
        pending.set(flight, value);
      }
      return value;
    },
  };
}
