// The index entry of a document, for lists, filters and searches: its indexed properties. Never a password.

import { countWords, firstWords, foldCase } from "#base/text.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { EntryChange, IndexEntry } from "#storage/tables/object-row.ts";
import { indexedParts } from "./added-kinds.ts";
import { maxIndexedText, maxSearchedText, maxWords } from "./bounds.ts";
import type { FlatSchema } from "./types.ts";

export function indexEntry(schema: FlatSchema, document: JsonObject): IndexEntry {
  const { idx, fold } = indexValues(schema, document);
  return { idx: JSON.stringify(idx), fold: JSON.stringify(fold), ...searchWords(schema, document) };
}

/** The difference to the stored entry: only changed parts. */
export function changedEntry(schema: FlatSchema, before: JsonObject, document: JsonObject): EntryChange {
  const changed = [...schema.index, ...schema.unlisted].filter((name) => document[name] !== before[name]);
  if (changed.some((name) => schema.properties.get(name)?.kind.text)) return indexEntry(schema, document);
  const isFolded = changed.some(
    (name) => isText(document[name]) || isText(before[name]) || schema.properties.get(name)?.added,
  );
  if (changed.length === 0 && document.draft === before.draft) return {};
  const { idx, fold } = indexValues(schema, document);
  if (!isFolded && document.draft === before.draft) return { idx: JSON.stringify(idx) };
  return { idx: JSON.stringify(idx), fold: JSON.stringify(fold) };
}

/** Values for filters, in lower case. */
function isText(value: Json | undefined): boolean {
  return typeof value === "string" || Array.isArray(value);
}

function indexValues(schema: FlatSchema, document: JsonObject): { idx: JsonObject; fold: JsonObject } {
  const idx: JsonObject = {};
  // Public lists leave drafts out, whether the property is indexed or not.
  const fold: JsonObject = document.draft === true ? { draft: true } : {};
  for (const name of schema.index) {
    const property = schema.properties.get(name);
    const value = document[name];
    if (value === undefined || property?.isPassword) continue;
    idx[name] = keptValue(value);
    if (typeof value === "string") fold[name] = foldCase(value);
    else if (Array.isArray(value) && property?.kind.comparison === "list") fold[name] = foldEntries(value);
    if (property?.added) addParts(idx, fold, indexedParts(property.added, name, value));
  }
  for (const name of schema.unlisted) {
    const value = document[name];
    if (value === undefined) continue;
    idx[name] = value;
    if (typeof value === "string") fold[name] = foldCase(value);
  }
  return { idx, fold };
}

/** Parts of a JSON value; longer texts than an indexed property may have are left out. */
function addParts(idx: JsonObject, fold: JsonObject, parts: ReturnType<typeof indexedParts>): void {
  for (const [name, part, comparison] of parts) {
    if (typeof part === "string" && part.length > maxIndexedText) continue;
    idx[name] = keptValue(part);
    if (typeof part === "string") fold[name] = foldCase(part);
    else if (comparison === "list") fold[name] = foldEntries(part as Json[]);
  }
}

function searchWords(schema: FlatSchema, document: JsonObject): Pick<IndexEntry, "title" | "body"> {
  let title = "";
  let body = "";
  for (const name of schema.index) {
    const property = schema.properties.get(name);
    const value = document[name];
    if (value === undefined || property?.isPassword) continue;
    const text = title.length + body.length < maxSearchedText && property?.kind.text?.(value, property.item);
    if (!text) continue;
    if (name === "title" || name === "name") title += `${text} `;
    else body += `${text} `;
  }
  const titleWords = firstWords(title, maxWords);
  return { title: titleWords, body: firstWords(body, maxWords - countWords(titleWords)) };
}

/**
 * Binary JSON may lose the order of the keys of an object. A value in which that matters is stored as text, below a key
 * without a name.
 */
function keptValue(value: Json): Json {
  return hasOrder(value) ? { "": JSON.stringify(value) } : value;
}

/** The inverse of `keptValue`. */
export function shownValue(kept: Json): Json {
  return isJsonObject(kept) && typeof kept[""] === "string" ? JSON.parse(kept[""]) : kept;
}

function hasOrder(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasOrder);
  const keys = Object.keys(value);
  return keys.length > 1 || keys.some((key) => key === "" || hasOrder(value[key] as Json));
}

function foldEntries(entries: Json[]): string[] {
  return entries.filter((entry) => typeof entry !== "object").map((entry) => foldCase(String(entry)));
}
