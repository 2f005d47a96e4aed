// Keeps whole answers and totals in memory until a write moves the collection's version.
// Identical requests that miss together are made once. What is kept is bounded in bytes, the oldest used go first.

import { type KindStore, openStore } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { CairnError } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import { type Caller, service } from "#lanes/caller.ts";
import type { Storage } from "#storage/port.ts";

const pageBytes = 32 * 1024 * 1024;
const largestPage = 256 * 1024;
const totalBytes = 2 * 1024 * 1024;
/** In the name of others. */
const maxTries = 3;

interface Kept<V> {
  /** `stamp`: everything the value depends on; a value made under another stamp is made again. */
  get(key: string, stamp: string, make: (caller: Caller) => Promise<V>, caller?: Caller): Promise<V>;
  /** Undefined: it is not kept. */
  find(key: string, stamp: string): V | undefined;
  put(key: string, stamp: string, value: V): void;
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

export const pageCacheOf = perInstance(
  (storage: Storage): PageCache => ({
    pages: createKept(openStore(storage, { kind: cacheKinds.lists, capacity: pageBytes, unit: 1 }), sizeOf),
    totals: createKept(openStore(storage, { kind: cacheKinds.totals, capacity: totalBytes, unit: 1 }), () => 0),
  }),
);

/** Strings count two bytes a character, as the engine may store them so. */
function sizeOf(page: Page): number {
  const size = "bytes" in page ? page.bytes.length : page.text.length * 2;
  return size > largestPage ? Infinity : size;
}

export interface Stamped<V> {
  stamp: string;
  value: V;
}

export function createKept<V>(kept: KindStore<Stamped<V>>, sizeOf: (value: V) => number): Kept<V> {
  const pending = new Map<string, Flight<V>>();

  function find(key: string, stamp: string): V | undefined {
    const found = kept.get(key);
    if (found === undefined) return undefined;
    if (found.stamp === stamp) return found.value;
    kept.reject();
    return undefined;
  }

  function put(key: string, stamp: string, value: V): void {
    kept.set(key, { stamp, value }, sizeOf(value) + key.length * 2 + 200);
  }

  async function makeAndKeep(key: string, stamp: string, make: () => Promise<V>): Promise<V> {
    const generation = kept.generation();
    const value = await make();
    if (kept.generation() === generation) put(key, stamp, value);
    return value;
  }

  const get: Kept<V>["get"] = async (key, stamp, make, caller = service) => {
    for (let tries = 1; ; tries += 1) {
      const found = find(key, stamp);
      if (found !== undefined) return found;
      // Callers with a credential have more time.
      const name = `${caller.hasCredential} ${stamp} ${key}`;
      let flight = pending.get(name);
      if (flight === undefined) {
        const shared = new AbortController();
        const first = { name: caller.name, hasCredential: caller.hasCredential, signal: shared.signal };
        const value = makeAndKeep(key, stamp, () => make(first)).finally(() => {
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
  return { find, put, get };
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
