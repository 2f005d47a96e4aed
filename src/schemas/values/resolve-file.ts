// Where the files of an object are: from a path below the object to the value that describes a file.
// Looks at values alone: what no value names is no file, whatever lies on the disk.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { storedName } from "./file-values.ts";

/** A property that holds files: of the object itself, of a card, or of a deck's item. */
export interface FilePlace {
  property: Property;
  value: Json | undefined;
  /** From the object's own property to this one: `file`, `card/file`, `deck/item/file`. */
  path: string[];
  /** What the path has beyond the property: names of folders and files. */
  rest: string[];
}

export interface FileEntry {
  value: JsonObject & { name: string };
  /** The path of the file below its object, as its address has it. */
  path: string[];
  /** The same in the store. */
  stored: string[];
  /** The values around it that may lock it, nearest first: the file's own, its folders', the depot's. */
  locks: { value: JsonObject; path: string[] }[];
}

const fileTypes = new Set(["image", "file", "gallery", "depot"]);

export function holdsFiles({ kind }: Property): boolean {
  return fileTypes.has(kind.type);
}

/** Its own, or those of the properties inside it. */
export function hasFiles(property: Property): boolean {
  return holdsFiles(property) || property.kind.type === "card" || property.kind.type === "deck";
}

/** Undefined when the path leads to no property that holds files. */
export function findPlace(
  schema: FlatSchema,
  document: JsonObject,
  path: readonly string[],
  above: readonly string[] = [],
): FilePlace | undefined {
  const [name = "", ...rest] = path;
  const property = schema.properties.get(name);
  if (!property) return undefined;
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  const here = [...above, name];
  if (holdsFiles(property)) return { property, value, path: here, rest };
  if (!property.item) return undefined;
  if (property.kind.type === "card" && isJsonObject(value)) return findPlace(property.item, value, rest, here);
  if (property.kind.type !== "deck" || !Array.isArray(value)) return undefined;
  const [itemId = "", ...below] = rest;
  const item = value.find((candidate) => isJsonObject(candidate) && candidate.id === itemId);
  return isJsonObject(item) ? findPlace(property.item, item, below, [...here, itemId]) : undefined;
}

/** Every place of a document that may hold files, those of cards and deck items too. */
export function* placesIn(
  schema: FlatSchema,
  document: JsonObject,
  above: readonly string[] = [],
): Iterable<Omit<FilePlace, "rest">> {
  for (const property of schema.properties.values()) {
    const { name, kind, item } = property;
    const value = Object.hasOwn(document, name) ? document[name] : undefined;
    const path = [...above, name];
    if (holdsFiles(property)) yield { property, value, path };
    else if (item && kind.type === "card" && isJsonObject(value)) yield* placesIn(item, value, path);
    else if (item && kind.type === "deck" && Array.isArray(value)) {
      for (const each of value) if (isJsonObject(each)) yield* placesIn(item, each, [...path, String(each.id)]);
    }
  }
}

/** The values of a place that may lock files: each file's own, those of folders, that of the depot. */
export function listLocks(place: Omit<FilePlace, "rest">): FileEntry["locks"] {
  const { property, value, path } = place;
  if (property.kind.type !== "depot") return listEntries(place).flatMap(({ locks }) => locks);
  return isJsonObject(value) ? locksBelow(value, path) : [];
}

function locksBelow(folder: JsonObject, path: string[]): FileEntry["locks"] {
  return [
    { value: folder, path },
    ...filesIn(folder.files).map((value) => ({ value, path: [...path, value.name] })),
    ...foldersIn(folder.files).flatMap((below) => locksBelow(below, [...path, below.name])),
  ];
}

/** The file that the place's rest names; one that stands alone needs no name. */
export function findEntry({ property, value, path, rest }: FilePlace): FileEntry | undefined {
  switch (property.kind.type) {
    case "image":
    case "file":
      if (!isFile(value) || (rest.length > 0 && rest.join("/") !== value.name)) return undefined;
      return { value, path: [...path, value.name], stored: [...path, storedName(value)], locks: [{ value, path }] };
    case "gallery":
      return rest.length === 1 ? findNamed(value, path, rest[0] as string) : undefined;
    default:
      return isJsonObject(value) ? findInFolder(value, path, rest) : undefined;
  }
}

/** The file that lies in the store under the place's path and rest. */
export function findStoredEntry({ rest, ...place }: FilePlace): FileEntry | undefined {
  const { type } = place.property.kind;
  if (type !== "image" && type !== "file") return findEntry({ ...place, rest });
  const entry = findEntry({ ...place, rest: [] });
  return entry?.stored.at(-1) === rest.join("/") ? entry : undefined;
}

/** All files of a place, in their order; those of a depot with all its folders. */
export function listEntries(place: Omit<FilePlace, "rest">): FileEntry[] {
  const { property, value, path } = place;
  if (property.kind.type === "gallery") return filesIn(value).map((file) => entryOf(file, path));
  if (property.kind.type === "depot") return isJsonObject(value) ? entriesBelow(value, path) : [];
  const entry = findEntry({ ...place, rest: [] });
  return entry ? [entry] : [];
}

function entriesBelow(folder: JsonObject, path: string[]): FileEntry[] {
  const lock = { value: folder, path };
  return (Array.isArray(folder.files) ? folder.files.filter(isNamed) : [])
    .flatMap((entry) => (entry.mime === "folder" ? entriesBelow(entry, [...path, entry.name]) : [entryOf(entry, path)]))
    .map((entry) => ({ ...entry, locks: [...entry.locks, lock] }));
}

function findInFolder(folder: JsonObject, path: string[], rest: readonly string[]): FileEntry | undefined {
  const [name = "", ...below] = rest;
  const inner = below.length > 0 ? foldersIn(folder.files).find((entry) => entry.name === name) : undefined;
  const found =
    below.length > 0 ? inner && findInFolder(inner, [...path, name], below) : findNamed(folder.files, path, name);
  return found && { ...found, locks: [...found.locks, { value: folder, path }] };
}

function findNamed(files: Json | undefined, path: string[], name: string): FileEntry | undefined {
  const file = filesIn(files).find((candidate) => candidate.name === name);
  return file && entryOf(file, path);
}

function entryOf(value: FileEntry["value"], path: string[]): FileEntry {
  const own = [...path, value.name];
  return { value, path: own, stored: own, locks: [{ value, path: own }] };
}

function filesIn(files: Json | undefined): FileEntry["value"][] {
  return Array.isArray(files) ? files.filter(isFile) : [];
}

function foldersIn(files: Json | undefined): (JsonObject & { name: string })[] {
  return Array.isArray(files) ? (files.filter((entry) => isNamed(entry) && entry.mime === "folder") as never) : [];
}

function isFile(value: Json | undefined): value is FileEntry["value"] {
  return isNamed(value) && value.mime !== "folder";
}

function isNamed(value: Json | undefined): value is JsonObject & { name: string } {
  return isJsonObject(value) && typeof value.name === "string" && value.name !== "";
}
