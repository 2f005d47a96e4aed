// Cuts the objects out of a stream of JSON: a top-level array, or one object on each line (NDJSON).
// Only the current object is in memory; base/json.ts validates it. A broken object is a bad row, the rest goes on;
// a stream that is not JSON is malformed (400), one that is no array of objects is refused (422).

import { CairnError, fail } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { BadRow, type ImportRow } from "./rows.ts";

const byte = { quote: 0x22, comma: 0x2c, backslash: 0x5c, open: 0x5b, close: 0x5d, openBrace: 0x7b, closeBrace: 0x7d };
const newline = 0x0a;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export interface JsonLimits {
  /** The largest single object, in bytes. */
  maxObjectSize: number;
}

/** `[{...}, {...}]`. */
export async function* readJsonArray(source: AsyncIterable<Uint8Array>, limits: JsonLimits): AsyncIterable<ImportRow> {
  const element = createCut(limits);
  let where: "start" | "inside" | "end" | "other" = "start";
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let rows = 0;

  for await (const chunk of withoutMark(source)) {
    let from = 0;
    for (let at = 0; at < chunk.length && where !== "other"; at += 1) {
      if (isText) {
        // Texts are most of the bytes: jump to the quote that ends them.
        const end = findTextEnd(chunk, at, isEscaped);
        isText = end.at === chunk.length;
        isEscaped = end.isEscaped;
        at = end.at;
        continue;
      }
      const current = chunk[at] as number;
      if (where !== "inside") {
        if (isSpace(current)) continue;
        if (where === "end") malformed(`There is text behind the array of ${rows} objects.`);
        where = current === byte.open ? "inside" : "other";
        from = where === "inside" ? at + 1 : at;
      } else if (current === byte.quote) {
        isText = true;
      } else if (current === byte.openBrace || current === byte.open) {
        depth += 1;
      } else if (depth > 0) {
        if (current === byte.closeBrace || current === byte.close) depth -= 1;
      } else if (current === byte.comma || current === byte.close) {
        element.add(chunk.subarray(from, at));
        from = at + 1;
        const bytes = element.take();
        if (current === byte.close) where = "end";
        if (where === "end" && rows === 0 && isBlank(bytes)) continue;
        rows += 1;
        yield parseRow(bytes, rows);
      } else if (current === byte.closeBrace) {
        malformed(`It breaks near object ${rows + 1}.`);
      }
    }
    if (where === "inside" || where === "other") element.add(chunk.subarray(from));
  }
  if (where === "start") malformed("It is empty.");
  if (where === "inside") malformed(`It breaks off after ${rows} objects.`);
  if (where === "other") refuseOther(element.take());
}

/** A whole document that is no array: which status it gets depends on whether it is JSON. */
function refuseOther(bytes: Uint8Array): never {
  try {
    parseJson(bytes);
  } catch (error) {
    if (error instanceof CairnError && error.word === "malformed-json") malformed();
    throw error;
  }
  return notAnArray();
}

/** The next quote that no backslash escapes, or the end of the chunk, and then whether a backslash stood last. */
function findTextEnd(chunk: Buffer, from: number, isEscaped: boolean): { at: number; isEscaped: boolean } {
  for (let start = isEscaped ? from + 1 : from; ; ) {
    const found = chunk.indexOf(byte.quote, start);
    const at = found < 0 ? chunk.length : found;
    let backslashes = 0;
    while (at - backslashes > start && chunk[at - backslashes - 1] === byte.backslash) backslashes += 1;
    const isOdd = backslashes % 2 === 1;
    if (found < 0 || !isOdd) return { at, isEscaped: isOdd && found < 0 };
    start = at + 1;
  }
}

/** One object on each line. */
export async function* readJsonLines(source: AsyncIterable<Uint8Array>, limits: JsonLimits): AsyncIterable<ImportRow> {
  const line = createCut(limits);
  let rows = 0;
  for await (const chunk of withoutMark(source)) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      line.add(chunk.subarray(from, at));
      from = at + 1;
      const bytes = line.take();
      if (isBlank(bytes)) continue;
      rows += 1;
      yield parseRow(bytes, rows);
    }
    line.add(chunk.subarray(from));
  }
  const rest = line.take();
  if (!isBlank(rest)) yield parseRow(rest, rows + 1);
}

/** The bytes of one object, which may come in several chunks. */
function createCut({ maxObjectSize }: JsonLimits) {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    add(part: Uint8Array): void {
      if (part.length === 0) return;
      size += part.length;
      if (size > maxObjectSize)
        fail("refused", `An object is larger than ${maxObjectSize} bytes.`, { file: ["An object is too large."] });
      parts.push(part);
    },
    take(): Uint8Array {
      const bytes = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
      parts = [];
      size = 0;
      return bytes;
    },
  };
}

function parseRow(bytes: Uint8Array, row: number): ImportRow {
  let value: Json;
  try {
    value = parseJson(bytes);
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    // Nothing is written yet when the first one is wrong: it is the wrong file.
    if (row === 1 && error.word === "malformed-json") malformed("It breaks near object 1.");
    return new BadRow(error.message.replace("The body is", "It is"));
  }
  if (isJsonObject(value)) return value;
  return row === 1 ? notAnArray() : new BadRow("It is not an object.");
}

async function* withoutMark(source: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const part of source) {
    const chunk = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < byteOrderMark.length) continue;
    yield head.subarray(0, 3).equals(byteOrderMark) ? head.subarray(3) : head;
    head = undefined;
  }
  if (head && head.length > 0) yield head;
}

function isSpace(value: number): boolean {
  return value === 0x20 || value === 0x0a || value === 0x0d || value === 0x09;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(isSpace);
}

function notAnArray(): never {
  return fail("refused", "The file must contain a JSON array of objects.", {
    file: ["Must be a JSON array of objects."],
  });
}

function malformed(why?: string): never {
  return fail("malformed-json", ["The file is not valid JSON.", ...(why ? [why] : [])].join(" "), {
    file: ["Is not valid JSON."],
  });
}
