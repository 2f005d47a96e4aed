// What reactions look up on every write: read once, and again when its version has moved.
// What a transaction reads may yet be undone, so it is used there and never kept.

import type { Reader, Storage, Tx, VersionScope } from "#storage/port.ts";

interface Parts {
  storage: Storage;
}

export interface VersionedValue<P extends Parts, T> {
  /** At once when nothing has changed since the last time, else undefined. */
  find(parts: P): T | undefined;
  load(parts: P): Promise<T>;
  loadIn(parts: P, tx: Tx): Promise<T>;
}

export function createVersionedValue<P extends Parts, T>(
  scope: VersionScope,
  read: (parts: P, db: Reader) => Promise<T>,
): VersionedValue<P, T> {
  const states = new WeakMap<Storage, { version: number; value: T }>();

  function find({ storage }: P): T | undefined {
    const state = states.get(storage);
    return state?.version === storage.version(scope) ? state.value : undefined;
  }

  async function load(parts: P): Promise<T> {
    const found = find(parts);
    if (found !== undefined) return found;
    const version = parts.storage.version(scope);
    const value = await read(parts, parts.storage);
    states.set(parts.storage, { version, value });
    return value;
  }

  return {
    find,
    load,
    async loadIn(parts, tx) {
      const found = find(parts);
      if (found !== undefined) return found;
      setImmediate(() => load(parts).catch(() => {}));
      return read(parts, tx);
    },
  };
}
