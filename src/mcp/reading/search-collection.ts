// Searches one collection for an agent. The full-text index knows the words of hidden properties too; where a schema has
// such, a match counts only when the words stand in what the agent may see, so that searching tells nothing of the rest.

import { firstWords } from "#base/text.ts";
import type { Collection } from "#content/collections/collection.ts";
import { queryObjects } from "#content/query/lists.ts";
import { parseSearch } from "#content/query/search-words.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { maxWords } from "#schemas/bounds.ts";
import { shapeText } from "#schemas/fields/shape.ts";
import { exposedSchema } from "#schemas/mcp-visibility.ts";

export interface Search {
  query: string;
  limit: number;
  offset: number;
}

export interface SearchResult extends Search {
  total: number;
  entries: JsonObject[];
}

/** So many matches at most are looked through where something is hidden. */
const lookedThrough = 100;

export async function findInCollection(ctx: Context, collection: Collection, search: Search): Promise<SearchResult> {
  const { query, limit, offset } = search;
  if (!hidesWords(collection)) {
    const { text, total } = await queryObjects(ctx, collection.id, params(query, limit, offset));
    return { ...search, total, entries: JSON.parse(text) as JsonObject[] };
  }
  const { text } = await queryObjects(ctx, collection.id, params(query, lookedThrough, 0));
  const shown = (JSON.parse(text) as JsonObject[]).filter((entry) => isSeen(collection, entry, query));
  return { ...search, total: shown.length, entries: shown.slice(offset, offset + limit) };
}

function params(search: string, limit: number, offset: number): Record<string, string> {
  return { search, limit: String(limit), offset: String(offset) };
}

function hidesWords({ schema }: Collection): boolean {
  const { index } = exposedSchema(schema);
  return index.length < schema.index.length || schema.index.some((name) => isCutDown(schema, name));
}

function isCutDown(schema: Collection["schema"], name: string): boolean {
  return schema.properties.get(name) !== exposedSchema(schema).properties.get(name);
}

function isSeen({ schema }: Collection, entry: JsonObject, query: string): boolean {
  const { terms, mode } = parseSearch(query);
  const text = ` ${firstWords(`${String(entry.id)} ${shapeText(exposedSchema(schema), entry)}`, maxWords)}`;
  const occurs = (words: string[]) => text.includes(` ${words.join(" ")}`);
  return mode === "or" ? terms.some(occurs) : terms.every(occurs);
}
