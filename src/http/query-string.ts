// Query strings: `a=1`, `a=1&a=2` (a list), `fields[]=a`, `filter[p]=v`, `filter[p][op]=v`, `filter[or][0][p]=v`.
// Objects inherit nothing. The router cannot handle an exception from here, so an invalid text becomes a BadQuery,
// which the first hook turns into a 400.

import { createLru } from "#base/caches/lru.ts";
import { CairnError } from "#base/errors.ts";
import { deepFreeze } from "#base/freeze.ts";

export type Query = Record<string, unknown>;

const maxLength = 16_384;
const maxPairs = 200;
const maxDepth = 3;
/** Groups of filters are nested (content/query/filter-groups.ts). */
const maxFilterDepth = 12;
const refusedNames = new Set(["__proto__", "constructor", "prototype"]);

export class BadQuery {
  readonly error: CairnError;
  constructor(message: string) {
    this.error = new CairnError("invalid", message);
  }
}

/** Inherits nothing. An object from a constructor is fast; one from Object.create(null) is not. */
class Bare {
  [name: string]: unknown;
}
Reflect.deleteProperty(Bare.prototype, "constructor");
Object.setPrototypeOf(Bare.prototype, null);

export const noQuery: Query = Object.freeze(new Bare());
/** In characters. */
const known = createLru<Query>(200_000);
const secret = /api_key|access_token|pwd/;

/** Addresses are repeated: one frozen object for each text. */
export function parseAddressQuery(text: string): Query {
  if (text === "") return noQuery;
  const before = known.get(text);
  if (before) return before;
  const query = parseQuery(text);
  if (!(query instanceof BadQuery) && !secret.test(text)) known.set(text, deepFreeze(query), text.length);
  return query;
}

export function parseQuery(text: string): Query {
  try {
    return read(text);
  } catch (error) {
    return (error instanceof BadQuery ? error : new BadQuery("The query string is not valid.")) as unknown as Query;
  }
}

function read(text: string): Query {
  if (text.length > maxLength) throw new BadQuery("The query string is too long.");
  const query = new Bare();
  const pairs = text.split("&");
  if (pairs.length > maxPairs) throw new BadQuery("The query string has too many parameters.");
  for (const pair of pairs) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1));
    // Most names are plain and new.
    if (!name.includes("[") && query[name] === undefined && !refusedNames.has(name)) query[name] = value;
    else put(query, splitName(name), value);
  }
  return query;
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    if (!decoded.includes("\0")) return decoded;
  } catch {
    // Falls through to the error below.
  }
  throw new BadQuery("The query string is not properly encoded.");
}

/** `filter[p][op]` -> filter, p, op. A name that is not of this form stays whole. */
function splitName(name: string): string[] {
  const open = name.indexOf("[");
  if (open <= 0 || !name.endsWith("]")) return [name];
  const parts = [name.slice(0, open), ...name.slice(open + 1, -1).split("][")];
  const most = parts[0] === "filter" ? maxFilterDepth : maxDepth;
  if (parts.length > most) throw new BadQuery("A parameter name is nested too deeply.");
  return parts;
}

function put(query: Query, path: string[], value: string): void {
  for (const part of path)
    if (refusedNames.has(part)) throw new BadQuery(`The parameter name "${part}" is not allowed.`);
  let target = query;
  const isList = path.length > 1 && path.at(-1) === "";
  const names = isList ? path.slice(0, -1) : path;
  for (const part of names.slice(0, -1)) {
    const next = target[part] ?? new Bare();
    target[part] = next;
    if (!isNested(next)) throw new BadQuery(`The parameter "${names[0]}" is given in two forms.`);
    target = next;
  }
  const last = names.at(-1) as string;
  const before = target[last];
  if (isNested(before)) throw new BadQuery(`The parameter "${names[0]}" is given in two forms.`);
  if (before === undefined) target[last] = isList ? [value] : value;
  else if (Array.isArray(before)) before.push(value);
  else target[last] = [before, value];
}

function isNested(value: unknown): value is Query {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same parameters as text again, with some replaced; undefined leaves one out. */
export function writeQuery(query: Query, changes: Record<string, string | undefined>): string {
  const pairs: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) add(name.endsWith("]") ? `${name}[]` : name, item);
    else if (isNested(value)) for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner);
    else if (value !== undefined) pairs.push(`${encodeName(name)}=${encodeURIComponent(String(value))}`);
  };
  for (const [name, value] of Object.entries(query)) if (!Object.hasOwn(changes, name)) add(name, value);
  for (const [name, value] of Object.entries(changes)) add(name, value);
  return pairs.join("&");
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll("%5B", "[").replaceAll("%5D", "]");
}
