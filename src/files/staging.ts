// Incoming bytes: `{data_dir}/.system/uploads/`, on this machine whatever the store.
// Nothing here is visible outside. Leftovers of a crash are removed by age: a temporary file is written
// or published at once, so one that was not touched for an hour is abandoned. Parts of uploads are not handled here.

import { createHash, type Hash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fail } from "#base/errors.ts";
import { asStorageError } from "#base/files.ts";
import type { Staging } from "./port.ts";

const hour = 3_600_000;

/** Folders of uploads in parts have this suffix; they have their own clean-up (disk-parts.ts). */
export const partsEnding = ".parts";

const readSize = 512 * 1024;
const writeSize = 1024 * 1024;

export function stagingFolder(dataDir: string): string {
  return join(dataDir, ".system", "uploads");
}

export function temporaryPath(folder: string, extension: string): string {
  return join(folder, `${randomBytes(12).toString("hex")}.${extension}`);
}

export async function openStaging(dataDir: string): Promise<Staging> {
  const folder = stagingFolder(dataDir);
  await mkdir(folder, { recursive: true });
  const sweep = () => sweepFolder(folder);
  await sweep();
  // A failed sweep is made up for by the next one.
  const timer = setInterval(() => sweep().catch(() => {}), hour).unref();

  return {
    folder,

    async receive(source, maxBytes) {
      const path = temporaryPath(folder, "upload");
      const digest = createHash("sha256");
      try {
        // Opened before anything can fail: a file that is created later would outlive its removal.
        const size = await pour(source, await open(path, "wx"), { maxBytes, digest });
        return { path, size, digest: digest.digest("hex") };
      } catch (error) {
        await rm(path, { force: true });
        throw asStorageError(error);
      }
    },

    path: (extension) => temporaryPath(folder, extension),

    async adopt(path) {
      const digest = createHash("sha256");
      let size = 0;
      for await (const bytes of createReadStream(path, { highWaterMark: readSize })) {
        digest.update(bytes);
        size += bytes.length;
      }
      return { path, size, digest: digest.digest("hex") };
    },

    discard: ({ path }) => rm(path, { force: true }),
    sweep,
    async close() {
      clearInterval(timer);
    },
  };
}

/** Streams to an open file, from the given place on, and closes it; the number of bytes. */
export async function pour(
  source: AsyncIterable<Uint8Array>,
  target: FileHandle,
  { maxBytes, digest, start = 0 }: { maxBytes: number; digest?: Hash; start?: number },
): Promise<number> {
  let size = 0;
  await pipeline(
    source,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const bytes of chunks) {
        size += bytes.length;
        if (size > maxBytes) fail("too-large", `The file is larger than ${maxBytes} bytes.`);
        digest?.update(bytes);
        yield bytes;
      }
    },
    target.createWriteStream({ highWaterMark: writeSize, start }),
  );
  return size;
}

/** Removes entries that were not touched for too long; returns their number. */
async function sweepFolder(folder: string): Promise<number> {
  const now = Date.now();
  let removed = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (!stats || name.endsWith(partsEnding) || now - stats.mtimeMs <= hour) continue;
    await rm(path, { recursive: true, force: true });
    removed++;
  }
  return removed;
}
