// collection:query and object:list: the same parameters as over HTTP, written as options.

import type { Call } from "#cli/call.ts";
import { splitPair } from "#cli/input.ts";
import { UsageError } from "#cli/usage.ts";
import { isFilterText } from "#content/query/filter-groups.ts";
import * as lists from "#content/query/lists.ts";
import type { Json, JsonObject } from "#contract/json.ts";

interface QueryOptions {
  filter: string[];
  search?: string;
  sort?: string;
  order?: string;
  limit?: string;
  offset?: string;
  include?: string;
  exclude?: string;
}

export async function queryCollection(call: Call, options: QueryOptions, collection: string): Promise<void> {
  const params = paramsOf(options);
  await show(call, await call.work((ctx) => lists.queryObjects(ctx, collection, params)), options.sort);
}

export async function listObjects(call: Call, options: QueryOptions, collection: string): Promise<void> {
  const params = paramsOf(options);
  const { bytes, ...page } = await call.work((ctx) => lists.listObjects(ctx, collection, params));
  await show(call, { ...page, text: bytes.toString() }, options.sort);
}

function paramsOf({
  filter,
  search,
  sort,
  order,
  limit,
  offset,
  include,
  exclude,
}: QueryOptions): Record<string, unknown> {
  if (limit !== undefined && !/^0*[1-9]\d{0,8}$/.test(limit))
    throw new UsageError("--limit must be a whole number of at least 1.");
  if (offset !== undefined && !/^\d{1,9}$/.test(offset))
    throw new UsageError("--offset must be a whole number of at least 0.");
  const plain = { search, sort, order, limit, offset, include, exclude };
  const given = Object.entries(plain).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(filter.length > 0 && { filter: filterOf(filter) }) };
}

/** `price=5` and `price[gt]=5`, as in a query string; or the whole filter as JSON. */
function filterOf(pairs: readonly string[]): unknown {
  const [only = ""] = pairs;
  if (pairs.length === 1 && isFilterText(only)) return only;
  const filter = new Map<string, Record<string, string>>();
  for (const pair of pairs) {
    const [name, value] = splitPair(pair, "--filter");
    const [, property, operator = "eq"] = /^([^[\]]+)(?:\[([^[\]]+)\])?$/.exec(name) ?? [];
    if (property === undefined) throw new UsageError("--filter must be property=value or property[op]=value.");
    filter.set(property, { ...filter.get(property), [operator]: value });
  }
  return Object.fromEntries(filter);
}

async function show(call: Call, answer: lists.ListAnswer, sort?: string): Promise<void> {
  const results = JSON.parse(answer.text) as JsonObject[];
  const { total, offset, limit } = answer;
  if (call.isJson) return call.out.json({ total, offset, limit, results });
  if (results.length > 0) {
    const columns = columnsOf(results, sort);
    await call.out.table(
      columns.map((name) => name.toUpperCase()),
      results.map((result) => columns.map((name) => cell(result[name]))),
    );
  }
  const last = offset + results.length;
  if (total === 0) call.remark("None.");
  else call.remark(results.length === 0 ? `None of ${total}.` : `${offset + 1} to ${last} of ${total}.`);
}

const maxColumns = 6;
const maxCell = 40;

/** The first properties with short values; `id`, `modified` and what they are sorted by always. */
export function columnsOf(results: readonly JsonObject[], sort = ""): string[] {
  const names = new Set(results.flatMap((result) => Object.keys(result)));
  const sorted = sort.split(",").map((name) => name.trim().replace(/^-|:(asc|desc)$/g, ""));
  const middle = [...names].filter((name) => {
    if (name === "id" || name === "created" || name === "modified") return false;
    return results.some((result) => typeof result[name] !== "object");
  });
  const shown = new Set([...middle.filter((name) => sorted.includes(name)), ...middle].slice(0, maxColumns - 2));
  return ["id", ...middle.filter((name) => shown.has(name)), "modified"];
}

function cell(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxCell ? `${text.slice(0, maxCell - 3)}...` : text;
}
