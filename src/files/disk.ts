// Files on local disk: `{data_dir}/{collection}/{id}/{property}/[{path}/]{filename}`.
// A published file is never written to again: another one takes its name. So readers keep what they opened,
// and a copy is a second name for the same bytes. Links are not followed: a file behind one is not there.
// Dropped files that may come back lie in `{data_dir}/.attic/{at}`: moved there by a rename.

import { constants, createReadStream, lstatSync, read } from "node:fs";
import {
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  unlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createLru } from "#base/caches/lru.ts";
import { fail } from "#base/errors.ts";
import { asStorageError, syncFolder, syncPath } from "#base/files.ts";
import { absent, inKeyOrder, isCode } from "./disk-entries.ts";
import { openDiskParts } from "./disk-parts.ts";
import { openDiskSystem } from "./disk-system.ts";
import { keepHandles, type SharedHandle } from "./kept-handles.ts";
import { atticFolder, cacheFolder, checkAtticKey, checkKey, isCached } from "./keys.ts";
import type { AtticStore, ByteRange, FileStore, OpenFile, StagedFile, StoredFile } from "./port.ts";
import { pump } from "./pump.ts";
import { stagingFolder, temporaryPath } from "./staging.ts";

/** A slow reader holds two or three of them; smaller ones cost more a megabyte. */
const readSize = 256 * 1024;

const plainMs = 1_000;

/** File systems of this machine: ext, XFS, Btrfs, ZFS, F2FS, tmpfs, overlayfs; APFS has 26. */
const localSystems = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630, 26]);

/** Not a link; and a planted pipe must not block a thread. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** For a store that takes files: they are moved within it. */
export async function checkOneFileSystem(dataDir: string): Promise<void> {
  const staging = stagingFolder(dataDir);
  await mkdir(staging, { recursive: true });
  if ((await stat(dataDir)).dev !== (await stat(staging)).dev)
    throw new Error("The data directory must lie on one file system: files are moved within it.");
}

