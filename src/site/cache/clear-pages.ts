// The kind of cache for kept pages, and clearing them: all, those of a path, or those with a tag. The last clearing is stored with
// its number, so that another process drops what was meant and keeps the rest.

import { addStore, type CacheSelection } from "#base/caches/kinds.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import type { Storage } from "#storage/port.ts";
import { type Clearing, findClearing } from "#storage/tables/caches/clearings.ts";
import { tagsOf } from "./cache-tags.ts";
import type { KeptPage, PageStore } from "./page-store.ts";

export interface PageCounters {
  hits: number;
  /** Something had moved, but nothing that the page has read. */
  validations: number;
  renderings: number;
}

interface Registered {
  storage: Storage;
  store: PageStore;
  counters: PageCounters;
  clearings: Clearings;
  capacity(): number;
}

export function addPagesToRegistry({ storage, store, counters, clearings, capacity }: Registered): void {
  addStore(cacheKinds.pages, storage, {
    get entries() {
      return store.count;
    },
    get bytes() {
      return store.bytes;
    },
    get capacity() {
      return capacity();
    },
    get counts() {
      const hits = counters.hits + counters.validations;
      return { hits, misses: counters.renderings, evictions: store.evictions };
    },
    get oldest() {
      return store.oldest;
    },
    follow: () => clearings.isCurrent() || clearings.follow(),
    shrink: store.shrink,
    clear: (selection) => store.clear(selection && matcherOf(selection)),
  });
}

export interface Clearings {
  /** Nothing was cleared since the last look; numbers are compared for that. */
  isCurrent(): boolean;
  version(): number;
  /** Reads the last clearing and drops the pages that it names; all of them where more than one was missed. */
  follow(): Promise<void>;
}

export function openClearings(storage: Storage, store: PageStore): Clearings {
  const version = () => storage.version(cacheKinds.pages.scope);
  let seen = Number.NaN;
  let known: number | undefined;
  return {
    version,
    isCurrent: () => version() === seen,
    async follow() {
      let now: number;
      let clearing: Clearing;
      // What was read while another clearing came in may be older than what a later caller has read meanwhile.
      do {
        now = version();
        clearing = await findClearing(storage, cacheKinds.pages.scope);
      } while (version() !== now);
      const { number, ...selection } = clearing;
      const isNext = known !== undefined && number === known + 1;
      if (isNext) store.clear(matcherOf(selection));
      else if (number !== known) store.clear();
      known = number;
      seen = now;
    },
  };
}

function matcherOf({ path, tag }: CacheSelection): (kept: KeptPage) => boolean {
  return ({ key, record }) =>
    (path === undefined || isUnder(pathOf(key), path)) &&
    (tag === undefined || tagsOf(record).split(",").includes(tag));
}

function isUnder(path: string, wanted: string): boolean {
  return wanted.endsWith("*") ? path.startsWith(wanted.slice(0, -1)) : path === wanted;
}

/** Keys are the form, the language and the path (watched-request.ts). */
function pathOf(key: string): string {
  return key.split(" ").slice(2).join(" ");
}
