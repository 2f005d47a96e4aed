// The family name inside a TrueType or OpenType font file: the text renderer wants it beside the path.

import { readFile } from "node:fs/promises";
import { fail } from "#base/errors.ts";

const familyName = 1;

export async function readFontFamily(path: string): Promise<string> {
  const bytes = await readFile(path);
  try {
    // Only names that mean nothing to the renderer's own notation.
    const name = findName(bytes)
      ?.replace(/[^\p{L}\p{N} _-]/gu, "")
      .trim();
    if (name) return name;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return fail("invalid", "The font cannot be read.");
}

function findName(font: Buffer): string | undefined {
  const tables = font.readUInt16BE(4);
  for (let at = 12; at < 12 + tables * 16; at += 16) {
    if (font.toString("latin1", at, at + 4) === "name") return familyIn(font.subarray(font.readUInt32BE(at + 8)));
  }
  return undefined;
}

function familyIn(table: Buffer): string | undefined {
  const texts = table.subarray(table.readUInt16BE(4));
  for (let left = table.readUInt16BE(2), at = 6; left > 0; left -= 1, at += 12) {
    if (table.readUInt16BE(at + 6) !== familyName) continue;
    const start = table.readUInt16BE(at + 10);
    const bytes = Buffer.from(texts.subarray(start, start + table.readUInt16BE(at + 8)));
    const isMac = table.readUInt16BE(at) === 1;
    return isMac
      ? bytes.toString("latin1")
      : bytes
          .subarray(0, bytes.length & ~1)
          .swap16()
          .toString("utf16le");
  }
  return undefined;
}
