// Files of renamed properties. The row of an object says where each of its files lies: a value that is still stored under a former
// name has its file under that name, and takes this along when it goes to the present one. So no file has to move for the
// rename itself, and a file is reached at every moment. Pure.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { PropertyType } from "#contract/schemas.ts";
import { findFormer } from "#schemas/former-names.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { filesIn, formerPlace, imageUrl, isFolder, listOf, storedName } from "./file-values.ts";
import { mapShapes } from "./walk.ts";

/** A document as it is stored, in which every file that lies under a former name says where. Names are not changed. */
export function withFormerPlaces(schema: FlatSchema, stored: JsonObject): JsonObject {
  return schema.movesFiles ? withPlaces(schema, stored, { path: [], isFormer: false }) : stored;
}

interface At {
  path: string[];
  /** A name on the path is a former one. */
  isFormer: boolean;
}

function withPlaces(schema: FlatSchema, values: JsonObject, { path, isFormer }: At): JsonObject {
  const placed = Object.entries(values).map(([name, value]): [string, Json] => {
    const property = schema.properties.get(name) ?? findFormer(schema, name);
    if (!property) return [name, value];
    const at = { path: [...path, name], isFormer: isFormer || name !== property.name };
    const { kind, item } = property;
    if (kind.isUploaded) return [name, at.isFormer ? placeFiles(kind.type, value, at.path) : value];
    if (!item?.holdsFiles) return [name, value];
    const below = (id: string | undefined) => (kind.type === "deck" ? { ...at, path: [...at.path, String(id)] } : at);
    return [name, mapShapes(property, value, (shape) => withPlaces(item, shape.value, below(shape.id)))];
  });
  return Object.fromEntries(placed);
}

function placeFiles(type: PropertyType, value: Json, folder: string[]): Json {
  if (type === "gallery") return listOf(value).map((item) => placeFile(item, folder));
  if (type === "depot") return placeFolder(value, folder);
  return isJsonObject(value) ? placeFile(value, folder, storedName(value)) : value;
}

function placeFolder(value: Json, folder: string[]): Json {
  if (!isJsonObject(value)) return value;
  const files = listOf(value.files).map((entry) =>
    isFolder(entry) ? placeFolder(entry, [...folder, String(entry.name)]) : placeFile(entry, folder),
  );
  return { ...value, files };
}

function placeFile(item: Json, folder: string[], name = isJsonObject(item) ? item.name : undefined): Json {
  const isFile = isJsonObject(item) && typeof item.name === "string" && item.name !== "";
  return isFile && !formerPlace(item) ? { ...item, storedAs: [...folder, String(name)].join("/") } : item;
}

/** The same file, which lies under the present name of its property. */
export function withoutFormerPlace(item: JsonObject): JsonObject {
  if (!formerPlace(item)) return item;
  const { storedAs: _, ...others } = item;
  return others;
}

/** In place: every file is to lie under the present name of its property. */
export function forgetFormerPlaces(schema: FlatSchema, document: JsonObject): void {
  for (const { item } of filesIn(schema, document).values()) if (formerPlace(item)) delete item.storedAs;
}

/** In place: images of renamed properties get the address of the present name. */
export function renewAddresses(schema: FlatSchema, document: JsonObject): void {
  if (!schema.movesFiles) return;
  for (const found of filesIn(schema, document).values()) {
    const { url } = found.item;
    const [, collection, id] = (typeof url === "string" && /^\/imageworks\/([^/?]+)\/([^/?]+)\//.exec(url)) || [];
    if (collection === undefined || id === undefined) continue;
    found.item.url = imageUrl({ collection: decoded(collection), id: decoded(id) }, found.own, found);
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
