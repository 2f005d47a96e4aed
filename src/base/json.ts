// Strict JSON from bytes: what every body and every imported file goes through.
// Refuses what parsers disagree about (BOM, bad UTF-8, lone surrogates, numbers beyond range), what could reach a
// prototype, and nesting that would exhaust a stack. One pass over the bytes, a second over the value only on suspicion.

import type { Json } from "#contract/json.ts";
import { fail } from "./errors.ts";

export const maxJsonDepth = 64;

const refusedKeys = new Set(["__proto__", "constructor", "prototype"]);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const quote = 0x22;
const backslash = 0x5c;

export function parseJson(bytes: Uint8Array): Json {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) refuse("it starts with a byte order mark");
  checkDepth(bytes);
  const text = decode(bytes);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return fail("malformed-json");
  }
  if (isSuspicious(text)) checkValue(value);
  return value;
}

/** Before the text is parsed, so that a megabyte of brackets costs nothing. */
function checkDepth(bytes: Uint8Array): void {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > maxJsonDepth) refuse(`it is nested deeper than ${maxJsonDepth} levels`);
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return refuse("it is not UTF-8");
  }
}

/** Escapes can hide keys and surrogates; only exponents or very long digits leave the range of numbers. */
function isSuspicious(text: string): boolean {
  return (
    text.includes("\\u") ||
    text.includes("__proto__") ||
    text.includes("constructor") ||
    text.includes("prototype") ||
    /\d[eE]|\d{300}/.test(text)
  );
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
