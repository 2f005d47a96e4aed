// Bytes on their way in: `{data_dir}/.system/uploads/`, on this machine whatever the store.
// Nothing here is visible to anybody. What a crash leaves behind is removed by age: a temporary file is written to
// or published all the time, so an hour of rest means that nobody wants it; parts of a chunked upload may wait a day.

import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CairnError, fail } from "#base/errors.ts";
import type { StagedFile, Staging } from "./port.ts";

const hour = 3_600_000;

/** Folders of chunked uploads end in this. */
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
  const sweep = () => sweepFolder(folder, Date.now());
  await sweep();
  // A sweep that fails is made up for by the next one.
  const timer = setInterval(() => sweep().catch(() => {}), hour).unref();

  return {
    folder,

    async receive(source, maxBytes) {
      const path = temporaryPath(folder, "upload");
      try {
        return { path, ...(await pour(source, path, maxBytes)) };
      } catch (error) {
        await rm(path, { force: true });
        const { code } = error as NodeJS.ErrnoException;
        throw code === "ENOSPC" || code === "EDQUOT" ? new CairnError("storage-full") : error;
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

async function pour(
  source: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
): Promise<Pick<StagedFile, "size" | "digest">> {
  const digest = createHash("sha256");
  let size = 0;
  // Opened before anything can fail: a file that comes into being later would outlive its removal.
  const handle = await open(path, "wx");
  await pipeline(
    source,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const bytes of chunks) {
        size += bytes.length;
        if (size > maxBytes) fail("too-large", `The file is larger than ${maxBytes} bytes.`);
        digest.update(bytes);
        yield bytes;
      }
    },
    handle.createWriteStream({ highWaterMark: writeSize }),
  );
  return { size, digest: digest.digest("hex") };
}

/** Removes what has rested for too long by the given time; the number of entries removed. */
export async function sweepFolder(folder: string, now: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    const rest = name.endsWith(partsEnding) ? 24 * hour : hour;
    if (!stats || now - stats.mtimeMs <= rest) continue;
    await rm(path, { recursive: true, force: true });
    removed++;
  }
  return removed;
}
