// Parts of uploads on local disk, in `{data_dir}/.system/uploads/{upload}.parts/`. Parts that arrive in order, as
// they mostly do, go straight into one file (a row), which then is the upload; others are in files of their own, and all
// are copied together at the end. A part's name is `{file}-{offset}`. Parts are not synced to the disk.

import { createHash, type Hash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rm, rmdir, stat, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createLru } from "#base/caches/lru.ts";
import { asStorageError } from "#base/files.ts";
import { checkPartName, isPartName } from "./keys.ts";
import type { ArrivingPart, KeptPart, PartStore, StagedFile } from "./port.ts";
import { partsEnding, pour } from "./staging.ts";

/** Two of them are in use at a time. */
const blockSize = 1024 * 1024;
const keptRows = 1_000;

/** Parts from the first on, in one file that only this process writes to. */
interface Row {
  file: string;
  /** Number of its parts. */
  count: number;
  size: number;
  digest: Hash;
  isBusy: boolean;
}

export function openDiskParts(staging: string): PartStore {
  /** By upload. A missing entry costs a copy. */
  const rows = createLru<Row>(keptRows);
  const folderOf = (upload: string) => join(staging, checkPartName(upload) + partsEnding);
  const fileOf = (upload: string, { name }: Pick<KeptPart, "name">) =>
    join(folderOf(upload), checkPartName(name.split("-")[0] as string));

  /** The row that this part continues; no other part gets it until it is released. */
  function claimRow({ upload, index }: ArrivingPart): Row | undefined {
    let row = rows.get(upload);
    if (!row && index === 0) {
      row = { file: newFile("row"), count: 0, size: 0, digest: createHash("sha256"), isBusy: false };
      rows.set(upload, row);
    }
    if (!row || row.count !== index || row.isBusy) return undefined;
    row.isBusy = true;
    return row;
  }

  /** Undefined: the row is gone, and the source is not read. */
  async function append(row: Row, { upload, source, maxBytes }: ArrivingPart): Promise<KeptPart | undefined> {
    const path = fileOf(upload, { name: row.file });
    const { count, size: start } = row;
    const target = count === 0 ? await openIn(path, "wx") : await open(path, "r+").catch(() => undefined);
    if (!target) return undefined;
    const digest = row.digest.copy();
    try {
      const size = await pour(source, target, { maxBytes, digest, start });
      Object.assign(row, { count: count + 1, size: start + size, digest });
      return { name: `${row.file}-${start}`, size };
    } catch (error) {
      if (count === 0) await removeFiles(folderOf(upload), [path]);
      else await truncate(path, start).catch(() => {});
      throw error;
    }
  }

  async function keepAlone({ upload, source, maxBytes }: ArrivingPart): Promise<KeptPart> {
    const part = { name: `${newFile("part")}-0`, size: 0 };
    const path = fileOf(upload, part);
    try {
      return { ...part, size: await pour(source, await openIn(path, "wx"), { maxBytes }) };
    } catch (error) {
      await removeFiles(folderOf(upload), [path]);
      throw error;
    }
  }

  /** As a second name of the row, when that is the whole upload. */
  async function takeRow(upload: string, parts: readonly KeptPart[], path: string): Promise<StagedFile | undefined> {
    const row = rows.get(upload);
    if (!row || row.count !== parts.length || !isRow(row, parts)) return undefined;
    const file = fileOf(upload, { name: row.file });
    rows.delete(upload);
    const isLinked = await link(file, path).then(
      () => true,
      () => false,
    );
    return isLinked ? { path, size: row.size, digest: row.digest.digest("hex") } : undefined;
  }

  return {
    async receive(part) {
      const row = claimRow(part);
      try {
        return (row && (await append(row, part))) ?? (await keepAlone(part));
      } catch (error) {
        throw asStorageError(error);
      } finally {
        if (row) row.isBusy = false;
      }
    },

    async listLost(upload, parts) {
      const sizes = await listFolder(folderOf(upload));
      return parts.filter(({ name, size }) => {
        const [file = "", start] = name.split("-");
        return (sizes.get(file)?.size ?? -1) < Number(start) + size;
      });
    },

    async gather(upload, parts, { path: newPath, discard }) {
      const path = newPath("upload");
      try {
        const pieces = parts.map((part) => ({ ...part, path: fileOf(upload, part) }));
        return (await takeRow(upload, parts, path)) ?? { path, ...(await copyPieces(pieces, path)) };
      } catch (error) {
        await discard({ path });
        throw asStorageError(error);
      }
    },

    async discard(upload, part) {
      if (part.name.startsWith("part")) await removeFiles(folderOf(upload), [fileOf(upload, part)]);
    },

    async delete(upload, parts) {
      rows.delete(upload);
      if (!parts) return rm(folderOf(upload), { recursive: true, force: true });
      await removeFiles(folderOf(upload), new Set(parts.map((part) => fileOf(upload, part))));
    },

    async *listStale(before) {
      for (const entry of await readdir(staging)) {
        const upload = entry.slice(0, -partsEnding.length);
        if (!entry.endsWith(partsEnding) || !isPartName(upload)) continue;
        const stats = await stat(folderOf(upload)).catch(() => undefined);
        if (!stats || stats.mtimeMs >= before) continue;
        const files = [...(await listFolder(folderOf(upload))).values()];
        const size = files.reduce((sum, file) => sum + file.size, 0);
        if (files.every(({ modified }) => modified < before)) yield { upload, size };
      }
    },
  };
}

