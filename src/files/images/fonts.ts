// The names inside a TrueType or OpenType font file: the text renderer needs them with the path.

import { readFile } from "node:fs/promises";
import { fail } from "#base/errors.ts";

const familyId = 1;
const styleId = 2;

/** In the renderer's notation: the family, a comma, and whether it is bold or italic. */
export async function readFontName(path: string): Promise<string> {
  const bytes = await readFile(path);
  try {
    // Only names without special characters of that notation.
    const family = findName(bytes, familyId)
      ?.replace(/[^\p{L}\p{N} _-]/gu, "")
      .trim();
    const style = findName(bytes, styleId)?.match(/\b(?:Bold|Italic|Oblique)\b/g) ?? [];
    if (family) return `${family}, ${style.join(" ")}`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return fail("invalid", "The font cannot be read.");
}

function findName(font: Buffer, id: number): string | undefined {
  const tables = font.readUInt16BE(4);
  for (let at = 12; at < 12 + tables * 16; at += 16) {
    if (font.toString("latin1", at, at + 4) === "name") return nameIn(font.subarray(font.readUInt32BE(at + 8)), id);
  }
  return undefined;
}

function nameIn(table: Buffer, id: number): string | undefined {
  const texts = table.subarray(table.readUInt16BE(4));
  for (let left = table.readUInt16BE(2), at = 6; left > 0; left -= 1, at += 12) {
    if (table.readUInt16BE(at + 6) !== id) continue;
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
