// Searches that an extension answers for a collection: it names ids in order, and the service reads these objects with the rights
// of the caller. Where it fails or takes too long, the built-in search answers. A search with filters, a cursor or an order of its
// own is always answered by the built-in one: the extension knows none of these.

import { NeedsWriter } from "#base/writer-line.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { findText, type Params, readPaging } from "./parameters.ts";

const searchMs = 500;
const maxWords = 1_000;
const own: readonly string[] = ["filter", "include", "exclude", "sort", "order", "cursor", "format", "template"];

export interface Provided {
  /** The extension that answered; `built-in`: it failed. */
  by: string;
  /** In the order of the answer. Undefined: the built-in search is to answer. */
  ids?: string[];
  total: number;
  limit: number;
  offset: number;
}

/** Undefined: no extension searches this collection, or not in this way. */
export async function askProvider(
  ctx: Context,
  collection: string,
  params: Params,
  limits: { default: number; max: number },
): Promise<Provided | undefined> {
  const words = params.search === undefined ? "" : (findText(params, "search")?.trim() ?? "");
  if (words === "" || words.length > maxWords || own.some((name) => params[name] !== undefined)) return undefined;
  const providers = await ctx.extensions.of("searchProviders");
  const provider = providers.find(({ entry: { collections } }) => collections.includes(collection));
  if (!provider) return undefined;
  const { limit, offset } = readPaging(params, limits);
  const { extension, entry } = provider;
  try {
    const args = ["search", { collection, words, limit, offset }];
    const said = await ctx.extensions.call({
      extension,
      kind: "searchProviders",
      name: entry.name,
      args,
      ctx,
      timeoutMs: searchMs,
    });
    const found = readAnswer(said as Json, limit);
    if (found) return { by: extension, ...found, limit, offset };
    ctx.extensions.report(extension, `The search "${entry.name}" must answer {hits: [{id, score}], total}.`);
  } catch (error) {
    // Anything else is counted and logged where it failed.
    if (error instanceof NeedsWriter) throw error;
  }
  return { by: "built-in", total: 0, limit, offset };
}

function readAnswer(said: Json, limit: number): { ids: string[]; total: number } | undefined {
  if (!isJsonObject(said) || !Array.isArray(said.hits)) return undefined;
  const ids = said.hits.flatMap((hit) => (isJsonObject(hit) && typeof hit.id === "string" ? [hit.id] : []));
  if (ids.length < said.hits.length || ids.some((id) => id.length > 200 || id.includes("|"))) return undefined;
  const total = typeof said.total === "number" && said.total >= 0 ? Math.floor(said.total) : ids.length;
  return { ids: [...new Set(ids)].slice(0, limit), total };
}

/** What to ask for instead: these objects. */
export function paramsFor({ search: _search, offset: _offset, ...params }: Params, ids: readonly string[]): Params {
  return { ...params, filter: { id: { in: ids.join("|") } }, limit: String(ids.length) };
}

/** In the order of the extension; what the caller may not read is not among them. */
export function inOrder(found: readonly JsonObject[], ids: readonly string[]): JsonObject[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  const placeOf = ({ id }: JsonObject) => places.get(String(id)) ?? ids.length;
  return [...found].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Callers that do not see everything learn nothing of how much there is. */
export function totalFor({ total, offset, limit, ids = [] }: Provided, seen: number, seesAll: boolean): number {
  return seesAll ? Math.max(total, offset + seen) : offset + seen + (ids.length === limit ? 1 : 0);
}
