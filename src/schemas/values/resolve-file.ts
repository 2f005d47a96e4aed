// Where the files of an object are: from a path below the object to the property that takes files, and to the value that
// describes a file. Looks at values alone: a file that no value names is not there, whatever is in the store.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { formerPlace, isFolder, storedName, valueAt } from "./file-values.ts";
import { eachShape, followPath } from "./walk.ts";

/** The address of a file, a folder or a property with files. */
export interface FileRef {
  collection: string;
  id: string;
  /** Below the object: the property, then children of cards and decks, folders and the name, as far as there are any. */
  path: readonly string[];
}

/** A property that holds files, as a path leads to it: of the object itself, of a card, or of a deck's item. */
export interface FilePlace {
  property: Property;
  /** From the object to the property: `file`, `card/file`, `deck/item/file`. */
  path: string[];
  /** The paths of the deck items on the way: the property is there only while they are. */
  items: string[][];
  /** What the path has behind the property: folders and names. */
  rest: string[];
}

/** The same in a document. */
export interface FilledPlace extends FilePlace {
  value: Json | undefined;
}

/** A file that a value describes, or one that an editor has uploaded. */
export interface FileEntry {
  property: Property;
  value: JsonObject & { name: string };
  /** The path of the file below its object, as its address has it. */
  path: string[];
  /** The same in the store. */
  stored: string[];
  /** The values around it that may lock it, nearest first: the file's own, its folders', the depot's. */
  locks: { value: JsonObject; path: string[] }[];
  /** Of an upload of the editor, which no value describes. */
  uploadMime?: string;
}

export function holdsFiles({ kind }: Property): boolean {
  return kind.isUploaded === true;
}

/** Its own, or those of the properties inside it. */
export function hasFiles(property: Property): boolean {
  return holdsFiles(property) || property.kind.type === "card" || property.kind.type === "deck";
}

/** Whether a property holds one file at most. */
export function isSingle({ kind }: Property): boolean {
  return kind.type === "image" || kind.type === "file";
}

/** By the schema alone. Undefined when the path leads to no property that holds files. */
export function findPlace(schema: FlatSchema, path: readonly string[]): FilePlace | undefined {
  const { property, ...followed } = followPath(schema, path);
  return property && holdsFiles(property) ? { property, ...followed } : undefined;
}

/** Undefined also when the document lacks the card or the deck item on the way. */
export function resolvePlace(
  schema: FlatSchema,
  document: JsonObject,
  path: readonly string[],
): FilledPlace | undefined {
  const place = findPlace(schema, path);
  const around = place && valueAt(document, place.path.slice(0, -1));
  return place && isJsonObject(around) ? { ...place, value: valueAt(around, place.path.slice(-1)) } : undefined;
}

/** Undefined when no value describes a file at this path. A file that stands alone needs no name. */
export function resolveFile(schema: FlatSchema, document: JsonObject, path: readonly string[]): FileEntry | undefined {
  const place = resolvePlace(schema, document, path);
  return place && findEntry(place);
}

/** Every place of a document that may hold files, those of cards and deck items too. */
export function listPlaces(schema: FlatSchema, document: JsonObject): FilledPlace[] {
  const places: FilledPlace[] = [];
  eachShape(schema, document, ({ properties }, shape, above) => {
    for (const property of properties.values()) {
      if (!holdsFiles(property)) continue;
      const { name } = property;
      const value = Object.hasOwn(shape, name) ? shape[name] : undefined;
      places.push({ property, value, path: [...above, name], items: [], rest: [] });
    }
  });
  return places;
}

/** The values of a place that may lock files: each file's own, those of folders, that of the depot. */
export function listLocks(place: FilledPlace): FileEntry["locks"] {
  const { property, value, path } = place;
  if (property.kind.type !== "depot") return listEntries(place).flatMap(({ locks }) => locks);
  return isJsonObject(value) ? locksBelow(value, path) : [];
}

function locksBelow(folder: JsonObject, path: string[]): FileEntry["locks"] {
  return [
    { value: folder, path },
    ...namedIn(folder.files).flatMap((entry) => {
      const own = [...path, entry.name];
      return isFolder(entry) ? locksBelow(entry, own) : [{ value: entry, path: own }];
    }),
  ];
}

/** The file that the place's rest names; one that stands alone needs no name. */
export function findEntry({ property, value, path, rest }: FilledPlace): FileEntry | undefined {
  if (isSingle(property)) {
    if (!isFile(value) || (rest.length > 0 && rest.join("/") !== value.name)) return undefined;
    const stored = formerPlace(value) ?? [...path, storedName(value)];
    return { property, value, path: [...path, value.name], stored, locks: [{ value, path }] };
  }
  if (property.kind.type === "gallery") {
    return rest.length === 1 ? findNamed(property, value, path, rest[0] as string) : undefined;
  }
  return isJsonObject(value) ? findInFolder(property, value, path, rest) : undefined;
}

/** All files of a place, in their order; those of a depot with all its folders. */
export function listEntries(place: FilledPlace): FileEntry[] {
  const { property, value, path } = place;
  if (property.kind.type === "gallery") return filesIn(value).map((file) => entryOf(property, file, path));
  if (property.kind.type === "depot") return isJsonObject(value) ? entriesBelow(property, value, path) : [];
  const entry = findEntry({ ...place, rest: [] });
  return entry ? [entry] : [];
}

function entriesBelow(property: Property, folder: JsonObject, path: string[]): FileEntry[] {
  const lock = { value: folder, path };
  return namedIn(folder.files)
    .flatMap((entry) =>
      isFolder(entry) ? entriesBelow(property, entry, [...path, entry.name]) : [entryOf(property, entry, path)],
    )
    .map((entry) => ({ ...entry, locks: [...entry.locks, lock] }));
}

function findInFolder(
  property: Property,
  folder: JsonObject,
  path: string[],
  [name = "", ...below]: readonly string[],
): FileEntry | undefined {
  const inner = below.length > 0 ? namedIn(folder.files).find((entry) => isFolder(entry) && entry.name === name) : null;
  const found =
    inner === null
      ? findNamed(property, folder.files, path, name)
      : inner && findInFolder(property, inner, [...path, name], below);
  return found && { ...found, locks: [...found.locks, { value: folder, path }] };
}

function findNamed(property: Property, files: Json | undefined, path: string[], name: string): FileEntry | undefined {
  const file = filesIn(files).find((candidate) => candidate.name === name);
  return file && entryOf(property, file, path);
}

function entryOf(property: Property, value: FileEntry["value"], path: string[]): FileEntry {
  const own = [...path, value.name];
  return { property, value, path: own, stored: formerPlace(value) ?? own, locks: [{ value, path: own }] };
}

function filesIn(files: Json | undefined): FileEntry["value"][] {
  return Array.isArray(files) ? files.filter(isFile) : [];
}

/** Files and folders. */
function namedIn(files: Json | undefined): (JsonObject & { name: string })[] {
  return Array.isArray(files) ? files.filter(isNamed) : [];
}

function isFile(value: Json | undefined): value is FileEntry["value"] {
  return isNamed(value) && !isFolder(value);
}

function isNamed(value: Json | undefined): value is JsonObject & { name: string } {
  return isJsonObject(value) && typeof value.name === "string" && value.name !== "";
}
