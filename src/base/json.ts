// Strict JSON from bytes: what every body and every imported file goes through.
// Refuses what parsers disagree about (BOM, bad UTF-8, lone surrogates, numbers beyond range), what could reach a
// prototype, and nesting that would exhaust a stack. One pass over the text, a second over the value only on suspicion.

import type { Json } from "#contract/json.ts";
import { fail } from "./errors.ts";

export const maxJsonDepth = 64;

const refusedKeys = new Set(["__proto__", "constructor", "prototype"]);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const quote = 0x22;
const backslash = 0x5c;

export function parseJson(bytes: Uint8Array): Json {
  const text = decode(bytes);
  if (text.charCodeAt(0) === 0xfeff) refuse("it starts with a byte order mark");
  // Escapes can hide keys and halves of surrogate pairs.
  const isSuspicious = scan(text) || text.includes("\\u");
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return fail("malformed-json");
  }
  if (isSuspicious) checkValue(value);
  return value;
}

/**
 * Before the text is parsed, so that a megabyte of brackets costs nothing: refuses deep nesting, and tells whether the
 * value needs a second look. A string may be a key that is refused, and a number may be out of range, which only an
 * exponent or very many digits bring about.
 */
function scan(text: string): boolean {
  let depth = 0;
  let digits = 0;
  let isSuspicious = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character >= 0x30 && character <= 0x39) {
      if (++digits > 300) isSuspicious = true;
      continue;
    }
    if (digits > 0 && (character | 0x20) === 0x65) isSuspicious = true;
    digits = 0;
    if (character === quote) {
      const start = at + 1;
      at = endOfString(text, start);
      const length = at - start;
      if ((length === 9 || length === 11) && refusedKeys.has(text.slice(start, at))) isSuspicious = true;
    } else if (character === 0x5b || character === 0x7b) {
      if (++depth > maxJsonDepth) refuse(`it is nested deeper than ${maxJsonDepth} levels`);
    } else if (character === 0x5d || character === 0x7d) depth--;
  }
  return isSuspicious;
}

/** Where the quote is that ends it. Most strings hold no escape before it, and then one look finds it. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start);
  if (end < 0) return text.length;
  if (text.charCodeAt(end - 1) !== backslash) return end;
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
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
