// A cache with a cap on the sum of its entries' sizes; the least recently used go first.

export interface Lru<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, size?: number): void;
  delete(key: string): void;
  clear(): void;
  readonly size: number;
}

export function createLru<V>(capacity: number): Lru<V> {
  const entries = new Map<string, { value: V; size: number }>();
  let total = 0;

  function drop(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    total -= entry.size;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, size = 1) {
      drop(key);
      if (size > capacity) return;
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= capacity) break;
        drop(oldest);
      }
    },
    delete: drop,
    clear() {
      entries.clear();
      total = 0;
    },
    get size() {
      return total;
    },
  };
}
