// A cache with a limit on the sum of its entries' sizes. It has two halves: entries that are read move to the young one, and
// when that is full, it replaces the old one. So the least recently used entries are dropped, without bookkeeping on a hit.

export interface Lru<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, size?: number): void;
  delete(key: string): void;
  clear(): void;
  readonly size: number;
  /** Number of entries. */
  readonly count: number;
}

interface Half<V> {
  entries: Map<string, { value: V; size: number }>;
  size: number;
}

export function createLru<V>(capacity: number): Lru<V> {
  let young = emptyHalf<V>();
  let old = emptyHalf<V>();

  function put(key: string, value: V, size: number): void {
    if (young.size + size > capacity / 2 && young.size > 0) {
      old = young;
      young = emptyHalf();
    }
    young.entries.set(key, { value, size });
    young.size += size;
    if (young.size + old.size > capacity) old = emptyHalf();
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
      if (recent) return recent.value;
      const found = old.entries.get(key);
      if (!found) return undefined;
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
    get size() {
      return young.size + old.size;
    },
    get count() {
      return young.entries.size + old.entries.size;
    },
  };
}

function emptyHalf<V>(): Half<V> {
  return { entries: new Map(), size: 0 };
}
