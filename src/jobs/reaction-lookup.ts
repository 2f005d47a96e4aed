// What reactions look up on every write: read once, and again when its version has moved.
// What a transaction reads may yet be rolled back, so it is used there and never kept.

import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import type { Reader, Storage, Tx, VersionScope } from "#storage/port.ts";

interface Parts {
  storage: Storage;
}

export interface ReactionLookup<P extends Parts, T> {
  /** At once when nothing has changed since the last time, else undefined. */
  find(parts: P): T | undefined;
  load(parts: P): Promise<T>;
  loadIn(parts: P, tx: Tx): Promise<T>;
}

export function createReactionLookup<P extends Parts, T extends object>(
  scope: VersionScope,
  read: (parts: P, db: Reader) => Promise<T>,
): ReactionLookup<P, T> {
  const value = createVersionedValue<Storage, T>((storage) => storage.version(scope));

  async function load(parts: P): Promise<T> {
    return value.get(parts.storage, () => read(parts, parts.storage));
  }

  return {
    find: ({ storage }) => value.find(storage),
    load,
    async loadIn(parts, tx) {
      const found = value.find(parts.storage);
      if (found !== undefined) return found;
      setImmediate(() => load(parts).catch(() => {}));
      return read(parts, tx);
    },
  };
}
