// Caches whose values are kept until a version moves. The storage counts versions (Storage.version), over all processes.
// Security rests on these rules, so all such caches follow them here:
// - The version is read before a value is loaded. A value is kept only if the version has not moved in the meantime.
// - `undefined` is never kept: a key, a session or an object that is not there is looked for again.
// - What is kept is bounded.
// Callers first let the storage catch up where writes of other processes decide what a request may see (Storage.catchUp).

import { perInstance } from "#base/per-instance.ts";
import { type CacheRoom, type KindStore, openStore } from "./kind-store.ts";
import type { CacheOwner } from "./kinds.ts";

/** Only equality counts. */
type Version = number | string;

/** What `load` returns when the value is not kept: the value or undefined, at once or as a promise. */
type Loaded<V> = V | undefined | Promise<V | undefined>;

/** One value for each owner, which is the storage as a rule. */
export interface VersionedValue<K, V> {
  find(owner: K): V | undefined;
  /** At once when it is kept, else what `load` returns: `await` works on both. */
  get<R extends Loaded<V>>(owner: K, load: () => R): R | Awaited<R>;
  /** For changes that move no version. */
  forget(owner: K): void;
}

export function createVersionedValue<K extends object, V extends object>(
  versionOf: (owner: K) => Version,
): VersionedValue<K, V> {
  const stateOf = perInstance((_owner: K): { version: Version | undefined; value: V | undefined } => ({
    version: undefined,
    value: undefined,
  }));
  return {
    find(owner) {
      const state = stateOf(owner);
      return state.version === versionOf(owner) ? state.value : undefined;
    },
    get<R extends Loaded<V>>(owner: K, load: () => R) {
      const state = stateOf(owner);
      const version = versionOf(owner);
      if (state.version === version && state.value !== undefined) return state.value as Awaited<R>;
      return keep(load(), (value: V) => {
        if (versionOf(owner) !== version) return;
        state.version = version;
        state.value = value;
      });
    },
    forget(owner) {
      stateOf(owner).value = undefined;
    },
  };
}

/** Values by key. When the version moves, all of them go. */
export interface VersionedMap<K, V> {
  get<R extends Loaded<V>>(owner: K, key: string, load: () => R): R | Awaited<R>;
}

/** `sizeOf`: in the unit of the room; without it each value counts as one. */
export function createVersionedMap<K extends CacheOwner, V extends object>(
  versionOf: (owner: K) => Version,
  room: CacheRoom,
  sizeOf?: (value: V, key: string) => number,
): VersionedMap<K, V> {
  const stateOf = perInstance((owner: K): { version: Version | undefined; entries: KindStore<V> } => ({
    version: undefined,
    entries: openStore(owner, room),
  }));
  return {
    get<R extends Loaded<V>>(owner: K, key: string, load: () => R) {
      const state = stateOf(owner);
      const version = versionOf(owner);
      if (state.version !== version) {
        state.entries.clear();
        state.version = version;
      }
      const known = state.entries.get(key);
      if (known !== undefined) return known as Awaited<R>;
      const generation = state.entries.generation();
      return keep(load(), (value: V) => {
        const isCurrent = state.version === version && versionOf(owner) === version;
        if (isCurrent && state.entries.generation() === generation) state.entries.set(key, value, sizeOf?.(value, key));
      });
    },
  };
}

/** Values by key, each under the version of the place that it is from, bounded together. */
export interface VersionedEntries<K, P, V> {
  find(owner: K, place: P, key: string): V | undefined;
  /** For a value that was not found, or that is not the right one. */
  load<R extends Loaded<V>>(owner: K, place: P, key: string, load: () => R): R;
  forget(owner: K, key: string): void;
}

/** A value that is larger than the room is not kept. */
export function createVersionedEntries<K extends CacheOwner, P, V extends object>(
  versionOf: (owner: K, place: P) => Version,
  room: CacheRoom,
  sizeOf: (value: V) => number,
): VersionedEntries<K, P, V> {
  const entriesOf = perInstance((owner: K): KindStore<{ version: Version; value: V }> => openStore(owner, room));
  return {
    find(owner, place, key) {
      const entries = entriesOf(owner);
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.version === versionOf(owner, place)) return entry.value;
      entries.reject();
      return undefined;
    },
    load<R extends Loaded<V>>(owner: K, place: P, key: string, load: () => R) {
      const version = versionOf(owner, place);
      const entries = entriesOf(owner);
      const generation = entries.generation();
      return keep(load(), (value: V) => {
        if (versionOf(owner, place) === version && entries.generation() === generation)
          entries.set(key, { version, value }, sizeOf(value));
      });
    },
    forget(owner, key) {
      entriesOf(owner).delete(key);
    },
  };
}

function keep<V, R extends Loaded<V>>(loaded: R, put: (value: V) => void): R {
  const kept = (value: V | undefined): V | undefined => {
    if (value !== undefined) put(value);
    return value;
  };
  return (loaded instanceof Promise ? loaded.then(kept) : kept(loaded as V | undefined)) as R;
}
