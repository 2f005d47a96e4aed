// A store of a kind that keeps values by key. It is empty as soon as its kind was cleared, in this process or another.

import { addStore, type CacheKind, type CacheOwner, keepWithinLimit } from "./kinds.ts";
import { createLru, type Lru } from "./lru.ts";

/** Where a cache keeps its values. */
export interface CacheRoom {
  kind: CacheKind;
  /** How many, or of what size together. */
  capacity: number;
  /** Bytes that one of these takes; estimated. */
  unit: number;
}

export interface KindStore<V> extends Lru<V> {
  /** Moves when the kind is cleared: what was begun before is not to be kept. */
  generation(): number;
}

/** Characters of strings; the engine may store them in two bytes each. */
export const characterBytes = 2;

/** In the registry. */
export function openStore<V>(owner: CacheOwner, room: CacheRoom): KindStore<V> {
  const { kind, capacity, unit } = room;
  const store = createKindStore<V>(owner, room);
  addStore(kind, owner, {
    get entries() {
      return store.count;
    },
    get bytes() {
      return store.size * unit;
    },
    capacity: capacity * unit,
    counts: store.counts,
    get oldest() {
      return store.oldest;
    },
    follow: store.generation,
    shrink: store.shrink,
    clear() {
      const { count } = store;
      store.clear();
      return count;
    },
  });
  return store;
}

/** For an owner that adds it to the registry itself, as part of more. */
export function createKindStore<V>(owner: CacheOwner, { kind, capacity }: Omit<CacheRoom, "unit">): KindStore<V> {
  const lru = createLru<V>(capacity);
  let seen = owner.version(kind.scope);

  function follow(): void {
    const now = owner.version(kind.scope);
    if (now === seen) return;
    seen = now;
    lru.clear();
  }

  return {
    ...lru,
    get(key) {
      follow();
      return lru.get(key);
    },
    set(key, value, size) {
      follow();
      lru.set(key, value, size);
      keepWithinLimit(owner);
    },
    generation() {
      follow();
      return seen;
    },
    get size() {
      return lru.size;
    },
    get count() {
      return lru.count;
    },
    get oldest() {
      return lru.oldest;
    },
  };
}
