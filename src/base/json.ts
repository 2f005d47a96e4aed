// Strict JSON from bytes: what every body and every imported file goes through.
// Refuses what parsers disagree about (BOM, bad UTF-8, lone surrogates, numbers beyond range), what could reach a
// prototype, and nesting that would exhaust a stack. One pass over the bytes, a second over the value only on suspicion.

import type { Json } from "#contract/json.ts";
import { fail } from "./errors.ts";

export const maxJsonDepth = 64;

const refusedKeys = new Set(["__proto__", "constructor", "prototype"]);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const suspicious = ["\\u", "__proto__", "constructor", "prototype"].map((word) => Buffer.from(word));

const quote = 0x22;
const backslash = 0x5c;

export function parseJson(bytes: Uint8Array): Json {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) refuse("it starts with a byte order mark");
  const hasWildNumber = scan(buffer);
  const text = decode(buffer);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return fail("malformed-json");
  }
  // Escapes can hide keys and halves of surrogate pairs.
  if (hasWildNumber || suspicious.some((word) => buffer.includes(word))) checkValue(value);
  return value;
}

/**
 * Before the text is parsed, so that a megabyte of brackets costs nothing: refuses deep nesting, and tells whether a
 * number may be out of range, which only an exponent or very many digits bring about.
 */
function scan(bytes: Buffer): boolean {
  let depth = 0;
  let digits = 0;
  let hasWildNumber = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > 300) hasWildNumber = true;
      continue;
    }
    if (digits > 0 && (byte | 0x20) === 0x65) hasWildNumber = true;
    digits = 0;
    if (byte === quote) at = endOfString(bytes, at + 1);
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > maxJsonDepth) refuse(`it is nested deeper than ${maxJsonDepth} levels`);
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return hasWildNumber;
}

/** Where the quote is that ends it. Most strings hold no escape before it, and then one look finds it. */
function endOfString(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(quote, start);
  if (end < 0) return bytes.length;
  if (bytes[end - 1] !== backslash) return end;
  let at = start;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return refuse("it is not UTF-8");
  }
}

function checkValue(value: Json): void {
  if (typeof value === "string") {
    if (!value.isWellFormed()) refuse("a text holds half a surrogate pair");
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse("a number is out of range");
  } else if (Array.isArray(value)) {
    for (const item of value) checkValue(item);
  } else if (value !== null && typeof value === "object") {
    for (const key of Object.keys(value)) {
      if (refusedKeys.has(key)) refuse(`the key "${key}" is not allowed`);
      if (!key.isWellFormed()) refuse("a key holds half a surrogate pair");
      checkValue(value[key] as Json);
    }
  }
}

function refuse(reason: string): never {
  return fail("malformed-json", `The body is not acceptable JSON: ${reason}.`);
}
