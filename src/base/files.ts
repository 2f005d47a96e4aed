// Writing a file so that a crash leaves the old content or the new, never a part of it.
// Not for bytes of any size: the whole text is in memory.

import { randomBytes } from "node:crypto";
import { link, open, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CairnError } from "./errors.ts";

/** What a write that died leaves behind. */
export const temporaryName = /^\..+\.tmp$/;

const writtenAtOnce = 8;

/** Replaces the file. When the promise resolves, the new content survives a power cut. */
export async function writeFileAtomic(path: string, text: string, mode?: number): Promise<void> {
  await publish(path, text, rename, mode);
}

/** Creates the file, also among processes exactly once. False: a file of that name exists already. */
export async function createFileAtomic(path: string, text: string, mode?: number): Promise<boolean> {
  const move: Give = async (temporary, final) => {
    await link(temporary, final).catch(async (error) => {
      // A file system over a network may do it, lose its answer, and refuse the repetition: the count of names tells.
      if ((await stat(temporary)).nlink < 2) throw error;
    });
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
  const waiting = [...texts];
  const writeNext = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await give(join(folder, next[0]), next[1], rename);
  };
  await Promise.all(Array.from({ length: writtenAtOnce }, writeNext));
  await syncFolder(folder);
}

type Give = (temporary: string, final: string) => Promise<void>;

async function publish(path: string, text: string, move: Give, mode?: number): Promise<void> {
  await give(path, text, move, mode);
  await syncFolder(dirname(path));
}

/** Writes the text beside the file, durable, and then gives it the name. */
async function give(path: string, text: string, move: Give, mode?: number): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await move(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ENOSPC" || code === "EDQUOT" ? new CairnError("storage-full") : error;
  }
}

/** The name of a new or removed file is durable only once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
