// What lists, filters and searches see of a document: its indexed properties. Never a password.

import { countWords, firstWords, foldCase } from "#base/text.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { IndexEntry } from "#storage/objects.ts";
import { maxSearchedText, maxWords } from "./bounds.ts";
import type { FlatSchema } from "./schema-types.ts";

export function indexEntry(schema: FlatSchema, document: JsonObject): IndexEntry {
  const idx: JsonObject = {};
  // Lists for the public leave drafts out, whether the property is indexed or not.
  const fold: JsonObject = document.draft === true ? { draft: true } : {};
  let title = "";
  let body = "";
  for (const name of schema.index) {
    const property = schema.properties.get(name);
    const value = document[name];
    if (value === undefined || property?.isPassword) continue;
    idx[name] = keptValue(value);
    if (typeof value === "string") fold[name] = foldCase(value);
    else if (Array.isArray(value) && property?.kind.comparison === "list") fold[name] = foldEntries(value);
    const text = title.length + body.length < maxSearchedText && property?.kind.text?.(value, property.item);
    if (!text) continue;
    if (name === "title" || name === "name") title += `${text} `;
    else body += `${text} `;
  }
  for (const name of schema.unlisted) {
    const value = document[name];
    if (value === undefined) continue;
    idx[name] = value;
    if (typeof value === "string") fold[name] = foldCase(value);
  }
  const titleWords = firstWords(title, maxWords);
  const bodyWords = firstWords(body, maxWords - countWords(titleWords));
  return { idx: JSON.stringify(idx), fold: JSON.stringify(fold), title: titleWords, body: bodyWords };
}

/**
 * Binary JSON may forget in which order the keys of an object came. A value in which that shows is kept as text, below a key
 * without a name.
 */
function keptValue(value: Json): Json {
  return hasOrder(value) ? { "": JSON.stringify(value) } : value;
}

/** What `keptValue` was given. */
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
