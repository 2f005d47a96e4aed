// Keeps whole answers and totals in memory until a write moves the collection's version.
// Identical requests that miss together are made once. What is kept is bounded in bytes, the oldest used go first. Answers that
// a write has outdated are removed as new ones come: else they would stay until all the room is taken.

import { type KindStore, openStore } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { CairnError } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { type Caller, service } from "#lanes/caller.ts";
import type { Storage, VersionScope } from "#storage/port.ts";

const pageBytes = 32 * 1024 * 1024;
const largestPage = 256 * 1024;
const totalBytes = 2 * 1024 * 1024;
/** In the name of others. */
const maxTries = 3;
/** Outdated answers are looked for when so much has been added since the last time, or as much as was left then. */
const leastSwept = 1024 * 1024;

/** Everything a value depends on; a value made under another stamp is made again. */
export interface Stamp {
  /** Their versions count. */
  scopes: readonly VersionScope[];
  /** Anything else. */
  more?: string;
}

interface Kept<V> {
  get(key: string, stamp: Stamp, make: (caller: Caller) => Promise<V>, caller?: Caller): Promise<V>;
  /** For a caller that makes the value by itself, from what it reads after this call. */
  at(key: string, stamp: Stamp): KeptPlace<V>;
}

export interface KeptPlace<V> {
  /** Undefined: it is not kept. */
  find(): V | undefined;
  keep(value: V): void;
}

/** Made for all waiting callers, in the name of the first. */
interface Flight<V> {
  name: string;
  value: Promise<V>;
  waiting: number;
  stop(): void;
}

type Page = { text: string } | { bytes: Uint8Array };

export interface PageCache {
  pages: Kept<Page>;
  totals: Kept<number>;
}

export const pageCacheOf = perInstance((storage: Storage): PageCache => {
  const { lists: kind, totals } = cacheKinds;
  return {
    pages: createKept(storage, openStore(storage, { kind, capacity: pageBytes, unit: 1 }), sizeOf),
    totals: createKept(storage, openStore(storage, { kind: totals, capacity: totalBytes, unit: 1 }), () => 0),
  };
});

/** Strings count two bytes a character, as the engine may store them so. */
function sizeOf(page: Page): number {
  const size = "bytes" in page ? page.bytes.length : page.text.length * 2;
  return size > largestPage ? Infinity : size;
}

export interface Stamped<V> {
  scopes: readonly VersionScope[];
  versions: string;
  more: string | undefined;
  value: V;
}

export function createKept<V>(
  storage: Pick<Storage, "version">,
  kept: KindStore<Stamped<V>>,
  sizeOf: (value: V) => number,
): Kept<V> {
  const pending = new Map<string, Flight<V>>();
  let added = 0;
  let left = 0;

  function versionsOf(scopes: readonly VersionScope[]): string {
    let versions = "";
    for (const scope of scopes) versions += `${storage.version(scope)} `;
    return versions;
  }

  function find(key: string, more: string | undefined, versions: string): V | undefined {
    const found = kept.get(key);
    if (found === undefined) return undefined;
    if (found.more === more && found.versions === versions) return found.value;
    kept.reject();
    return undefined;
  }

  /** `versions`: read before the value was made. */
  function put(key: string, { scopes, more }: Stamp, versions: string, value: V): void {
    const size = sizeOf(value) + key.length * 2 + 200;
    kept.set(key, { scopes, versions, more, value }, size);
    if (size < Number.POSITIVE_INFINITY) added += size;
    if (added < Math.max(leastSwept, left)) return;
    kept.prune((entry) => entry.versions !== versionsOf(entry.scopes));
    added = 0;
    left = kept.size;
  }

  async function makeAndKeep(key: string, stamp: Stamp, versions: string, make: () => Promise<V>): Promise<V> {
    const generation = kept.generation();
    const value = await make();
    if (kept.generation() === generation) put(key, stamp, versions, value);
    return value;
  }

  const get: Kept<V>["get"] = async (key, stamp, make, caller = service) => {
    for (let tries = 1; ; tries += 1) {
      const versions = versionsOf(stamp.scopes);
      const found = find(key, stamp.more, versions);
      if (found !== undefined) return found;
      // Callers with a credential have more time.
      const name = `${caller.hasCredential} ${versions}${stamp.more} ${key}`;
      let flight = pending.get(name);
      if (flight === undefined) {
        const shared = new AbortController();
        const first = { name: caller.name, hasCredential: caller.hasCredential, signal: shared.signal };
        const value = makeAndKeep(key, stamp, versions, () => make(first)).finally(() => {
          if (pending.get(name) === flight) pending.delete(name);
        });
        flight = { name: first.name, value, waiting: 0, stop: () => shared.abort() };
        pending.set(name, flight);
      }
      try {
        return await share(flight, caller.signal, () => pending.delete(name));
      } catch (error) {
        const isOwn = flight.name === caller.name || caller.signal?.aborted === true;
        if (isOwn || tries === maxTries || !isOfOneCaller(error)) throw error;
      }
    }
  };
  return {
    get,
    at(key, stamp) {
      const versions = versionsOf(stamp.scopes);
      return { find: () => find(key, stamp.more, versions), keep: (value) => put(key, stamp, versions, value) };
    },
  };
}

/** What the limits of one caller refuse, another may ask for. */
function isOfOneCaller(error: unknown): boolean {
  return error instanceof CairnError && (error.word === "busy" || error.word === "rate-limited");
}

/** It is stopped when the last waiting caller has disconnected. */
async function share<V>(flight: Flight<V>, signal: AbortSignal | undefined, forget: () => void): Promise<V> {
  flight.waiting += 1;
  const leave = () => {
    flight.waiting -= 1;
    if (flight.waiting > 0) return;
    forget();
    flight.stop();
  };
  signal?.addEventListener("abort", leave, { once: true });
  try {
    return await flight.value;
  } finally {
    signal?.removeEventListener("abort", leave);
  }
}
