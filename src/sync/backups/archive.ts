// A zip file, written and read as a stream: entries one after the other, each with its size and SHA-256.
// It appears under its name only when it is complete. Knows nothing of its content.

import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type * as Yauzl from "yauzl";
import { CairnError, fail } from "#base/errors.ts";
import { syncFolder } from "#base/files.ts";
import { lazily } from "#base/lazy.ts";
import { trackTemporaryFile } from "#base/temporary-files.ts";
import { createZip } from "./zip-writer.ts";

const yauzl = lazily<typeof Yauzl>("yauzl");

export interface Checked {
  size: number;
  /** In hex. */
  sha256: string;
}

export type Chunks = AsyncIterable<string | Uint8Array>;

export interface ArchiveWriter {
  /** Resolves when all of it is read. `isPacked`: compressed already, so it is stored as it is. */
  add(name: string, chunks: Chunks, options?: { isPacked?: boolean }): Promise<Checked>;
  /** The file exists when it resolves. */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  abandon(): Promise<void>;
}

export async function createArchive(file: string): Promise<ArchiveWriter> {
  const partial = `${file}.part`;
  const zip = await createZip(partial);
  const settle = trackTemporaryFile(partial);
  return {
    async add(name, chunks, { isPacked = false } = {}) {
      const checked = check(chunks);
      await zip.add(name, checked.chunks, { isPacked });
      return checked.result();
    },
    async finish() {
      await zip.finish();
      await rename(partial, file);
      settle();
      await syncFolder(dirname(file));
    },
    async abandon() {
      await zip.abandon().catch(() => {});
      await rm(partial, { force: true });
      settle();
    },
  };
}

/** Passes the chunks on, and has their size and hash afterwards. */
export function check(chunks: Chunks): { chunks: AsyncIterable<Uint8Array>; result(): Checked } {
  const digest = createHash("sha256");
  let size = 0;
  async function* counted(): AsyncIterable<Uint8Array> {
    for await (const chunk of chunks) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      digest.update(bytes);
      size += bytes.length;
      yield bytes;
    }
  }
  return { chunks: counted(), result: () => ({ size, sha256: digest.digest("hex") }) };
}

/** Of the mode of a file on Unix. */
const fileTypeBits = 0o170000;
const linkBits = 0o120000;

export interface ArchiveReader {
  /** Names, in the order in which they were added. */
  names(): string[];
  /** What the archive says of an entry, before it is read. */
  about(name: string): { size: number; isLink: boolean } | undefined;
  /** Fails when there is no such entry, or when its bytes cannot be unpacked. */
  read(name: string): AsyncIterable<Uint8Array>;
  close(): void;
}

/** The records at the end hold 64-bit positions. A position beyond the end of the file would crash the library. */
async function checkEnd(file: string): Promise<void> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const readAt = async (position: number, length: number) =>
      (await handle.read(Buffer.alloc(length), 0, length, position)).buffer;
    const isBeyond = (place: bigint) => place > BigInt(size);
    const locator = await readAt(Math.max(0, size - 42), 20);
    if (locator.readUInt32LE(0) !== 0x07064b50) return;
    const place = locator.readBigUInt64LE(8);
    if (isBeyond(place)) throw damaged();
    const end = await readAt(Number(place), 56);
    if (isBeyond(end.readBigUInt64LE(40)) || isBeyond(end.readBigUInt64LE(48))) throw damaged();
  } finally {
    await handle.close();
  }
}

export async function openArchive(file: string): Promise<ArchiveReader> {
  await checkEnd(file);
  const zip = await new Promise<Yauzl.ZipFile>((resolve, reject) => {
    yauzl().open(file, { lazyEntries: true, autoClose: false }, (error, opened) => {
      if (error) reject((error as NodeJS.ErrnoException).code === undefined ? damaged() : error);
      else resolve(opened);
    });
  });
  const entries = await new Promise<Map<string, Yauzl.Entry>>((resolve, reject) => {
    const found = new Map<string, Yauzl.Entry>();
    zip.on("error", () => reject(damaged()));
    zip.on("end", () => resolve(found));
    zip.on("entry", (entry: Yauzl.Entry) => {
      // A read beyond the end of the file would never end.
      if (!(entry.relativeOffsetOfLocalHeader + entry.compressedSize <= zip.fileSize)) return reject(damaged());
      found.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
  return {
    names: () => [...entries.keys()],
    about(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const mode = (entry.externalFileAttributes >>> 16) & fileTypeBits;
      return { size: entry.uncompressedSize, isLink: mode === linkBits };
    },
    async *read(name) {
      const entry = entries.get(name) ?? fail("invalid", `The archive has no "${name}".`);
      const stream = await new Promise<Readable>((resolve, reject) => {
        zip.openReadStream(entry, (error, opened) => (error ? reject(damaged()) : resolve(opened)));
      });
      let sum = 0;
      try {
        for await (const chunk of stream) {
          sum = crc32(chunk as Uint8Array, sum);
          yield chunk as Uint8Array;
        }
      } catch (error) {
        throw error instanceof CairnError ? error : damaged();
      }
      if (sum !== entry.crc32) throw damaged();
    },
    close: () => zip.close(),
  };
}

function damaged(): CairnError {
  return new CairnError("invalid", "The file is not a complete zip archive: it is damaged, or was cut off.");
}

/** One JSON value from each line, in flat memory. */
export async function* readLines<T>(chunks: AsyncIterable<Uint8Array>): AsyncIterable<T> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  const parse = (line: string): T => {
    try {
      return JSON.parse(line) as T;
    } catch {
      return fail("invalid", "A line of the archive is not JSON.");
    }
  };
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() as string;
    for (const line of lines) yield parse(line);
  }
  if (rest !== "") yield parse(rest);
}
