// A path on this machine for programs that decode files. On disk it is the file itself; from S3 a copy in the staging
// area, kept for the next decode. A copy is removed only when it is not in use.

import { utimes } from "node:fs/promises";
import { CairnError, fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import type { FileStore, StagedFile, Staging } from "./port.ts";

const keptCopies = 8;

interface Copy {
  staged: Promise<StagedFile>;
  users: number;
}

/** By key and tag; the one used last at the end. */
const copiesOf = perInstance((_staging: Staging) => new Map<string, Copy>());

/** Throws not-found when there is no such file. */
export async function withLocalFile<T>(
  { files, staging }: { files: FileStore; staging: Staging },
  key: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { tag } = (await files.find(key)) ?? fail("not-found", "There is no such file.");
  const local = files.localPath(key);
  if (local !== undefined)
    return work(local).catch(async (error) => {
      // A file that was deleted while it was read looks like one that cannot be read.
      throw (await files.find(key)) ? error : new CairnError("not-found", "There is no such file.");
    });

  const copies = copiesOf(staging);
  const name = `${tag} ${key}`;
  const copy = copies.get(name) ?? { staged: fetchCopy(files, staging, key), users: 0 };
  copies.delete(name);
  copies.set(name, copy);
  copy.users++;
  try {
    return await work(await pathOf(copy));
  } catch (error) {
    // It was not fetched, or was swept away since: not to be found again.
    if (!(await pathOf(copy).catch(() => undefined))) copies.delete(name);
    throw error;
  } finally {
    copy.users--;
    await dropOldest(staging, copies);
  }
}

/** The sweep leaves alone what was used of late. */
async function pathOf({ staged }: Copy): Promise<string> {
  const { path } = await staged;
  await utimes(path, new Date(), new Date());
  return path;
}

async function fetchCopy(files: FileStore, staging: Staging, key: string): Promise<StagedFile> {
  return staging.receive(await files.read(key), Number.POSITIVE_INFINITY);
}

async function dropOldest(staging: Staging, copies: Map<string, Copy>): Promise<void> {
  for (const [name, copy] of copies) {
    if (copies.size <= keptCopies) return;
    if (copy.users > 0) continue;
    copies.delete(name);
    await staging.discard(await copy.staged);
  }
}
