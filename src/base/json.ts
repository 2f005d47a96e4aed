// Strict JSON from bytes, for every body and every imported file.
// Refuses input that parsers disagree about (BOM, bad UTF-8, lone surrogates, numbers beyond range), keys that could reach a
// prototype, nesting that would exhaust a stack, and more values than can be checked without holding up other requests.

import type { Json, JsonObject } from "#contract/json.ts";
import { fail } from "./errors.ts";

export const maxJsonDepth = 64;
/** Parsing costs grow by values, more by keys, and most by distinct keys. */
export const jsonLimits = { values: 250_000, keys: 100_000, names: 10_000 } as const;
export type JsonLimits = Readonly<Record<keyof typeof jsonLimits, number>>;

const noLimits: JsonLimits = {
  values: Number.POSITIVE_INFINITY,
  keys: Number.POSITIVE_INFINITY,
  names: Number.POSITIVE_INFINITY,
};

const refusedKeys = new Set(["__proto__", "constructor", "prototype"]);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const quote = 0x22;
const backslash = 0x5c;
/** Longer keys are compared by this prefix: they are too long to be many. */
const longestName = 200;
const colon = 0x3a;
const comma = 0x2c;
/** Up to this size any content is parsed in no time. */
const shortLength = 65_536;

export function parseJson(bytes: Uint8Array): Json {
  return parse(bytes, jsonLimits);
}

/** For input of administrators, and for files of the installation itself: any number of values. */
export function parseLargeJson(bytes: Uint8Array): Json {
  return parse(bytes, noLimits);
}

function parse(bytes: Uint8Array, limits: JsonLimits): Json {
  const text = decode(bytes);
  if (text.charCodeAt(0) === 0xfeff) refuse("it starts with a byte order mark");
  if (text.length > shortLength) measure(text, limits);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return fail("malformed-json");
  }
  checkValue(value, 0);
  return value;
}

/** Before the text is parsed, so that megabytes of brackets cost nothing. */
function measure(text: string, limits: JsonLimits): void {
  const names = new Set<string>();
  let depth = 0;
  let values = 1;
  let keys = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      start = at + 1;
      end = at = endOfString(text, start);
    } else if (character === comma) {
      if (++values > limits.values) refuse(`it holds more than ${limits.values} values`);
    } else if (character === colon) {
      if (++keys > limits.keys) refuse(`it holds more than ${limits.keys} keys`);
      if (names.add(text.slice(start, Math.min(end, start + longestName))).size > limits.names)
        refuse(`it holds more than ${limits.names} different keys`);
    } else if (character === 0x5b || character === 0x7b) {
      if (++depth > maxJsonDepth) refuseDepth();
      values++;
    } else if (character === 0x5d || character === 0x7d) depth--;
  }
}

/** The position of the closing quote. Most strings have no escape before it, and then one search finds it. */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start);
  if (end < 0) return text.length;
  if (text.charCodeAt(end - 1) !== backslash) return end;
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

export function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return refuse("it is not UTF-8");
  }
}

/** `depth`: the number of enclosing values. */
export function checkValue(value: Json, depth: number): void {
  if (typeof value === "string") {
    if (!value.isWellFormed()) refuse("a text holds half a surrogate pair");
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse("a number is out of range");
  } else if (typeof value === "object" && value !== null) {
    if (depth >= maxJsonDepth) refuseDepth();
    if (Array.isArray(value)) for (const item of value) checkValue(item, depth + 1);
    else checkFields(value, depth + 1);
  }
}

function checkFields(fields: JsonObject, depth: number): void {
  for (const key in fields) {
    if (refusedKeys.has(key)) refuse(`the key "${key}" is not allowed`);
    if (!key.isWellFormed()) refuse("a key holds half a surrogate pair");
    checkValue(fields[key] as Json, depth);
  }
}

export function refuseDepth(): never {
  refuse(`it is nested deeper than ${maxJsonDepth} levels`);
}

export function refuse(reason: string): never {
  return fail("malformed-json", `The body is not acceptable JSON: ${reason}.`);
}
