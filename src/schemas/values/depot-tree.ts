// The tree of a depot: folders `{name, mime: "folder", files}` and files, distinguished by name within their folder.
// Pure; what is on the way to a change is copied.

import { fail } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { isFolder, listOf } from "./file-values.ts";
import { withoutFormerPlace } from "./former-places.ts";

export function entriesAt(depot: Json | undefined, path: readonly string[]): Json[] {
  let entries = isJsonObject(depot) ? listOf(depot.files) : [];
  for (const name of path) {
    const folder = entries.find((entry) => isFolder(entry) && entry.name === name);
    entries = isJsonObject(folder) ? listOf(folder.files) : [];
  }
  return entries;
}

export function findInDepot(depot: Json | undefined, path: readonly string[]): JsonObject | undefined {
  const name = path.at(-1);
  const entry = entriesAt(depot, path.slice(0, -1)).find((found) => isJsonObject(found) && found.name === name);
  return isJsonObject(entry) ? entry : undefined;
}

/** With the list of one folder changed. Folders on the way that are missing are made, or are a not-found. */
export function withEntries(
  depot: JsonObject,
  path: readonly string[],
  change: (entries: Json[]) => Json[],
  { isMaking = false } = {},
): JsonObject {
  const entries = listOf(depot.files);
  const [name, ...rest] = path;
  if (name === undefined) return { ...depot, files: change(entries) };
  const at = entries.findIndex((entry) => isJsonObject(entry) && entry.name === name);
  const found = entries[at];
  if (found === undefined && isMaking) {
    return { ...depot, files: [...entries, withEntries(newFolder(name), rest, change, { isMaking })] };
  }
  if (!isFolder(found)) {
    return found === undefined
      ? fail("not-found", `There is no folder "${name}".`)
      : fail("exists", `"${name}" is a file, not a folder.`);
  }
  return { ...depot, files: entries.with(at, withEntries(found, rest, change, { isMaking })) };
}

export function removeEntry(depot: Json | undefined, path: readonly string[]): JsonObject {
  if (!isJsonObject(depot) || !findInDepot(depot, path)) return noPath(path);
  return withEntries(depot, path.slice(0, -1), (entries) =>
    entries.filter((entry) => !isJsonObject(entry) || entry.name !== path.at(-1)),
  );
}

export interface FileBelow {
  file: JsonObject;
  /** From the entry to it, with a slash before each name; empty: the entry is the file. */
  path: string;
}

export function filesBelow(entry: JsonObject, path = ""): FileBelow[] {
  if (!isFolder(entry)) return [{ file: entry, path }];
  return listOf(entry.files)
    .filter(isJsonObject)
    .flatMap((below) => filesBelow(below, `${path}/${below.name}`));
}

/** Where all that is in it lies under its own name. */
export function withOwnPlaces(entry: JsonObject): JsonObject {
  if (!isFolder(entry)) return withoutFormerPlace(entry);
  return { ...entry, files: listOf(entry.files).map((below) => (isJsonObject(below) ? withOwnPlaces(below) : below)) };
}

/** The paths of an entry and of all that is in it, folders too, relative to it. */
export function pathsBelow(entry: JsonObject, path: readonly string[] = []): (readonly string[])[] {
  const inside = isFolder(entry) ? listOf(entry.files).filter(isJsonObject) : [];
  return [path, ...inside.flatMap((below) => pathsBelow(below, [...path, String(below.name)]))];
}

function newFolder(name: string): JsonObject {
  return { name, mime: "folder", files: [] };
}

export function noPath(path: readonly string[]): never {
  fail("not-found", `There is no file or folder "${path.join("/")}".`);
}
