// Reads the plain parameters of a request: text, whole numbers, paging. Unknown names are ignored.
// Nothing here knows a schema.

import { fail } from "#base/errors.ts";

/** The parsed query string: text, lists where a name was repeated, objects where it had brackets. */
export type Params = Readonly<Record<string, unknown>>;

export function refuse(parameter: string, message: string): never {
  fail("invalid", message, { [parameter]: [message] });
}

/** A name that the caller sent, cut short for a message. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}...` : name);
}

/** Empty counts as absent. */
export function findText(params: Params, name: string): string | undefined {
  const value = params[name];
  if (value === undefined || value === "") return undefined;
  return checkText(name, value);
}

/** One text that every database can store: not all accept the NUL character. */
export function checkText(name: string, value: unknown): string {
  if (typeof value !== "string") refuse(name, `${name} may be given only once, as plain text.`);
  if (value.includes("\0") || !value.isWellFormed()) refuse(name, `${name} contains characters that are not text.`);
  return value;
}

export interface Paging {
  limit: number;
  offset: number;
  cursor: string | undefined;
}

export function readPaging(params: Params, limits: { default: number; max: number }): Paging {
  const limit = Math.min(readWhole(params, "limit", { least: 1, fallback: limits.default }), limits.max);
  const offset = readWhole(params, "offset", { least: 0, fallback: 0 });
  const cursor = findText(params, "cursor");
  if (cursor !== undefined && params.offset !== undefined) refuse("cursor", "cursor and offset exclude each other.");
  return { limit, offset, cursor };
}

export function readWhole(
  params: Params,
  name: string,
  { least, most, fallback }: { least: number; most?: number; fallback: number },
): number {
  const value = params[name];
  if (value === undefined) return fallback;
  const number = /^\d{1,15}$/.test(checkText(name, value)) ? Number(value) : Number.NaN;
  if (!(number >= least)) refuse(name, `${name} must be a whole number of at least ${least}.`);
  if (most !== undefined && number > most) refuse(name, `${name} must be at most ${most}.`);
  return number;
}

export function readChoice<T extends string>(params: Params, name: string, choices: readonly T[], fallback: T): T {
  const text = findText(params, name);
  if (text === undefined) return fallback;
  const choice = choices.find((candidate) => candidate === text);
  return choice ?? refuse(name, `${name} must be one of: ${choices.join(", ")}.`);
}
