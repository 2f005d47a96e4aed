// Strict JSON of many megabytes, such as a definition for sync: read by the same rules as a body, but in pieces of some
// kilobytes, so that other requests are served meanwhile. It has limits of its own.
// Containers that are too long for one piece are put together here. JSON.parse reads everything else.

import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "#contract/json.ts";
import { fail } from "./errors.ts";
import { createPause } from "./event-loop.ts";
import { checkValue, decode, type JsonLimits, maxJsonDepth, refuse, refuseDepth } from "./json.ts";

/** Of a definition as a whole. */
export const definitionLimits: JsonLimits = { values: 2_000_000, keys: 1_500_000, names: 50_000 };

const defaultPieceBytes = 65_536;
/** A single text cannot be divided. */
const maxTextBytes = 16_777_216;
/** Longer keys are compared by this prefix: they are too long to be many. */
const longestName = 200;

const byte = {
  ...{ quote: 0x22, comma: 0x2c, colon: 0x3a, backslash: 0x5c },
  ...{ open: 0x5b, close: 0x5d, openBrace: 0x7b, closeBrace: 0x7d },
};

/** A container that is not closed yet. */
interface Container {
  isList: boolean;
  /** The position of its opening bracket. */
  start: number;
  /** Where the text begins that is not parsed yet. */
  from: number;
  /** Text before `from` that is not parsed yet, with tokens in the place of children that are. */
  pending: string;
  children: Map<string, Json> | undefined;
  /** Members that are parsed. Absent while the container may still become a part of its parent's piece. */
  parsed: Json[] | JsonObject | undefined;
}

function opened(isList: boolean, start: number): Container {
  return { isList, start, from: start + 1, pending: "", children: undefined, parsed: undefined };
}

export async function parseJsonInPieces(
  bytes: Buffer,
  limits: JsonLimits = definitionLimits,
  pieceBytes = defaultPieceBytes,
): Promise<Json> {
  if (bytes.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf))) refuse("it starts with a byte order mark");
  const mark = randomUUID();
  const pause = createPause();
  const count = createCount(limits);
  // A list around the whole text: its one member is treated like any other.
  const root: Container = { ...opened(true, -1), parsed: [] };
  const stack = [root];
  let top = root;
  let isText = false;
  let textStart = 0;
  let textEnd = 0;
  let nextPause = pieceBytes;

  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= nextPause) {
      nextPause = at + pieceBytes;
      const pausing = pause();
      if (pausing !== undefined) await pausing;
    }
    if (isText) {
      const end = bytes.indexOf(byte.quote, at);
      at = end < 0 ? bytes.length : end;
      if (at - textStart > maxTextBytes) refuse(`a text in it is longer than ${maxTextBytes} bytes`);
      isText = isEscaped(bytes, at, textStart);
      textEnd = at;
      continue;
    }
    switch (bytes[at]) {
      case byte.quote:
        isText = true;
        textStart = at + 1;
        break;
      case byte.colon:
        count.key(bytes.toString("latin1", textStart, Math.min(textEnd, textStart + longestName)));
        break;
      case byte.comma:
        count.value();
        if (top === root) malformed();
        if (at - top.from + top.pending.length < pieceBytes) break;
        for (const container of stack) container.parsed ??= container.isList ? [] : {};
        parsePiece(bytes, top, { end: at, depth: stack.length - 2 });
        break;
      case byte.open:
      case byte.openBrace:
        count.value();
        if (stack.length > maxJsonDepth) refuseDepth();
        top = opened(bytes[at] === byte.open, at);
        stack.push(top);
        break;
      case byte.close:
      case byte.closeBrace:
        if (top === root || top.isList !== (bytes[at] === byte.close)) malformed();
        if (top.parsed) closeParsed(bytes, stack, { end: at, token: `${mark} ${at}` });
        stack.pop();
        top = stack.at(-1) as Container;
    }
  }
  if (stack.length > 1) malformed();
  parsePiece(bytes, root, { end: bytes.length, depth: -1 });
  const [value, ...more] = root.parsed as Json[];
  return value === undefined || more.length > 0 ? malformed() : value;
}

/** Puts a token into the parent's text, in the place of a container whose members are parsed. */
function closeParsed(bytes: Buffer, stack: Container[], { end, token }: { end: number; token: string }): void {
  const [parent, container] = stack.slice(-2) as [Container, Container];
  parsePiece(bytes, container, { end, depth: stack.length - 2 });
  parent.pending += `${decode(bytes.subarray(parent.from, container.start))}"${token}"`;
  parent.from = end + 1;
  parent.children ??= new Map();
  parent.children.set(token, container.parsed as Json);
}

/** Parses the members between the last piece and `end`. There is at least one: else a comma stands where none may. */
function parsePiece(bytes: Buffer, container: Container, { end, depth }: { end: number; depth: number }): void {
  const { isList, from, pending, children, parsed } = container;
  const text = pending + decode(bytes.subarray(from, end));
  const members = parseText(isList ? `[${text}]` : `{${text}}`);
  if (depth >= 0) checkValue(members, depth);
  else for (const member of members as Json[]) checkValue(member, 0);
  if (isList) {
    if ((members as Json[]).length === 0) malformed();
    for (const member of members as Json[]) (parsed as Json[]).push(childOr(children, member));
  } else {
    const entries = Object.entries(members as JsonObject);
    if (entries.length === 0) malformed();
    for (const [name, member] of entries) (parsed as JsonObject)[name] = childOr(children, member);
  }
  container.from = end + 1;
  container.pending = "";
  container.children = undefined;
}

function childOr(children: ReadonlyMap<string, Json> | undefined, member: Json): Json {
  return (typeof member === "string" && children?.get(member)) || member;
}

function parseText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return malformed();
  }
}

function createCount(limits: JsonLimits) {
  const names = new Set<string>();
  let values = 1;
  let keys = 0;
  const most = (limit: number, what: string): never => refuse(`it holds more than ${limit} ${what}: send it in parts`);
  return {
    value(): void {
      if (++values > limits.values) most(limits.values, "values");
    },
    key(name: string): void {
      if (++keys > limits.keys) most(limits.keys, "keys");
      if (names.add(name).size > limits.names) most(limits.names, "different keys");
    },
  };
}

/** Whether the byte at `at` follows an odd number of backslashes. */
function isEscaped(bytes: Buffer, at: number, start: number): boolean {
  let from = at;
  while (from > start && bytes[from - 1] === byte.backslash) from -= 1;
  return (at - from) % 2 === 1;
}

function malformed(): never {
  fail("malformed-json");
}
