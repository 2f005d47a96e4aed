// The rules of a field for its files (`settings.rules`), checked before anything is sent, and told in words. The server
// checks them again, by the bytes. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import type { depot } from "#words/en/depot.ts";

type Words = typeof depot;

export interface FileRules {
  /** In bytes. */
  min: number | undefined;
  max: number | undefined;
  /** `image/png`, `image/*`, `.pdf`: one must fit. */
  types: readonly string[];
  /** `report-*.pdf`: one must fit. */
  names: readonly string[];
  /** Most files of a depot. */
  count: number | undefined;
}

export function readRules({ rules }: JsonObject): FileRules {
  const given = isJsonObject(rules) ? rules : {};
  const size = isJsonObject(given.size) ? given.size : {};
  const count = isJsonObject(given.count) ? given.count : {};
  return {
    min: bytesOf(size.min),
    max: bytesOf(size.max),
    types: textsOf(given.filetype),
    names: textsOf(given.filename),
    count: typeof count.max === "number" ? count.max : undefined,
  };
}

/** For the drop zone: "PDF, at most 2 MB". */
export function rulesText({ min, max, types, names, count }: FileRules, { rules }: Words): string {
  return [
    types.length > 0 ? rules.types(types) : rules.anyFile,
    ...(names.length > 0 ? [rules.named(names)] : []),
    ...(min === undefined ? [] : [rules.atLeast(min)]),
    ...(max === undefined ? [] : [rules.atMost(max)]),
    ...(count === undefined ? [] : [rules.count(count)]),
  ].join(", ");
}

/** What is wrong with a file, in words. */
export function checkFile(
  { min, max, types, names }: FileRules,
  { name, type, size }: Pick<File, "name" | "type" | "size">,
  words: Words,
): string | undefined {
  if (max !== undefined && size > max) return words.tooLarge(max);
  if (min !== undefined && size < min) return words.tooSmall(min);
  if (types.length > 0 && !types.some((wanted) => isType(wanted, type, name))) return words.wrongType(types);
  if (names.length > 0 && !names.some((wanted) => isLike(wanted, name))) return words.wrongName(names);
  return undefined;
}

/** For the file chooser: the types alone. */
export function acceptOf({ types }: FileRules): string | undefined {
  return types.length > 0 ? types.join(",") : undefined;
}

/** A browser that does not know the type leaves it to the server. */
function isType(wanted: string, type: string, name: string): boolean {
  const text = wanted.toLowerCase();
  if (text.startsWith(".")) return name.toLowerCase().endsWith(text);
  return type === "" || (text.endsWith("/*") ? type.startsWith(text.slice(0, -1)) : type === text);
}

function isLike(wanted: string, name: string): boolean {
  const parts = wanted
    .toLowerCase()
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(name.toLowerCase());
}

function bytesOf(kilobytes: Json | undefined): number | undefined {
  return typeof kilobytes === "number" ? kilobytes * 1024 : undefined;
}

function textsOf(value: Json | undefined): string[] {
  return [value].flat().filter((text): text is string => typeof text === "string" && text !== "");
}
