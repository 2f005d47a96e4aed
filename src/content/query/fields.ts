// `fields=title,cover.url`: which properties an answer shows, and `urls`: that files carry their addresses.
// Whole properties are cut out by the database; what is below them, and addresses, need the value itself.

import { siteAddress } from "#content/site-address.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { addressFiles } from "#schemas/values/file-values.ts";
import { findText, type Params, readChoice, refuse, shown } from "./parameters.ts";

const maxFields = 100;
const maxLength = 4_000;
/** Values with names of their own below them: those of files may be any, for metadata of callers is kept. */
const opened = new Set(["image", "file", "gallery", "depot", "json", "object", "localizedtext", "address", "array"]);
const times = new Set(["created", "modified"]);

/** A name -> what is shown of its value; undefined: all of it. */
export type FieldTree = Map<string, FieldTree | undefined>;

export interface Fields {
  /** Undefined: all properties. */
  tree: FieldTree | undefined;
  /** As they were written, the id first. */
  paths: string[];
  /** The beginning of addresses of files; undefined: files are as they are stored. */
  base: string | undefined;
}

/** Undefined: nothing is asked, objects are as they are stored. */
export function findFields(ctx: Context, params: Params, schema: FlatSchema): Fields | undefined {
  if (params.fields === undefined && params.urls === undefined) return undefined;
  const names = readNames(params);
  const urls = readChoice(params, "urls", ["", "path", "absolute"], "");
  const tree: FieldTree = new Map([["id", undefined]]);
  for (const name of names) addPath(tree, schema, name);
  const asksUrl = names.some((name) => name.endsWith(".url"));
  const base = urls === "absolute" ? siteAddress(ctx) : urls === "path" || asksUrl ? "" : undefined;
  if (names.length === 0 && base === undefined) return undefined;
  return { tree: names.length === 0 ? undefined : tree, paths: ["id", ...names.filter((name) => name !== "id")], base };
}

/** For a query: it shows these properties where none were chosen. */
export function withColumns(chosen: Fields, columns: readonly string[]): Fields {
  return chosen.tree ? chosen : { ...chosen, tree: new Map(columns.map((name) => [name, undefined])) };
}

/** One value for each path; of lists, the values of all elements. */
export function flatten(entry: JsonObject, paths: readonly string[]): JsonObject {
  const found = paths.flatMap((path) => {
    const value = valueAt(entry, path.split("."));
    return value === undefined ? [] : [[path, value] as const];
  });
  return Object.fromEntries(found);
}

function valueAt(value: Json | undefined, [name, ...rest]: string[]): Json | undefined {
  if (name === undefined || value === undefined) return value;
  if (Array.isArray(value)) return value.map((each) => valueAt(each, [name, ...rest]) ?? null);
  return isJsonObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : undefined;
}

/** The properties that are read at all; undefined: all. */
export function readProperties({ tree }: Fields): string[] | undefined {
  return tree && [...tree.keys()];
}

/** Whole properties alone are wanted: the database has done all that is to be done. */
export function isPlain({ tree, base }: Fields): boolean {
  return base === undefined && tree !== undefined && [...tree.values()].every((below) => below === undefined);
}

interface Owner {
  collection: string;
  schema: FlatSchema;
}

export function chooseFields({ tree, base }: Fields, document: JsonObject, { collection, schema }: Owner): JsonObject {
  if (base !== undefined) addressFiles(schema, document, { collection, id: String(document.id), base });
  return tree ? (pick(tree, document) as JsonObject) : document;
}

function readNames(params: Params): string[] {
  const text = findText(params, "fields") ?? "";
  if (text.length > maxLength) refuse("fields", `fields may have at most ${maxLength} characters.`);
  const names = text.split(",").map((name) => name.trim());
  const asked = [...new Set(names.filter((name) => name !== ""))];
  return asked.length > maxFields ? refuse("fields", `fields takes at most ${maxFields} names.`) : asked;
}

function addPath(tree: FieldTree, schema: FlatSchema, path: string): void {
  const names = path.split(".");
  checkPath(schema, path, names);
  let at = tree;
  for (const [index, name] of names.entries()) {
    const isKnown = at.has(name);
    const below = at.get(name);
    // The whole of it is wanted already.
    if (isKnown && below === undefined) return;
    if (index === names.length - 1) at.set(name, undefined);
    else {
      const next: FieldTree = below ?? new Map();
      at.set(name, next);
      at = next;
    }
  }
}

function checkPath(schema: FlatSchema, path: string, [first = "", ...rest]: string[]): void {
  const property = schema.properties.get(first);
  if (property?.isPassword || !(property || first === "id" || times.has(first))) unknown(path);
  if (rest.length === 0) return;
  const { item } = property ?? {};
  if (item) checkPath(item, path, rest);
  else if (!property || !isOpened(property) || rest.includes("")) unknown(path);
}

function isOpened({ kind }: Property): boolean {
  return kind.comparison === undefined || opened.has(kind.type);
}

function unknown(path: string): never {
  refuse("fields", `There is no property ${shown(path)} in this collection.`);
}

function pick(tree: FieldTree, value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => pick(tree, each));
  if (!isJsonObject(value)) return value;
  const picked: JsonObject = {};
  for (const [name, below] of tree) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (found !== undefined) picked[name] = below ? pick(below, found) : found;
  }
  return picked;
}
