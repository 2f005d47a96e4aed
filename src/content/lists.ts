// Reading many objects: the list (whole documents), query and index (entries of indexed properties).
// Pages are joined from stored text and kept in memory while nothing changes; the index goes out in pieces.

import { takeTurn } from "#base/turns.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { listLimit, type Pagination, queryLimit } from "#contract/queries.ts";
import { readCounters } from "#storage/collections.ts";
import { noteShape } from "#storage/indexes.ts";
import type { Storage } from "#storage/port.ts";
import {
  countSelected,
  type FoundObject,
  type IndexRow,
  iterateSelectedEntries,
  positionOf,
  type Selected,
  selectEntries,
  selectObjects,
} from "#storage/select.ts";
import type { Page, Selection } from "#storage/selection.ts";
import { openCollection, seesDrafts } from "./access.ts";
import type { Collection } from "./collections.ts";
import { exposedSchema } from "./exposure.ts";
import { shownValue } from "./index-entry.ts";
import { documentText } from "./objects.ts";
import { readCursor, writeCursor } from "./query/cursors.ts";
import { readListSelection, readQuerySelection, type Source } from "./query/filters.ts";
import { pageCacheOf } from "./query/page-cache.ts";
import { findText, type Paging, type Params, readChoice, readPaging } from "./query/parameters.ts";
import { csvTable, htmlTable } from "./tables.ts";

export interface ListAnswer {
  /** A JSON array; of a query in another format, that format. */
  text: string;
  count: number;
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string;
}

export const queryFormats = ["json", "csv", "html"] as const;
export type QueryFormat = (typeof queryFormats)[number];

export interface QueryAnswer extends ListAnswer {
  format: QueryFormat;
  /** The HTML is made by this one; `text` is then a JSON array. */
  template?: string | undefined;
  pagination: Pagination;
}

const indexBatch = 500;

export async function listObjects(ctx: Context, collectionId: string, params: Params): Promise<ListAnswer> {
  const collection = await openCollection(ctx, "read", collectionId);
  return keepPage(ctx, collection, askedFor(params, "list", params.order), async () => {
    const paging = readPaging(params, listLimit);
    const selection = readListSelection(params, sourceOf(ctx, collection));
    const page = await selectPage(ctx.storage, selection, paging, selectObjects);
    const texts = page.rows.flatMap((row) => findDocumentText(ctx, collection, row) ?? []);
    return { ...page.answer, text: `[${texts.join(",")}]` };
  });
}

export async function queryObjects(ctx: Context, collectionId: string, params: Params): Promise<QueryAnswer> {
  const collection = await openCollection(ctx, "read", collectionId);
  const { include, exclude, format, template } = params;
  return keepPage(ctx, collection, askedFor(params, "query", include, exclude, format, template), async () => {
    const asked = readChoice(params, "format", queryFormats, "json");
    const named = asked === "html" ? findText(params, "template") : undefined;
    const paging = readPaging(params, queryLimit);
    const source = sourceOf(ctx, collection);
    const { selection, columns, isProjected } = readQuerySelection(params, source);
    const page = await selectPage(ctx.storage, selection, paging, selectEntries);
    const entries = page.rows.map((row) => presentEntry(row, columns));
    // A table shows what the schema indexes; the times are in it when they are asked for.
    const shown = isProjected ? columns : ["id", ...source.schema.index.filter((name) => name !== "id")];
    const render = {
      json: () => JSON.stringify(entries),
      csv: () => csvTable(shown, entries),
      html: () => htmlTable(collectionId, shown, entries),
    };
    const text = render[named === undefined ? asked : "json"]();
    return { ...page.answer, text, format: asked, template: named, pagination: paginationOf(page.answer) };
  });
}

/** All entries as the text of a JSON array, in pieces. */
export async function listIndex(ctx: Context, collectionId: string, params: Params): Promise<AsyncIterable<string>> {
  const collection = await openCollection(ctx, "read", collectionId);
  const { selection, columns } = readQuerySelection(params, sourceOf(ctx, collection));
  noteShape(ctx.storage, selection);
  return indexText(ctx.storage, selection, columns);
}

async function* indexText(storage: Storage, selection: Selection, columns: string[]): AsyncIterable<string> {
  let lead = "[";
  for await (const rows of iterateSelectedEntries(storage, selection, indexBatch)) {
    yield lead + rows.map((row) => JSON.stringify(presentEntry(row, columns))).join(",");
    lead = ",";
  }
  yield lead === "[" ? "[]" : "]";
}

