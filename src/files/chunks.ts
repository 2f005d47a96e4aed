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
 * The parts stay until `dropChunks`: repeating one after a crash completes the upload again.
 */
export async function addChunk(staging: Staging, chunk: Chunk): Promise<ChunkAnswer> {
  const { index, total, maxBytes } = chunk;
  checkNumbers(index, total);
  const folder = folderOf(staging, chunk.key);
  await fixTotal(folder, total);

  const others = (await listParts(folder)).filter((part) => part.index !== index);
  const rest = maxBytes - others.reduce((sum, part) => sum + part.size, 0);
  const staged = await staging.receive(chunk.source, rest);
  try {
    await removePart(folder, index);
    await rename(staged.path, join(folder, `${index}-${staged.size}`));
  } catch (error) {
    await staging.discard(staged);
    throw error;
  }

  const parts = await listParts(folder);
  const missing = missingIndexes(parts, total);
  if (missing.length === 0) return (await claim(folder)) ? join_(staging, folder, { parts, maxBytes }) : partial;
  if (index === total - 1) fail("invalid", `Chunks are missing: ${nameSome(missing)}.`, { chunks: missing.map(String) });
  return partial;
}
