// Log files that several processes write: whole lines, for their owner only, rotated.
// No value can begin a line of its own.

import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Besides the current file. */
const rotatedFiles = 5;
const maxSize = 10 * 1_048_576;
const maxText = 500;
/** A rotation takes milliseconds; a lock as old as this was left by a process that died. */
const staleLockMs = 60_000;

/** One line of JSON; long texts are cut. */
export function jsonLine(value: object): string {
  return oneLine(JSON.stringify(value, shorten));
}

/** JSON text without line breaks. */
export function oneLine(json: string): string {
  return json.replace(lineBreaks, escapeBreak);
}

function shorten(_name: string, value: unknown): unknown {
  return typeof value === "string" && value.length > maxText ? `${value.slice(0, maxText)}...` : value;
}

// JSON leaves these unescaped, and some readers take them for the end of a line.
const lineBreaks = /[\u0085\u2028\u2029]/g;

function escapeBreak(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Opened each time: another process may have rotated the file meanwhile. Lines of several processes never mix. */
export function appendLine(file: string, line: string): void {
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  const handle = openSync(file, "a+", 0o600);
  let size: number;
  try {
    size = fstatSync(handle).size;
    const text = `${endsInLine(handle, size) ? "" : "\n"}${line}\n`;
    const written = writeSync(handle, text);
    if (written < Buffer.byteLength(text)) throw new Error("only a part of the line was written");
  } finally {
    closeSync(handle);
  }
  if (size >= maxSize) rotate(file);
}

/** A line that a full disk cut off must not damage the next one. */
function endsInLine(handle: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

/** A log and its rotated files that may exist, newest first. */
export function filesOf(file: string): string[] {
  return [file, ...Array.from({ length: rotatedFiles }, (_, at) => `${file}.${at + 1}`)];
}

function rotate(file: string): void {
  const lock = `${file}.lock`;
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch {
    // Another process rotates it.
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > staleLockMs) rmSync(lock);
    return;
  }
  try {
    if (statSync(file).size < maxSize) return;
    for (let at = rotatedFiles - 1; at >= 1; at -= 1) {
      if (statSync(`${file}.${at}`, { throwIfNoEntry: false })) renameSync(`${file}.${at}`, `${file}.${at + 1}`);
    }
    renameSync(file, `${file}.1`);
  } finally {
    rmSync(lock);
  }
}
