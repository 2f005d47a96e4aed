// What lists, filters and searches see of a document: its indexed properties. Never a password.

import { foldCase, foldWords } from "#base/text.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { IndexEntry } from "#storage/objects.ts";
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
    idx[name] = value;
    if (typeof value === "string") fold[name] = foldCase(value);
    else if (Array.isArray(value) && property?.kind.comparison === "list") fold[name] = foldEntries(value);
    const text = property?.kind.text?.(value, property.item);
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
  return { idx: JSON.stringify(idx), fold: JSON.stringify(fold), title: foldWords(title), body: foldWords(body) };
}

function foldEntries(entries: Json[]): string[] {
  return entries.filter((entry) => typeof entry !== "object").map((entry) => foldCase(String(entry)));
}