export async function openDisk(dataDir: string): Promise<FileStore> {
  const root = await realpath(dataDir);
  const staging = stagingFolder(root);
  await mkdir(staging, { recursive: true });

  const pathOf = (key: string) => join(root, ...checkKey(key));
  const atticPath = (at: string) => join(root, atticFolder, ...checkAtticKey(at));

  /** Until when a folder that was no link and lay behind none is taken for one: looking costs as much as opening. */
  const plainUntil = createLru<number>(10_000);

  const handles = keepHandles();

  // The entry of a file that is open is in memory, except where another machine has it.
  const isLocal = localSystems.has((await statfs(root)).type);

  /** The path of a file that lies behind no link; undefined when there is no such folder. */
  async function findPath(path: string): Promise<string | undefined> {
    const folder = dirname(path);
    const now = performance.now();
    if (now < (plainUntil.get(folder) ?? 0)) return path;
    const real = await realpath(folder).catch(absent);
    if (real !== folder) return undefined;
    plainUntil.set(folder, now + plainMs);
    return path;
  }

  /** The names of new folders are durable, too. */
  async function makeFolder(folder: string): Promise<void> {
    if (folder === root) return;
    const real = await realpath(folder).catch(absent);
    if (real === folder) return;
    if (real !== undefined) fail("forbidden", "The folder of this file is a link.");
    await makeFolder(dirname(folder));
    await mkdir(folder).catch((error) => isCode(error, "EEXIST") || Promise.reject(error));
    await syncFolder(dirname(folder));
  }

  /** Moves a file or folder to the path. A delete beside it may take the folder away in between. */
  async function place(from: string, path: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await makeFolder(dirname(path));
        await rename(from, path);
        return await syncFolder(dirname(path));
      } catch (error) {
        if (isCode(error, "ENOTDIR", "EISDIR")) fail("exists", "A file or folder of this name is in the way.");
        if (!isCode(error, "ENOENT") || attempt === 10) throw asStorageError(error);
        await sleep(attempt);
      }
    }
  }

  /** Removes folders that have become empty, up to the collection's. */
  async function prune(folder: string): Promise<void> {
    while (dirname(folder) !== root && folder !== root) {
      if (
        await rmdir(folder).then(
          () => false,
          () => true,
        )
      )
        return;
      folder = dirname(folder);
    }
  }

  async function openFile(wanted: string): Promise<OpenFile> {
    const path = (await findPath(wanted)) ?? noFile();
    const { file, handle, release } = (await reopen(path)) ?? (await openPath(path));
    let isUsed = false;
    return {
      ...file,
      async stream(range) {
        isUsed = true;
        return streamOf(handle, range, release);
      },
      async read({ start, end } = { start: 0, end: file.size - 1 }, room) {
        isUsed = true;
        const length = end - start + 1;
        try {
          return await readBytes(handle, start, room?.subarray(0, length) ?? Buffer.allocUnsafe(length));
        } finally {
          await release();
        }
      },
      async send(to, range = { start: 0, end: file.size - 1 }) {
        isUsed = true;
        try {
          await pump(handle, to, range);
        } finally {
          await release();
        }
      },
      async close() {
        if (!isUsed) await release();
      },
    };
  }

  /** One that is open already, if its path still leads to the same file. */
  async function reopen(path: string): Promise<(SharedHandle & { file: StoredFile }) | undefined> {
    if (handles.tagOf(path) === undefined) return undefined;
    const file = isLocal ? findOpenFile(path) : await findFile(path);
    if (file?.tag !== handles.tagOf(path)) return undefined;
    const shared = handles.take(path);
    return shared && file && { ...shared, file };
  }

  async function openPath(path: string): Promise<SharedHandle & { file: StoredFile }> {
    const handle = (await open(path, readFlags).catch(absent)) ?? noFile();
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) {
      await handle.close();
      return noFile();
    }
    const file = statOf(stats);
    return { ...handles.add(path, { handle, tag: file.tag }), file };
  }

  async function findFile(path: string): Promise<StoredFile | undefined> {
    const stats = await lstat(path, { bigint: true }).catch(absent);
    return stats?.isFile() ? statOf(stats) : undefined;
  }

  /** Without a turn through the thread pool, which costs more than the rest of a small answer. */
  function findOpenFile(path: string): StoredFile | undefined {
    try {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return stats?.isFile() ? statOf(stats) : undefined;
    } catch (error) {
      return absent(error);
    }
  }

  async function findAt(wanted: string): Promise<StoredFile | undefined> {
    const path = await findPath(wanted);
    return path === undefined ? undefined : findFile(path);
  }

  async function publishTo(staged: StagedFile, path: string): Promise<StoredFile> {
    await syncPath(staged.path);
    await place(staged.path, path);
    return (await findFile(path)) ?? noFile();
  }

  async function deleteAt(wanted: string): Promise<void> {
    const path = await findPath(wanted);
    if (!path) return;
    await unlink(path).catch(absent);
    await prune(dirname(path));
  }

  async function deleteBelow(wanted: string): Promise<number> {
    const folder = await findPath(wanted);
    if (!folder) return 0;
    // Readers see it go at once; the files are deleted aside, and swept after a crash.
    const aside = temporaryPath(staging, "deleted");
    const isMoved = await rename(folder, aside).then(() => true, absent);
    if (!isMoved) return 0;
    const deleted = await countFiles(aside);
    await rm(aside, { recursive: true, force: true });
    await prune(dirname(folder));
    return deleted;
  }

  async function copyTo(wanted: string, to: string): Promise<void> {
    const from = await findPath(wanted);
    await copyFileTo(from && (await findFile(from)) ? from : noFile(), to);
  }

  async function copyFileTo(from: string, to: string): Promise<void> {
    const temporary = temporaryPath(staging, "copy");
    try {
      await twin(from, temporary);
      await place(temporary, to);
    } finally {
      // Where both are names of one file already, rename leaves both.
      await rm(temporary, { force: true });
    }
  }

  async function* walk(folder: string, key: string, withCache: boolean): AsyncIterable<{ key: string } & StoredFile> {
    const entries = (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? [];
    for (const entry of inKeyOrder(entries)) {
      const path = join(folder, entry.name);
      const below = `${key}/${entry.name}`;
      if (entry.isDirectory()) {
        if (withCache || entry.name !== cacheFolder) yield* walk(path, below, withCache);
      } else if (entry.isFile()) {
        const file = await findFile(path);
        if (file) yield { key: below, ...file };
      }
    }
  }

  async function* listBelow(folder: string, key: string, withCache: boolean) {
    if ((await realpath(folder).catch(absent)) === folder) yield* walk(folder, key, withCache);
  }

  const attic: AtticStore = {
    async keep(key, at) {
      const path = await findPath(pathOf(key));
      if (!path || !(await findFile(path))) return false;
      await place(path, atticPath(at));
      // Where both are names of one file already, rename leaves both.
      await unlink(path).catch(absent);
      await prune(dirname(path));
      return true;
    },
    async takeBack(at, key) {
      if (!(await findAt(atticPath(at)))) return false;
      await copyTo(atticPath(at), pathOf(key));
      return true;
    },
    open: (at) => openFile(atticPath(at)),
    put: async (staged, at) => void (await publishTo(staged, atticPath(at))),
    delete: (at) => deleteAt(atticPath(at)),
    deleteAll: (prefix) => deleteBelow(prefix === undefined ? join(root, atticFolder) : atticPath(prefix)),
    async *list(prefix) {
      if (prefix !== undefined) return yield* listBelow(atticPath(prefix), prefix, true);
      for await (const { key, ...file } of listBelow(join(root, atticFolder), "", true))
        yield { key: key.slice(1), ...file };
    },
  };

  return {
    find: async (key) => findAt(pathOf(key)),
    open: async (key) => openFile(pathOf(key)),

    async read(key, range) {
      return (await openFile(pathOf(key))).stream(range);
    },

    publish: async (staged, key) => publishTo(staged, pathOf(key)),
    copy: async (from, to) => copyTo(pathOf(from), pathOf(to)),
    delete: async (key) => deleteAt(pathOf(key)),
    deleteAll: async (prefix) => deleteBelow(pathOf(prefix)),

    async *list(prefix, { withCache = isCached(prefix) } = {}) {
      yield* listBelow(pathOf(prefix), prefix, withCache);
    },

    localPath: pathOf,
    parts: openDiskParts(staging),
    attic,
    system: await openDiskSystem({ root, findPath, findFile, openFile }),
    close: () => handles.close(),
  };
}

