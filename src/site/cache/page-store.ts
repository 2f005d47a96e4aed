// Where kept pages are: by path, then by the parameters that each has read. Bounded in bytes, in variants of one path and in answers
// of status 404; the least recently used go first.

import type { PageRecord } from "#site/template/recorder.ts";
import type { ServedPage } from "./served-page.ts";

const maxVariants = 100;
const maxMissing = 1_000;
const largestPage = 1024 * 1024;
/** What a page takes beside its body; estimated. */
const overhead = 1_000;
const readOverhead = 150;

export interface KeptPage {
  readonly key: string;
  readonly variant: string;
  readonly page: ServedPage;
  readonly record: PageRecord;
  /** By the clock, in milliseconds. */
  readonly until: number;
  /** When it was last known to be right. */
  validAt: number;
  /** `anyVersion` when the known changes did not suffice to find it unchanged. */
  doubted?: number;
  size: number;
}

/** The values of the parameters of a request; `wholeSearch` names all of them. */
export type ParameterOf = (name: string) => string | undefined;

interface Shelf {
  /** Names of parameters that were read together, and how many variants read them. Most paths have one form. */
  forms: { form: string; names: readonly string[]; count: number }[];
  /** The least recently used one is first. */
  variants: Map<string, KeptPage>;
}

export interface PageStore {
  find(key: string, parameterOf: ParameterOf): KeptPage | undefined;
  /** What tells requests of this path apart, as far as it is known. */
  distinguish(key: string, parameterOf: ParameterOf): string;
  /** Undefined: it is too large to be kept. */
  put(key: string, made: Pick<KeptPage, "page" | "record" | "until" | "validAt">): KeptPage | undefined;
  delete(kept: KeptPage): void;
  /** An encoded form was added. */
  grow(kept: KeptPage, bytes: number): void;
  /** Those that match, or all; their number. */
  clear(matches?: (kept: KeptPage) => boolean): number;
  /** Drops half of the bytes, the least recently used first. */
  shrink(): void;
  readonly count: number;
  readonly bytes: number;
  /** Pages that were dropped to make room, since the start. */
  readonly evictions: number;
  /** When the least recently used one was last known to be right. */
  readonly oldest: number | undefined;
}

export function createPageStore(capacity: () => number): PageStore {
  const shelves = new Map<string, Shelf>();
  /** The least recently used one is first. */
  const pages = new Set<KeptPage>();
  const missing = new Set<KeptPage>();
  let bytes = 0;
  let evictions = 0;
  let newest: KeptPage | undefined;

  function touch(shelf: Shelf, kept: KeptPage): void {
    if (kept === newest) return;
    newest = kept;
    pages.delete(kept);
    pages.add(kept);
    if (missing.delete(kept)) missing.add(kept);
    if (shelf.variants.size === 1) return;
    shelf.variants.delete(kept.variant);
    shelf.variants.set(kept.variant, kept);
  }

  function remove(kept: KeptPage): void {
    if (!pages.delete(kept)) return;
    missing.delete(kept);
    bytes -= kept.size;
    const shelf = shelves.get(kept.key) as Shelf;
    shelf.variants.delete(kept.variant);
    const form = findForm(shelf, kept.record);
    if (form && --form.count === 0) shelf.forms.splice(shelf.forms.indexOf(form), 1);
    if (shelf.variants.size === 0) shelves.delete(kept.key);
  }

  function makeRoom(most = capacity()): void {
    for (const kept of pages) {
      if (bytes <= most) return;
      evict(kept);
    }
  }

  function evict(kept: KeptPage): void {
    evictions += 1;
    remove(kept);
  }

  return {
    find(key, parameterOf) {
      const shelf = shelves.get(key);
      if (shelf === undefined) return undefined;
      for (const { names } of shelf.forms) {
        // Most pages read no parameter.
        const variant = names.length === 0 ? "" : variantOf(names.map((name) => [name, parameterOf(name)]));
        const kept = shelf.variants.get(variant);
        if (kept === undefined) continue;
        touch(shelf, kept);
        return kept;
      }
      return undefined;
    },
    distinguish(key, parameterOf) {
      const names = new Set((shelves.get(key)?.forms ?? []).flatMap((form) => form.names));
      return `${key} ${variantOf([...names].map((name) => [name, parameterOf(name)]))}`;
    },
    put(key, made) {
      const size = sizeOf(made);
      if (size > Math.min(largestPage, capacity())) return undefined;
      const shelf: Shelf = shelves.get(key) ?? { forms: [], variants: new Map() };
      const variant = variantOf(made.record.parameters);
      const former = shelf.variants.get(variant);
      if (former) remove(former);
      const kept = { ...made, key, variant, size };
      shelves.set(key, shelf);
      const form = findForm(shelf, made.record);
      if (form) form.count += 1;
      else {
        const names = made.record.parameters.map(([name]) => name);
        shelf.forms.push({ form: formOf(made.record), names, count: 1 });
      }
      shelf.variants.set(variant, kept);
      pages.add(kept);
      bytes += size;
      if (shelf.variants.size > maxVariants) evict(firstOf(shelf.variants.values()));
      if (kept.page.status === 404) {
        missing.add(kept);
        if (missing.size > maxMissing) evict(firstOf(missing.values()));
      }
      makeRoom();
      return kept;
    },
    delete: remove,
    grow(kept, added) {
      if (!pages.has(kept)) return;
      kept.size += added;
      bytes += added;
      makeRoom();
    },
    clear(matches = () => true) {
      const cleared = [...pages].filter(matches);
      for (const kept of cleared) remove(kept);
      return cleared.length;
    },
    shrink: () => makeRoom(Math.floor(bytes / 2)),
    get count() {
      return pages.size;
    },
    get bytes() {
      return bytes;
    },
    get evictions() {
      return evictions;
    },
    get oldest() {
      for (const { validAt } of pages) return validAt;
      return undefined;
    },
  };
}

function firstOf(pages: Iterable<KeptPage>): KeptPage {
  for (const kept of pages) return kept;
  throw new Error("there is no first page");
}

function findForm({ forms }: Shelf, record: PageRecord): Shelf["forms"][number] | undefined {
  const wanted = formOf(record);
  return forms.find(({ form }) => form === wanted);
}

function formOf({ parameters }: PageRecord): string {
  return JSON.stringify(parameters.map(([name]) => name));
}

function variantOf(parameters: PageRecord["parameters"]): string {
  return parameters.length === 0 ? "" : JSON.stringify(parameters.map(([name, value]) => [name, value ?? null]));
}

function sizeOf({ page, record }: Pick<KeptPage, "page" | "record">): number {
  let reads = record.scopes.length;
  for (const { objects, absences, queries } of record.collections.values()) {
    reads += objects.length + absences.length + queries.length;
    for (const query of queries) reads += query.objects.length;
  }
  return page.octets.length + reads * readOverhead + overhead;
}
