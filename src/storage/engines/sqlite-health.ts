// Checks the database before it is used: damage must be reported, and the files left unchanged.
// The engine itself takes a damaged log for one that ends there, and so loses everything written after it.

import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fail } from "#base/errors.ts";

const headerSize = 32;
const frameHeaderSize = 24;
const magic = 0x377f0682;
/** Malformed, not a database, and a migration that does not fit. */
const errorCodes = new Set([11, 26, 1]);
/** Checking this much takes a fraction of a second, so the start waits for it. */
const lookedThroughAtStart = 256 * 1024 * 1024;

export const quickCheck = "PRAGMA quick_check(1)";

/** Before a writing connection is opened: closing the last one would remove the log. */
export function refuseDamagedFiles(file: string, role: "server" | "command"): void {
  refuseDamagedLog(file);
  if (role === "server" && sizeOf(file) > 0 && !isLarge(file)) lookThrough(file);
}

export function isLarge(file: string): boolean {
  return sizeOf(file) > lookedThroughAtStart;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The result of a check; undefined without damage. */
export function problemOf(rows: readonly Record<string, unknown>[]): string | undefined {
  const said = String(rows[0]?.quick_check ?? "ok");
  return said === "ok" ? undefined : said;
}

/** Turns the engine's errors for damage into ours; any other error is rethrown. */
export function refuseWhenDamaged<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;
    if (errorCodes.has(code)) refuseDamaged((error as Error).message);
    throw error;
  }
}

function lookThrough(file: string): void {
  const problem = refuseWhenDamaged(() => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
    try {
      return problemOf(database.prepare(quickCheck).all());
    } finally {
      database.close();
    }
  });
  if (problem) refuseDamaged(problem);
}

function refuseDamaged(reason: string): never {
  return fail(
    "unavailable",
    `The database is damaged (${reason.replace(/\s+/g, " ")}) and was left as it is. Move the data directory aside and restore the last backup into a fresh one.`,
  );
}

/**
 * Refuses a log with whole transactions after an invalid frame. Each transaction is on disk before the next
 * is written, so a power cut can damage the last one at most; after more damage answered writes would be lost.
 */
function refuseDamagedLog(file: string): void {
  const log = `${file}-wal`;
  const handle = tryOpen(log);
  if (handle === undefined) return;
  try {
    // The engine would drop such a log and begin an empty site.
    if (fstatSync(handle).size > 0 && sizeOf(file) === 0) refuseDamaged("its file is gone");
    // A command may reset the log while it is read here: then its header differs afterwards.
    for (let isSure = false; !isSure; ) {
      const header = readAt(handle, 0, headerSize);
      if (header.length < headerSize || !isLogDamaged(handle, header)) return;
      isSure = readAt(handle, 0, headerSize).equals(header);
    }
  } finally {
    closeSync(handle);
  }
  refuseDamaged("its last writes cannot be read");
}

/** Undefined when there is none: another process may remove it at any time. */
function tryOpen(file: string): number | undefined {
  try {
    return openSync(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function isLogDamaged(handle: number, header: Buffer): boolean {
  const kind = header.readUInt32BE(0);
  const isBig = kind === magic + 1;
  let sum = checksum(header.subarray(0, 24), isBig, [0, 0]);
  if ((kind !== magic && !isBig) || !isSum(header, 24, sum)) return true;
  const salt = header.subarray(16, 24);
  const size = frameHeaderSize + header.readUInt32BE(8);
  let isBroken = false;
  let lost = 0;
  for (let at = headerSize; ; at += size) {
    const frame = readAt(handle, at, size);
    if (frame.length < size) return lost > 1;
    // Frames of an earlier round of the log have a different salt.
    const isOfThisRound = frame.subarray(8, 16).equals(salt);
    if (!isBroken) {
      sum = checksum(frame.subarray(frameHeaderSize), isBig, checksum(frame.subarray(0, 8), isBig, sum));
      isBroken = !isOfThisRound || !isSum(frame, 16, sum);
    }
    const isCommit = frame.readUInt32BE(4) > 0;
    if (isBroken && isOfThisRound && isCommit) lost += 1;
  }
}

type Sum = [number, number];

function isSum(bytes: Buffer, at: number, [first, second]: Sum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}

function checksum(bytes: Buffer, isBig: boolean, [first, second]: Sum): Sum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let a = first;
  let b = second;
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + words.getUint32(at, !isBig) + b) >>> 0;
    b = (b + words.getUint32(at + 4, !isBig) + a) >>> 0;
  }
  return [a, b];
}

function readAt(handle: number, at: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  return bytes.subarray(0, readSync(handle, bytes, 0, size, at));
}
