// Reads rotated log files from their end, in pieces, so that the work goes by what is asked for and not by their size.
// A place in them outlives a rotation: a file is known by its first line, which never changes.

import { hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

const pieceSize = 65_536;
const headSize = 512;
/** Longer lines are damaged: nothing writes such. */
const maxLine = 1_048_576;

export interface LogLine {
  text: string;
  /** Its place: `{file}.{offset}`. */
  place: string;
}

export interface LogPiece {
  /** Newest first. */
  lines: LogLine[];
  /** Bytes that were read for it. */
  bytes: number;
  /** Reading on from here misses nothing and repeats nothing. */
  place: string;
}

export interface ReadBack {
  /** Only lines before this place. */
  before?: string | undefined;
  /** Files whose first line this refuses are passed over unread. */
  skips?: (firstLine: string) => boolean;
}

/** Opened newest first: a file that is rotated meanwhile is then found twice, which is detected, and never missed. */
export async function openLogFiles(paths: readonly string[]): Promise<FileHandle[]> {
  const files = new Map<number, FileHandle>();
  for (const path of paths) {
    const file = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    if (!file) continue;
    const { ino } = await file.stat();
    if (files.has(ino)) await file.close();
    else files.set(ino, file);
  }
  return [...files.values()];
}

export function isPlace(text: string): boolean {
  return /^[0-9a-f]{16}\.\d{1,15}$/.test(text);
}

/** The lines of all files, the newest first. `paths`: the newest file first. */
export async function* readBack(paths: readonly string[], { before, skips }: ReadBack = {}): AsyncIterable<LogPiece> {
  const files = await openLogFiles(paths);
  const [from, offset] = before?.split(".") ?? [];
  let isFound = from === undefined;
  try {
    for (const file of files) {
      const head = await readHead(file);
      if (!head) continue;
      const isFrom = head.name === from;
      isFound ||= isFrom;
      if (!isFound || skips?.(head.text)) continue;
      const { size } = await file.stat();
      yield* readFileBack(file, head.name, isFrom ? Math.min(Number(offset), size) : size);
    }
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

/** Undefined for a file without a whole line. */
async function readHead(file: FileHandle): Promise<{ name: string; text: string } | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headSize), 0, headSize, 0);
  const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
  if (end < 0 && bytesRead < headSize) return undefined;
  const first = buffer.subarray(0, end < 0 ? headSize : end);
  return { name: hash("sha256", first, "hex").slice(0, 16), text: first.toString() };
}

async function* readFileBack(file: FileHandle, name: string, end: number): AsyncIterable<LogPiece> {
  /** The beginning of a line whose rest was read before. */
  let rest: Buffer = Buffer.alloc(0);
  for (let at = end; at > 0; ) {
    const start = Math.max(0, at - pieceSize);
    const piece = Buffer.alloc(at - start);
    const { bytesRead } = await file.read(piece, 0, piece.length, start);
    const bytes = Buffer.concat([piece.subarray(0, bytesRead), rest]);
    // The first line of a piece may begin before it.
    const whole = start === 0 ? 0 : bytes.indexOf(0x0a) + 1;
    rest = whole === 0 && start > 0 ? bytes : bytes.subarray(0, whole);
    if (rest.length > maxLine) rest = Buffer.alloc(0);
    const lines = whole === 0 && start > 0 ? [] : linesOf(bytes.subarray(whole), name, start + whole);
    yield { lines: lines.reverse(), bytes: bytesRead, place: lines.at(-1)?.place ?? `${name}.${start + rest.length}` };
    at = start;
  }
}

function linesOf(bytes: Buffer, name: string, offset: number): LogLine[] {
  const lines: LogLine[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(0x0a, at);
    const end = found < 0 ? bytes.length : found;
    if (end > at) lines.push({ text: bytes.toString("utf8", at, end), place: `${name}.${offset + at}` });
    at = end + 1;
  }
  return lines;
}
