// Writes a file so that a crash leaves the old content or the new, never a part of it; and makes the data directory.
// Not for bytes of any size: the whole text is in memory.

import { randomBytes } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { link, mkdir, open, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CairnError } from "./errors.ts";
import { inParallel } from "./in-parallel.ts";

/** Files that an interrupted write leaves behind. */
export const temporaryName = /^\..+\.tmp$/;

const writtenAtOnce = 8;

/** Replaces the file. When the promise resolves, the new content survives a power cut. */
export async function writeFileAtomic(path: string, text: string, mode?: number): Promise<void> {
  await publish(path, text, rename, mode);
}

/** Creates the file, exactly once also among processes. False: a file of that name exists already. */
export async function createFileAtomic(path: string, text: string, mode?: number): Promise<boolean> {
  const move: Give = async (temporary, final) => {
    await linkOnce(temporary, final);
    await unlink(temporary);
  };
  try {
    await publish(path, text, move, mode);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Replaces many files of one folder. Each is whole at any time; when the promise resolves, all are durable. */
export async function writeFilesAtomic(folder: string, texts: ReadonlyMap<string, string>): Promise<void> {
  await inParallel(texts, writtenAtOnce, ([name, text]) => give(join(folder, name), text, rename));
  await syncFolder(folder);
}

/**
 * As createFileAtomic, for many files of many folders, with few syncs of the disk. Returns those that exist
 * already. When the promise resolves, all others are durable.
 */
export async function createFilesAtomic(texts: ReadonlyMap<string, string>, mode?: number): Promise<Set<string>> {
  const files = [...texts].map(([path, text]) => ({ path, text, temporary: besides(path) }));
  const existing = new Set<string>();
  try {
    await inParallel(files, writtenAtOnce, ({ temporary, text }) =>
      writeNew(temporary, text, { mode, isSynced: false }),
    );
    await inParallel(files, writtenAtOnce, ({ temporary }) => syncPath(temporary));
    await inParallel(files, writtenAtOnce, async ({ temporary, path }) => {
      await linkOnce(temporary, path).catch((error) => {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        existing.add(path);
      });
    });
  } catch (error) {
    throw asStorageError(error);
  } finally {
    await inParallel(files, writtenAtOnce, ({ temporary }) => unlink(temporary).catch(() => {}));
  }
  await inParallel(new Set(files.map(({ path }) => dirname(path))), writtenAtOnce, syncFolder);
  return existing;
}

/** The folders that must be synced to make the new ones durable; none when all existed. */
export async function makeFolder(folder: string, mode?: number): Promise<string[]> {
  const first = await mkdir(folder, { recursive: true, mode });
  const parents: string[] = [];
  for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made))
    parents.push(dirname(made));
  return parents;
}

type Give = (temporary: string, final: string) => Promise<void>;

async function publish(path: string, text: string, move: Give, mode?: number): Promise<void> {
  await give(path, text, move, mode);
  await syncFolder(dirname(path));
}

/** Writes the text to a temporary file, durably, and then renames it. */
async function give(path: string, text: string, move: Give, mode?: number): Promise<void> {
  const temporary = besides(path);
  try {
    await writeNew(temporary, text, { mode, isSynced: true });
    await move(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw asStorageError(error);
  }
}

function besides(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
}

interface WriteOptions {
  mode: number | undefined;
  isSynced: boolean;
}

async function writeNew(path: string, text: string, { mode, isSynced }: WriteOptions): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(text);
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
}

async function linkOnce(temporary: string, final: string): Promise<void> {
  await link(temporary, final).catch(async (error) => {
    // A network file system may do it, lose its answer, and refuse the repetition: the number of links decides.
    if ((await stat(temporary)).nlink < 2) throw error;
  });
}

/** Turns a full disk into its error code; other errors stay unchanged. */
export function asStorageError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? new CairnError("storage-full") : error;
}

/** The name of a new or removed file is durable only once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  await syncPath(folder);
}

export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Of a site, for its owner alone. */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolderNow(dataDir, 0o700);
    makeFolderNow(join(dataDir, ".system"), 0o700);
  } catch {
    throw new Error(
      `The data directory ${dataDir} cannot be created: nothing can be written there, or a file has its name.`,
    );
  }
}

/** Step by step: where no folder can be created (`/proc`), Node's recursive mkdir loops forever. */
function makeFolderNow(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  makeFolderNow(dirname(folder));
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
