// Removes the location from a picture: the GPS part of EXIF, wherever in the file it is, and the GPS values of XMP. In place, so that
// every other byte stays where it is. Data that cannot be read as such metadata is left alone.

import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** Read together; metadata that begins in the first part may reach into the rest. */
const step = 1_048_576;
const reach = 1_048_576;

const gpsPointer = 0x8825;
const longType = 4;
/** Bytes of a value, by the type that the entry names. */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const heads = [Buffer.from("II*\0", "latin1"), Buffer.from("MM\0*", "latin1")];
const gpsName = Buffer.from(":GPS");
const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Chunks of a PNG with metadata; a larger one has none. */
const pngMetadata = new Set(["eXIf", "iTXt", "tEXt"]);
const maxChunk = 16_777_216;

/** A camera writes one of each, in a directory of some dozen entries; a hostile file has many. */
const maxCandidates = 1_000;
const maxEntries = 256;

/** Whether the file had a location, which is removed now. */
export async function stripLocation(path: string): Promise<boolean> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const head = await readAt(file, 0, pngMark.length);
    return await (head.equals(pngMark) ? stripPng : stripAny)(file, size);
  } finally {
    await file.close();
  }
}

async function stripAny(file: FileHandle, size: number): Promise<boolean> {
  let isChanged = false;
  for (let at = 0; at < size; at += step) {
    const bytes = await readAt(file, at, Math.min(step + reach, size - at));
    if (!blankPlace(bytes, step)) continue;
    await file.write(bytes, 0, bytes.length, at);
    isChanged = true;
  }
  return isChanged;
}

/** Each chunk of a PNG has a checksum. */
async function stripPng(file: FileHandle, size: number): Promise<boolean> {
  let isChanged = false;
  for (let at = pngMark.length; at + 12 <= size; ) {
    const head = await readAt(file, at, 8);
    const length = head.readUInt32BE(0);
    if (at + 12 + length > size) break;
    if (pngMetadata.has(head.toString("latin1", 4)) && length <= maxChunk) {
      const chunk = await readAt(file, at + 4, length + 8);
      const content = chunk.subarray(4, length + 4);
      if (blankPlace(content, content.length)) {
        chunk.writeUInt32BE(crc32(chunk.subarray(0, length + 4)), length + 4);
        await file.write(chunk, 0, chunk.length, at + 4);
        isChanged = true;
      }
    }
    at += 12 + length;
  }
  return isChanged;
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** What begins before `end`. */
function blankPlace(bytes: Buffer, end: number): boolean {
  let isChanged = false;
  for (const head of heads) {
    for (const at of placesOf(bytes, head, end)) {
      if (blankGps(bytes.subarray(at), head === heads[0])) isChanged = true;
    }
  }
  for (const at of placesOf(bytes, gpsName, end)) {
    if (blankXmp(bytes, at)) isChanged = true;
  }
  return isChanged;
}

function* placesOf(bytes: Buffer, wanted: Buffer, end: number): Iterable<number> {
  let at = bytes.indexOf(wanted);
  for (let count = 0; at >= 0 && at < end && count < maxCandidates; count += 1) {
    yield at;
    at = bytes.indexOf(wanted, at + wanted.length);
  }
}

/** In data that looks like the TIFF structure of EXIF; false when it is not, or has no location. */
function blankGps(tiff: Buffer, isLittle: boolean): boolean {
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const read32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  try {
    const directory = read32(4);
    const count = read16(directory);
    if (count > maxEntries) return false;
    const end = directory + 2 + count * 12;
    for (let at = directory + 2; at < end; at += 12) {
      if (read16(at) !== gpsPointer || read16(at + 2) !== longType || read32(at + 4) !== 1) continue;
      const gps = read32(at + 8);
      const entries = read16(gps);
      if (entries > maxEntries || gps + 2 + entries * 12 > tiff.length) return false;
      for (let entry = gps + 2; entry < gps + 2 + entries * 12; entry += 12) {
        const length = (sizes[read16(entry + 2)] ?? 0) * read32(entry + 4);
        const value = read32(entry + 8);
        if (length > 4 && value + length <= tiff.length) tiff.fill(0, value, value + length);
      }
      tiff.fill(0, gps, gps + 2 + entries * 12);
      // The pointer is removed too: the entries after it, with the link to the next directory, move up.
      tiff.copyWithin(at, at + 12, end + 4);
      tiff.fill(0, end - 8, end + 4);
      if (isLittle) tiff.writeUInt16LE(count - 1, directory);
      else tiff.writeUInt16BE(count - 1, directory);
      return true;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return false;
}

/** As an attribute or as an element. */
const xmpValue = /^(:GPS\w{1,40}(?:\s{0,10}=\s{0,10}["']|(?:\s[^<>]{0,200})?>))([^<>"']{1,500})["'<]/;

function blankXmp(bytes: Buffer, at: number): boolean {
  const [, name = "", value = ""] = xmpValue.exec(bytes.toString("latin1", at, at + 800)) ?? [];
  if (value.trim() === "") return false;
  bytes.fill(" ", at + name.length, at + name.length + value.length);
  return true;
}
