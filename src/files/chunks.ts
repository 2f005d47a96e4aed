// Chunked uploads: parts wait in a folder of their own until all are there, then become one staged file.
// Nothing is kept in memory: any process takes any part, and a crash costs nothing that has arrived.
// Parts are files named `{index}-{size}`. Who assembles says so in a file; the claim dies with its process.

import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { fail } from "#base/errors.ts";
import { createFileAtomic } from "#base/files.ts";
import type { StagedFile, Staging } from "./port.ts";
import { partsEnding } from "./staging.ts";

const maxChunks = 10_000;
const maxNamed = 20;

/** A claim of another machine is believed for this long, and none for longer than the second. */
const foreignClaimMs = 600_000;
const claimMs = 3_600_000;

const readSize = 512 * 1024;
const partName = /^(\d+)-(\d+)$/;
const me = { host: hostname(), pid: process.pid, run: randomUUID() };

export interface Chunk {
  /** Tells uploads apart: by caller, target and the upload's own id. */
  key: string;
  /** From 0. */
  index: number;
  total: number;
  source: AsyncIterable<Uint8Array>;
  /** For the whole file. */
  maxBytes: number;
}

export type ChunkAnswer = { state: "partial" } | { state: "complete"; staged: StagedFile };

/**
 * Takes one part, in any order, again if need be. Complete for exactly one caller once all parts are there.
 * The parts stay until `dropChunks`: after a crash, repeating any of them completes the upload.
 */
export async function addChunk(staging: Staging, chunk: Chunk): Promise<ChunkAnswer> {
  const { index, total, maxBytes } = chunk;
  checkNumbers(index, total);
  const folder = folderOf(staging, chunk.key);
  await fixTotal(folder, total);

  const others = (await listParts(folder)).filter((part) => part.index !== index);
  const staged = await staging.receive(chunk.source, maxBytes - sizeOf(others));
  await keepPart(folder, index, staged);

  const parts = await listParts(folder);
  const missing = missingIndexes(parts, total);
  if (missing.length > 0 && index === total - 1) {
    fail("invalid", `Chunks are missing: ${nameSome(missing)}.`, { chunks: [`missing: ${nameSome(missing)}`] });
  }
  if (missing.length > 0 || !(await claim(folder))) return { state: "partial" };
  try {
    return { state: "complete", staged: await staging.receive(readParts(folder, parts), maxBytes) };
  } catch (error) {
    await rm(claimFile(folder), { force: true });
    throw error;
  }
}

/** To be called when a complete upload is saved, or refused for good. */
export async function dropChunks(staging: Staging, key: string): Promise<void> {
  await rm(folderOf(staging, key), { recursive: true, force: true });
}

/** When it could not be saved for now: whichever part comes again completes the upload once more. */
export async function releaseChunks(staging: Staging, key: string): Promise<void> {
  await rm(claimFile(folderOf(staging, key)), { force: true });
}

interface Part {
  name: string;
  index: number;
  size: number;
}

function checkNumbers(index: number, total: number): void {
  if (!Number.isInteger(total) || total < 1 || total > maxChunks)
    fail("invalid", `An upload has 1 to ${maxChunks} chunks.`, { total: [`must be from 1 to ${maxChunks}`] });
  if (!Number.isInteger(index) || index < 0 || index >= total)
    fail("invalid", "The chunk's index is out of range.", { index: [`must be from 0 to ${total - 1}`] });
}

/** Hashed, whatever the caller hands in: it becomes the name of a folder. */
function folderOf(staging: Staging, key: string): string {
  return join(staging.folder, createHash("sha256").update(key).digest("hex") + partsEnding);
}

/** The first chunk decides how many there are. */
async function fixTotal(folder: string, total: number): Promise<void> {
  const file = join(folder, "total");
  await mkdir(folder, { recursive: true });
  if (await createFileAtomic(file, String(total))) return;
  const fixed = await readFile(file, "utf8");
  if (fixed !== String(total))
    fail("invalid", "The number of chunks has changed.", { total: [`must be ${fixed}, as with the first chunk`] });
}

async function keepPart(folder: string, index: number, staged: StagedFile): Promise<void> {
  const name = `${index}-${staged.size}`;
  try {
    const before = (await listParts(folder)).filter((part) => part.index === index && part.name !== name);
    for (const part of before) await rm(join(folder, part.name), { force: true });
    await rename(staged.path, join(folder, name));
  } catch (error) {
    await rm(staged.path, { force: true });
    throw error;
  }
}

async function listParts(folder: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (const name of await readdir(folder)) {
    const [, index, size] = partName.exec(name) ?? [];
    if (index !== undefined) parts.push({ name, index: Number(index), size: Number(size) });
  }
  return parts.sort((a, b) => a.index - b.index);
}

function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { size }) => sum + size, 0);
}

/** An index that came twice at the same time, with different bytes, has to come again. */
function missingIndexes(parts: readonly Part[], total: number): number[] {
  const seen = new Array<number>(total).fill(0);
  for (const { index } of parts) seen[index] = (seen[index] ?? 0) + 1;
  return seen.flatMap((times, index) => (times === 1 ? [] : [index]));
}

function nameSome(indexes: readonly number[]): string {
  const named = indexes.slice(0, maxNamed).join(", ");
  return indexes.length > maxNamed ? `${named} and ${indexes.length - maxNamed} more` : named;
}

async function* readParts(folder: string, parts: readonly Part[]): AsyncIterable<Uint8Array> {
  for (const { name } of parts) yield* createReadStream(join(folder, name), { highWaterMark: readSize });
}

function claimFile(folder: string): string {
  return join(folder, "claim");
}

/** Of those who see the upload complete, one puts it together. */
async function claim(folder: string): Promise<boolean> {
  const file = claimFile(folder);
  const mine = JSON.stringify(me);
  if (await createFileAtomic(file, mine)) return true;
  const [text, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
  if (isAlive(JSON.parse(text), Date.now() - mtimeMs)) return false;
  await rm(file, { force: true });
  return createFileAtomic(file, mine);
}

function isAlive(owner: typeof me, age: number): boolean {
  if (age > claimMs) return false;
  if (owner.run === me.run) return true;
  if (owner.host !== me.host) return age < foreignClaimMs;
  // In a container every run has the same process id.
  return owner.pid !== me.pid && isRunning(owner.pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