function newFile(kind: "row" | "part"): string {
  return kind + randomBytes(8).toString("hex");
}

function isRow({ file, size }: Row, parts: readonly KeptPart[]): boolean {
  let start = 0;
  for (const part of parts) {
    if (part.name !== `${file}-${start}`) return false;
    start += part.size;
  }
  return start === size;
}

/** In a folder that may have to be created, or is removed at this moment with the last of other parts. */
async function openIn(path: string, flags: string): Promise<FileHandle> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(dirname(path), { recursive: true });
      return await open(path, flags);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === 10) throw error;
    }
  }
}

async function removeFiles(folder: string, paths: Iterable<string>): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
  await rmdir(folder).catch(() => {});
}

async function listFolder(folder: string): Promise<Map<string, { size: number; modified: number }>> {
  const files = new Map<string, { size: number; modified: number }>();
  for (const name of await readdir(folder).catch(() => [])) {
    const stats = await stat(join(folder, name)).catch(() => undefined);
    if (stats) files.set(name, { size: stats.size, modified: stats.mtimeMs });
  }
  return files;
}

interface Piece extends KeptPart {
  path: string;
}

/** Block by block through the same memory: one is read while the previous one is written. */
async function copyPieces(pieces: readonly Piece[], to: string): Promise<Pick<StagedFile, "size" | "digest">> {
  const digest = createHash("sha256");
  const target = await open(to, "wx");
  let [block, other] = [Buffer.allocUnsafe(blockSize), Buffer.allocUnsafe(blockSize)];
  let size = 0;
  let writing = Promise.resolve();
  try {
    for (const piece of pieces) {
      for await (const length of readBlocks(piece, () => block)) {
        const bytes = block.subarray(0, length);
        await writing;
        writing = writeAll(target, bytes);
        digest.update(bytes);
        size += length;
        [block, other] = [other, block];
      }
    }
    await writing;
  } finally {
    await writing.catch(() => {});
    await target.close();
  }
  return { size, digest: digest.digest("hex") };
}

/** The number of bytes in the block, each time. */
async function* readBlocks({ path, name, size }: Piece, block: () => Buffer): AsyncIterable<number> {
  const source = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const start = Number(name.split("-")[1]);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await source.read(block(), 0, Math.min(blockSize, size - at), start + at);
      if (bytesRead === 0) throw new Error("a part is shorter than it was");
      yield bytesRead;
      at += bytesRead;
    }
  } finally {
    await source.close();
  }
}

async function writeAll(target: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await target.write(bytes, at)).bytesWritten;
}
