// A cache with a limit on the sum of its entries' sizes. It has two halves: entries that are read move to the young one, and
// when that is full, it replaces the old one. So the least recently used entries are dropped, without bookkeeping on a hit.

import { systemClock } from "#base/clock.ts";

export interface Lru<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, size?: number): void;
  delete(key: string): void;
  clear(): void;
  /** What `get` has just found is out of date: it counts as a miss. */
  reject(): void;
  /** Drops the less recently used half. */
  shrink(): void;
  /** Drops what can no longer be used. */
  prune(isStale: (value: V) => boolean): void;
  readonly size: number;
  /** Number of entries. */
  readonly count: number;
  /** Since the start. */
  readonly counts: Readonly<CacheCounts>;
  /** Every entry was added or used since then, by the clock; undefined where there is none. */
  readonly oldest: number | undefined;
}

export interface CacheCounts {
  hits: number;
  misses: number;
  /** Entries that were dropped to make room. */
  evictions: number;
}

interface Half<V> {
  entries: Map<string, { value: V; size: number }>;
  size: number;
  began: number;
}

export function createLru<V>(capacity: number): Lru<V> {
  let young = emptyHalf<V>();
  let old = emptyHalf<V>();
  const counts: CacheCounts = { hits: 0, misses: 0, evictions: 0 };

  function put(key: string, value: V, size: number): void {
    if (young.size + size > capacity / 2 && young.size > 0) replaceOld(young);
    if (young.entries.size === 0) young.began = systemClock.now();
    young.entries.set(key, { value, size });
    young.size += size;
    if (young.size + old.size > capacity) evictOld();
  }

  function replaceOld(next: Half<V>): void {
    evictOld();
    old = next;
    young = emptyHalf();
  }

  function evictOld(): void {
    counts.evictions += old.entries.size;
    old = emptyHalf();
  }

  function drop(key: string): void {
    for (const half of [young, old]) {
      const entry = half.entries.get(key);
      if (!entry) continue;
      half.size -= entry.size;
      half.entries.delete(key);
    }
  }

  return {
    get(key) {
      const recent = young.entries.get(key);
      if (recent) {
        counts.hits += 1;
        return recent.value;
      }
      const found = old.entries.get(key);
      if (!found) {
        counts.misses += 1;
        return undefined;
      }
      counts.hits += 1;
      drop(key);
      put(key, found.value, found.size);
      return found.value;
    },
    set(key, value, size = 1) {
      drop(key);
      if (size <= capacity) put(key, value, size);
    },
    delete: drop,
    clear() {
      young = emptyHalf();
      old = emptyHalf();
    },
    reject() {
      counts.hits -= 1;
      counts.misses += 1;
    },
    shrink() {
      if (old.entries.size === 0) replaceOld(young);
      evictOld();
    },
    prune(isStale) {
      for (const half of [young, old])
        for (const [key, { value, size }] of half.entries) {
          if (!isStale(value)) continue;
          half.size -= size;
          half.entries.delete(key);
        }
    },
    get size() {
      return young.size + old.size;
    },
    get count() {
      return young.entries.size + old.entries.size;
    },
    counts,
    get oldest() {
      if (old.entries.size > 0) return old.began;
      return young.entries.size > 0 ? young.began : undefined;
    },
  };
}

function emptyHalf<V>(): Half<V> {
  return { entries: new Map(), size: 0, began: 0 };
}
