// Makes the compressed forms of the texts in public/ that are missing or older than their text. Forms that are no smaller are left
// out, and removed where they are.

import type { Stats } from "node:fs";
import { lstat, readdir, readFile, realpath, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { Settings } from "#config/config.ts";
import { compressedForms, type FileEncoding, textTypeOf } from "./public-files.ts";

export interface Compressed {
  /** Texts that were looked at. */
  files: number;
  /** Compressed forms that were written. */
  written: number;
  /** Of the texts that now have a form in the best encoding, and of these forms. */
  bytes: number;
  compressedBytes: number;
}

/** Smaller texts gain nothing. */
const leastBytes = 1_024;

const shrink: Record<FileEncoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  zstd: (bytes) => promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

export async function compressPublic(settings: Settings): Promise<Compressed> {
  const root = await realpath(resolve(settings.projectDir, settings.get("publicDir")));
  const dataDir = await realpath(settings.dataDir).catch(() => settings.dataDir);
  const sum: Compressed = { files: 0, written: 0, bytes: 0, compressedBytes: 0 };
  for await (const path of textsIn(root, dataDir)) {
    const found = await stat(path);
    if (found.size < leastBytes) continue;
    sum.files += 1;
    sum.written += await compressFile(path, found);
    const best = await stat(path + compressedForms[0][1]).catch(() => undefined);
    sum.bytes += best ? found.size : 0;
    sum.compressedBytes += best?.size ?? 0;
  }
  return sum;
}

/** Links, dot files and the data directory are not looked at. */
async function* textsIn(folder: string, dataDir: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".") && entry.name !== ".well-known") continue;
    if (path === dataDir || path.startsWith(dataDir + sep)) continue;
    if (entry.isDirectory()) yield* textsIn(path, dataDir);
    else if (entry.isFile() && textTypeOf(path) !== undefined) yield path;
  }
}

/** Answers how many forms were written. */
async function compressFile(path: string, { mtime, mtimeMs, size }: Stats): Promise<number> {
  let written = 0;
  let text: Buffer | undefined;
  for (const [encoding, ending] of compressedForms) {
    const target = path + ending;
    const beside = await lstat(target).catch(() => undefined);
    if (beside && (!beside.isFile() || beside.mtimeMs >= mtimeMs)) continue;
    text ??= await readFile(path);
    const bytes = await shrink[encoding](text);
    if (bytes.length >= size) {
      await rm(target, { force: true });
      continue;
    }
    // Whole or not at all, and as old as its text: a text that changes meanwhile is newer.
    const part = `${target}.part`;
    await writeFile(part, bytes);
    await utimes(part, mtime, new Date(Math.ceil(mtimeMs)));
    await rename(part, target);
    written += 1;
  }
  return written;
}