export function sourceOf(ctx: Context, collection: Collection): Source {
  const { id, isVirtual } = collection;
  const schema = ctx.surface === "mcp" ? exposedSchema(collection.schema) : collection.schema;
  // Only a schema that knows drafts can have any; that it may be hidden itself makes no difference.
  const isPublic = !seesDrafts(ctx, "read", id);
  const hideDrafts = collection.schema.properties.has("draft") && isPublic;
  return { collection: id, schema, isVirtual, hideDrafts, isPublic };
}

/** The parameters that make a difference; undefined for an order that is new each time. */
function askedFor({ limit, offset, cursor, sort, filter, search }: Params, ...more: unknown[]): string | undefined {
  if (typeof sort === "string" && sort.includes("shuffle")) return undefined;
  return JSON.stringify([...more, limit, offset, cursor, sort, filter, search]);
}

/** Answers from memory when the same was asked before and nothing has changed since. */
function keepPage<A extends ListAnswer>(
  ctx: Context,
  collection: Collection,
  asked: string | undefined,
  make: () => Promise<A>,
): Promise<A> {
  if (asked === undefined) return make();
  const { storage } = ctx;
  const { id, schema } = collection;
  const seen = sourceOf(ctx, collection);
  const persona = `${seen.isPublic ? "public" : "all"}${seen.schema === schema ? "" : " exposed"}`;
  const stamp = `${storage.version(`objects:${id}`)} ${storage.version("collections")} ${schema.rev}`;
  return pageCacheOf(storage).pages.get(`${id} ${persona} ${asked}`, stamp, make) as Promise<A>;
}

async function selectPage<R extends Selected<{ id: string }>>(
  storage: Storage,
  selection: Selection,
  { limit, offset, cursor }: Paging,
  selectRows: (db: Storage, selection: Selection, page: Page) => Promise<R[]>,
): Promise<{ rows: R[]; answer: Omit<ListAnswer, "text"> }> {
  await takeTurn();
  noteShape(storage, selection);
  const after = cursor === undefined ? undefined : readCursor(selection, cursor);
  // One more than asked tells whether there is a next page.
  const [found, total] = await Promise.all([
    selectRows(storage, selection, { limit: limit + 1, offset, ...(after && { after }) }),
    countAll(storage, selection),
  ]);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor = last && found.length > limit ? writeCursor(selection, positionOf(selection, last)) : undefined;
  return { rows, answer: { count: rows.length, total, limit, offset, ...(nextCursor && { nextCursor }) } };
}

/** Everything in a collection is counted already; anything less is counted once while nothing changes. */
export async function countAll(storage: Storage, selection: Selection): Promise<number> {
  const { collection, include, exclude, search, hideDrafts } = selection;
  if (include.length + exclude.length === 0 && !search && !hideDrafts)
    return (await readCounters(storage, collection))?.totalObjects ?? 0;
  const key = JSON.stringify([collection, include, exclude, search, hideDrafts]);
  const stamp = String(storage.version(`objects:${collection}`));
  return pageCacheOf(storage).totals.get(key, stamp, () => countSelected(storage, selection));
}

/** A damaged document costs only itself. It is not parsed for that: what was cut off or wiped out shows at the ends. */
export function findDocumentText(ctx: Context, { id, schema }: Collection, row: FoundObject): string | undefined {
  try {
    const text = documentText(ctx, schema, row);
    if (text.startsWith("{") && text.endsWith("}")) return text;
    throw new Error("the stored text is not whole");
  } catch (error) {
    ctx.log.warn({ collection: id, id: row.id, err: error }, "an object could not be read");
    return undefined;
  }
}

function presentEntry({ id, created, modified, idx }: IndexRow, columns: string[]): JsonObject {
  const values: JsonObject = { ...(JSON.parse(idx) as JsonObject), id, created, modified };
  const entry: JsonObject = {};
  for (const name of columns) if (Object.hasOwn(values, name)) entry[name] = shownValue(values[name] as Json);
  return entry;
}

function paginationOf({ total, count, limit, offset, nextCursor }: Omit<ListAnswer, "text">): Pagination {
  return {
    total,
    count,
    per_page: limit,
    current_page: Math.floor(offset / limit) + 1,
    total_pages: Math.max(1, Math.ceil(total / limit)),
    ...(nextCursor && { next_cursor: nextCursor }),
  };
}