/** By descriptor: the streams of handles wait for a promise at every read, and take a third longer. */
function streamOf(handle: FileHandle, range: ByteRange | undefined, release: () => Promise<void>): Readable {
  const close = (_fd: number, done: (error?: Error) => void) => void release().then(() => done(), done);
  // With a start each stream reads at places of its own: others may have the same handle.
  return createReadStream("", { fd: handle.fd, fs: { read, close }, highWaterMark: readSize, start: 0, ...range });
}

/** By descriptor, too. Fills all of it. */
function readBytes({ fd }: FileHandle, start: number, bytes: Buffer): Promise<Buffer> {
  const { length } = bytes;
  return new Promise((resolve, reject) => {
    const readOn = (filled: number) => {
      read(fd, bytes, filled, length - filled, start + filled, (error, count) => {
        if (error) reject(error);
        else if (filled + count === length) resolve(bytes);
        else if (count === 0) reject(new Error("a file is shorter than it was"));
        else readOn(filled + count);
      });
    };
    readOn(0);
  });
}

function statOf(stats: { size: bigint; ctimeMs: bigint; mtimeNs: bigint; ino: bigint }): StoredFile {
  const tag = [stats.ino, stats.mtimeNs, stats.size].map((part) => part.toString(36)).join("-");
  // A second name moves the ctime, not the mtime: it tells how long the file is here.
  return { size: Number(stats.size), modified: Number(stats.ctimeMs), tag };
}

async function countFiles(path: string): Promise<number> {
  if (!(await lstat(path)).isDirectory()) return 1;
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).length;
}

/** A second name for the same bytes; a copy of them where the file system knows no such thing, or no more of it. */
async function twin(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isCode(error, "ENOENT")) noFile();
    if (!isCode(error, "EPERM", "ENOTSUP", "ENOSYS", "EMLINK")) throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await syncPath(to);
  }
}

function noFile(): never {
  fail("not-found", "There is no such file.");
}
