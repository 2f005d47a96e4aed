// The registry of caches. Each owner of a kind defines it once, and adds what it keeps for an installation: a store.
// A kind is cleared by moving the scope `cache:{name}` in the storage: each process compares versions before it answers from a
// store. Nothing here knows what is kept.

import { perInstance } from "#base/per-instance.ts";
import type { CacheCounts } from "./lru.ts";

export type CacheScope = `cache:${string}`;

/** The storage of an installation: it counts versions over all processes. */
export interface CacheOwner {
  version(scope: CacheScope): number;
}

export interface CacheKind {
  readonly name: string;
  /** For people: what is kept, and until when. */
  readonly about: string;
  readonly place: "memory" | "files";
  /** All processes of a machine use the same entries. */
  readonly isShared: boolean;
  /** False: it is cleared together with everything else, never alone. */
  readonly isClearedAlone: boolean;
  /** Entries of a path or with a tag can be cleared. */
  readonly isSelective: boolean;
  readonly scope: CacheScope;
}

/** Which entries of a kind are meant, where it can tell them apart. */
export interface CacheSelection {
  /** A path, or a beginning that ends with `*`. */
  path?: string | undefined;
  tag?: string | undefined;
}

/** What a kind keeps for one installation in this process. */
export interface CacheStore {
  readonly entries: number;
  readonly bytes: number;
  /** In bytes. */
  readonly capacity: number;
  readonly counts: Readonly<CacheCounts>;
  readonly oldest: number | undefined;
  /** Where the entries are files: what of them is in memory as well, in bytes. */
  readonly memory?: number;
  /** Forgets what was cleared in another process. */
  follow(): unknown;
  /** Drops about half of what is in memory, the least recently used first. */
  shrink(): void;
  /** The number of entries that were dropped. */
  clear(selection?: CacheSelection): number;
}

export interface CacheFacts extends CacheCounts {
  entries: number;
  bytes: number;
  capacity: number;
  oldest: number | undefined;
}

const kinds = new Map<string, CacheKind>();

interface Installed {
  stores: { kind: CacheKind; store: CacheStore }[];
  /** Bytes of all stores together. */
  most(): number;
}

const installedOf = perInstance(
  (_owner: CacheOwner): Installed => ({ stores: [], most: () => Number.POSITIVE_INFINITY }),
);

/** Once for each name; also later than the start, as extensions do. */
export function defineKind(facts: Pick<CacheKind, "name" | "about"> & Partial<CacheKind>): CacheKind {
  if (kinds.has(facts.name)) throw new Error(`the kind of cache "${facts.name}" is defined twice`);
  const kind: CacheKind = {
    place: "memory",
    isShared: false,
    isClearedAlone: true,
    isSelective: false,
    ...facts,
    scope: `cache:${facts.name}`,
  };
  kinds.set(kind.name, kind);
  return kind;
}

/** In the order of their definition. */
export function listKinds(): CacheKind[] {
  return [...kinds.values()];
}

export function addStore(kind: CacheKind, owner: CacheOwner, store: CacheStore): void {
  installedOf(owner).stores.push({ kind, store });
}

/** Bytes that the stores of an installation take in this process at most, together. */
export function limitCaches(owner: CacheOwner, most: () => number): void {
  installedOf(owner).most = most;
}

/** To be called when a store has grown: where all together are too large, the largest one gives way. */
export function keepWithinLimit(owner: CacheOwner): void {
  const { stores, most } = installedOf(owner);
  for (const limit = most(); memoryOf(owner) > limit; ) {
    const largest = stores.reduce((a, b) => (memoryIn(b.store) > memoryIn(a.store) ? b : a));
    largest.store.shrink();
  }
}

/** Bytes of all stores in the memory of this process. */
export function memoryOf(owner: CacheOwner): number {
  let sum = 0;
  for (const { store } of installedOf(owner).stores) sum += memoryIn(store);
  return sum;
}

function memoryIn({ memory, bytes }: CacheStore): number {
  return memory ?? bytes;
}

/** Before stores are measured: their owners do it themselves before they answer. */
export async function followClearings(owner: CacheOwner): Promise<void> {
  for (const { store } of installedOf(owner).stores) await store.follow();
}

/** In this process. */
export function measureKind(owner: CacheOwner, { name }: CacheKind): CacheFacts {
  const facts: CacheFacts = { entries: 0, bytes: 0, capacity: 0, hits: 0, misses: 0, evictions: 0, oldest: undefined };
  for (const { kind, store } of installedOf(owner).stores) {
    if (kind.name !== name) continue;
    facts.entries += store.entries;
    facts.bytes += store.bytes;
    facts.capacity += store.capacity;
    facts.hits += store.counts.hits;
    facts.misses += store.counts.misses;
    facts.evictions += store.counts.evictions;
    facts.oldest = earlier(facts.oldest, store.oldest);
  }
  return facts;
}

export function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a;
}

/** In this process: others follow the scope. The number of entries. */
export function clearKind(owner: CacheOwner, { name }: CacheKind, selection?: CacheSelection): number {
  let count = 0;
  for (const { kind, store } of installedOf(owner).stores) if (kind.name === name) count += store.clear(selection);
  return count;
}
