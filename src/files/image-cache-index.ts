// The size of all derived images, and their order of use: in memory, filled by one walk when first needed.
// Several processes share the files but not this index, so the sum is approximate; a walk now and then corrects it.

import type { Dirent } from "node:fs";
import { readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder } from "./keys.ts";

const walkAgainMs = 600_000;
/** Readers of the numbers get younger ones. */
const recountMs = 30_000;
/** The share that is left after a clean-up. */
const share = 0.9;

export interface CacheIndex {
  /** A new file; the least recently used are removed when there are too many bytes. */
  add(path: string, size: number): Promise<void>;
  touch(path: string): void;
  /** Everything below a folder is gone. */
  forget(folder: string): void;
  /** Counts the files again, unless that was done lately. Resolves when no count is running. */
  recount(): Promise<void>;
  readonly bytes: number;
  readonly entries: number;
  /** Files that were removed to make room, since the start. */
  readonly evictions: number;
  /** When the oldest file was made, as of the last count. */
  readonly oldest: number | undefined;
  /** Paths and sizes. */
  list(): Iterable<[path: string, size: number]>;
}

export function createCacheIndex(root: string, maxBytes: () => number): CacheIndex {
  /** The most recently used at the end. */
  let sizes = new Map<string, number>();
  let bytes = 0;
  let evictions = 0;
  let oldest: number | undefined;
  let walkedAt = Number.NEGATIVE_INFINITY;
  let walking: Promise<void> | undefined;
  /** While a walk runs: folders that were emptied, and files that were known when it began and are known still. */
  let forgotten = new Set<string>();
  let before = new Set<string>();

  function drop(path: string): void {
    before.delete(path);
    bytes -= sizes.get(path) ?? 0;
    sizes.delete(path);
  }

  /** One at a time, in the background; an unreadable folder may be readable tomorrow. */
  function walkAfter(ms: number): void {
    const now = performance.now();
    if (walking !== undefined || now - walkedAt <= ms) return;
    walkedAt = now;
    walking = walk()
      .catch(() => {})
      .finally(() => {
        walking = undefined;
      });
  }

  /** Files that are new to the index count as used before the known ones; known ones that another process removed are dropped. */
  async function walk(): Promise<void> {
    forgotten = new Set();
    before = new Set(sizes.keys());
    const found: { path: string; size: number; modified: number }[] = [];
    for await (const folder of findCacheFolders(root)) {
      for (const path of await listFiles(folder)) {
        const stats = await stat(path).catch(() => undefined);
        if (stats) found.push({ path, size: stats.size, modified: stats.mtimeMs });
      }
    }
    const there = found.filter(({ path }) => !isForgotten(path)).sort((a, b) => a.modified - b.modified);
    oldest = there[0]?.modified;
    const known = sizes;
    sizes = new Map(there.filter(({ path }) => !known.has(path)).map(({ path, size }) => [path, size]));
    const paths = new Set(there.map(({ path }) => path));
    for (const [path, size] of known) if (paths.has(path) || !before.has(path)) sizes.set(path, size);
    before.clear();
    bytes = sizes.values().reduce((sum, size) => sum + size, 0);
    await makeRoom();
  }

  function isForgotten(path: string): boolean {
    if (forgotten.size === 0) return false;
    for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) {
      if (forgotten.has(folder)) return true;
    }
    return false;
  }

  async function makeRoom(): Promise<void> {
    const limit = maxBytes();
    if (bytes <= limit) return;
    for (const path of sizes.keys()) {
      if (bytes <= limit * share) break;
      drop(path);
      evictions += 1;
      await unlink(path).catch(() => {});
    }
  }

  return {
    async add(path, size) {
      drop(path);
      sizes.set(path, size);
      bytes += size;
      walkAfter(walkAgainMs);
      await makeRoom();
    },
    touch(path) {
      const size = sizes.get(path);
      if (size === undefined) return;
      sizes.delete(path);
      sizes.set(path, size);
    },
    forget(folder) {
      if (walking !== undefined) forgotten.add(folder);
      for (const path of sizes.keys()) if (path.startsWith(`${folder}/`)) drop(path);
    },
    async recount() {
      walkAfter(recountMs);
      await walking;
    },
    get bytes() {
      return bytes;
    },
    get entries() {
      return sizes.size;
    },
    get evictions() {
      return evictions;
    },
    get oldest() {
      return sizes.size === 0 ? undefined : oldest;
    },
    list: () => sizes,
  };
}

/** The folders of derived images at or below one; links are not followed. */
export async function* findCacheFolders(folder: string): AsyncIterable<string> {
  for (const entry of await list(folder)) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if (entry.name === cacheFolder) yield path;
    // Other hidden folders belong to the service.
    else if (!entry.name.startsWith(".")) yield* findCacheFolders(path);
  }
}

export async function listFiles(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) paths.push(...(await listFiles(path)));
    else paths.push(path);
  }
  return paths;
}

/** A folder that is removed meanwhile counts as empty. */
async function list(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
