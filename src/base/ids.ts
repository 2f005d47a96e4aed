// Identifiers: slugs of human text, and random ones.

import { randomFillSync, randomUUID } from "node:crypto";
import type * as Transliteration from "transliteration";
import { lazily } from "./lazy.ts";

const transliteration = lazily<typeof Transliteration>("transliteration");

export const maxIdLength = 200;

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 36 that fits in a byte: bytes above it would favour some characters. */
const fairBytes = 252;

/** ASCII letters, digits and underscores; every other run of characters becomes one separator. */
export function slug(text: string, separator: "-" | "_" = "-"): string {
  if (separator === "-" && isObjectId(text)) return text;
  const spelled = text.replaceAll("@", "-at-");
  const latin = isAscii(spelled) ? spelled : transliteration().transliterate(spelled);
  const parts = latin.toLowerCase().split(/[^a-z0-9_]+/);
  return parts.filter((part) => part !== "").join(separator);
}

/** Random characters of 0-9 and a-z. */
export function uid(length = 12): string {
  let id = "";
  while (id.length < length) {
    const byte = randomByte();
    if (byte < fairBytes) id += alphabet[byte % 36];
  }
  return id;
}

/** Each byte is used once. Asking the system for a few costs as much as asking for many. */
const random = Buffer.alloc(1_024);
let used = random.length;

function randomByte(): number {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const byte = random[used] as number;
  random[used] = 0;
  used += 1;
  return byte;
}

export function uuid(): string {
  return randomUUID();
}

/** The form of an object's id once it is stored. */
export function isObjectId(id: string): boolean {
  return id.length <= maxIdLength && /^[a-z0-9_]+(?:-[a-z0-9_]+)*$/.test(id);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}
