// The size of all derived images, and their order of use: in memory, filled by one walk when first needed.
// Several processes share the files but not this index, so the sum is approximate; a walk now and then corrects it.

import type { Dirent } from "node:fs";
import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "./keys.ts";

const walkAgainMs = 600_000;
/** The share that is left after a clean-up. */
const share = 0.9;

export interface CacheIndex {
  /** A new file; the least recently used are removed when there are too many bytes. */
  add(path: string, size: number): Promise<void>;
  touch(path: string): void;
  /** Everything below a folder is gone. */
  forget(folder: string): void;
  readonly bytes: number;
}

export function createCacheIndex(root: string, maxBytes: () => number): CacheIndex {
  /** The most recently used at the end. */
  let sizes = new Map<string, number>();
  let bytes = 0;
  let walkedAt = Number.NEGATIVE_INFINITY;

  function drop(path: string): void {
    bytes -= sizes.get(path) ?? 0;
    sizes.delete(path);
  }

  /** Files that are new to the index count as used before the known ones. */
  async function walk(): Promise<void> {
    const found: { path: string; size: number; modified: number }[] = [];
    for await (const folder of findCacheFolders(root)) {
      for (const path of await listFiles(folder)) {
        const stats = await stat(path).catch(() => undefined);
        if (stats) found.push({ path, size: stats.size, modified: stats.mtimeMs });
      }
    }
    found.sort((a, b) => a.modified - b.modified);
    const known = sizes;
    sizes = new Map(found.filter(({ path }) => !known.has(path)).map(({ path, size }) => [path, size]));
    for (const [path, size] of known) sizes.set(path, size);
    bytes = sizes.values().reduce((sum, size) => sum + size, 0);
    await makeRoom();
  }

  async function makeRoom(): Promise<void> {
    const limit = maxBytes();
    if (bytes <= limit) return;
    for (const path of sizes.keys()) {
      if (bytes <= limit * share) break;
      drop(path);
      await unlink(path).catch(() => {});
    }
  }

  return {
    async add(path, size) {
      drop(path);
      sizes.set(path, size);
      bytes += size;
      const now = performance.now();
      if (now - walkedAt > walkAgainMs) {
        walkedAt = now;
        // Runs in the background; an unreadable folder may be readable tomorrow.
        walk().catch(() => {});
      }
      await makeRoom();
    },
    touch(path) {
      const size = sizes.get(path);
      if (size === undefined) return;
      sizes.delete(path);
      sizes.set(path, size);
    },
    forget(folder) {
      for (const path of sizes.keys()) if (path.startsWith(`${folder}/`)) drop(path);
    },
    get bytes() {
      return bytes;
    },
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
