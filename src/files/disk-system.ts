// Files of the service on local disk: `{data_dir}/.system/{at}`, for their owner only. Links below are not followed; the two
// folders themselves may be links, so that an administrator can keep them on another disk.
// Thousands of small files are created with few syncs of the disk. disk.ts provides the functions for one path.

import type { Dirent } from "node:fs";
import { chmod, readdir, realpath, rename, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail } from "#base/errors.ts";
import { asStorageError, createFilesAtomic, makeFolder, syncFolder, syncPath } from "#base/files.ts";
import { inParallel } from "#base/in-parallel.ts";
import { absent, inKeyOrder } from "./disk-entries.ts";
import { checkSystemFolder, checkSystemKey, isSystemSegment, systemFolder, systemFolders } from "./keys.ts";
import type { OpenFile, StoredFile, SystemStore } from "./port.ts";

interface DiskAccess {
  /** The data directory. */
  root: string;
  /** The path of a file that lies behind no link; undefined when there is no such folder. */
  findPath(path: string): Promise<string | undefined>;
  findFile(path: string): Promise<StoredFile | undefined>;
  openFile(path: string): Promise<OpenFile>;
}

const foldersAtOnce = 8;

export async function openDiskSystem({ root, findPath, findFile, openFile }: DiskAccess): Promise<SystemStore> {
  const bases = new Map<string, string>();
  for (const name of systemFolders) {
    const base = join(root, systemFolder, name);
    bases.set(name, (await realpath(base).catch(absent)) ?? base);
  }
  const baseOf = ([name = ""]: string[]) => bases.get(name) as string;
  const pathIn = (segments: string[]) => join(baseOf(segments), ...segments.slice(1));
  const pathOf = (at: string) => pathIn(checkSystemKey(at));

  /** Folders for their owner. Returns those that must be synced to make the new ones durable. */
  async function makeFolders(folders: Iterable<string>): Promise<Set<string>> {
    const parents = new Set<string>();
    await inParallel(folders, foldersAtOnce, async (folder) => {
      if ((await realpath(folder).catch(absent)) === folder) return;
      await refuseLinks(folder);
      for (const parent of await makeFolder(folder, 0o700)) parents.add(parent);
    });
    return parents;
  }

  async function refuseLinks(folder: string): Promise<void> {
    for (let above = folder; above !== root; above = dirname(above)) {
      const real = await realpath(above).catch(absent);
      if (real === above) return;
      if (real !== undefined) fail("forbidden", "The folder of this file is a link.");
    }
  }

  async function* listKeys(prefix: string): AsyncIterable<string> {
    const folder = pathIn(checkSystemFolder(prefix));
    const [real, entries] = await Promise.all([realpath(folder).catch(absent), entriesOf(folder)]);
    if (real === folder) yield* walk(folder, prefix, entries);
  }

  /** Removes folders that have become empty. */
  async function prune(folder: string, base: string): Promise<void> {
    for (let empty = folder; empty !== base && empty.startsWith(base); empty = dirname(empty)) {
      const isGone = await rmdir(empty).then(
        () => true,
        () => false,
      );
      if (!isGone) return;
    }
  }

  return {
    async find(at) {
      const path = await findPath(pathOf(at));
      return path === undefined ? undefined : findFile(path);
    },

    open: async (at) => openFile(pathOf(at)),

    async create(texts) {
      const files = [...texts].map(([at, text]) => ({ at, text, path: pathOf(at) }));
      const parents = await makeFolders(new Set(files.map(({ path }) => dirname(path))));
      const taken = await createFilesAtomic(new Map(files.map(({ path, text }) => [path, text])), 0o600);
      await inParallel(parents, foldersAtOnce, syncFolder);
      return new Set(files.filter(({ path }) => taken.has(path)).map(({ at }) => at));
    },

    async put({ path: staged }, at, signal) {
      const path = pathOf(at);
      try {
        await chmod(staged, 0o600);
        await syncPath(staged);
        const parents = await makeFolders([dirname(path)]);
        signal?.throwIfAborted();
        await rename(staged, path);
        for (const folder of [dirname(path), ...parents]) await syncFolder(folder);
      } catch (error) {
        throw asStorageError(error);
      }
    },

    async delete(at) {
      const path = await findPath(pathOf(at));
      if (path === undefined) return;
      await unlink(path).catch(absent);
      const base = baseOf(checkSystemKey(at));
      // A whole backup stays gone. A snapshot that a power cut brings back is pruned again: thousands of syncs are not worth that.
      if (dirname(path) === base) await syncFolder(base).catch(absent);
      else await prune(dirname(path), base);
    },

    async deleteAll(prefix) {
      const path = await findPath(pathIn(checkSystemFolder(prefix)));
      if (path !== undefined) await rm(path, { recursive: true, force: true });
    },

    async *list(prefix) {
      for await (const key of listKeys(prefix)) {
        const file = await findFile(pathOf(key));
        if (file) yield { key, ...file };
      }
    },

    listKeys,
  };
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? [];
  return inKeyOrder(entries.filter(({ name }) => isSystemSegment(name)));
}

async function* walk(folder: string, key: string, entries: readonly Dirent[]): AsyncIterable<string> {
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const below = `${key}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(path, below, await entriesOf(path));
    else if (entry.isFile()) yield below;
  }
}
