// Reading many objects: the list (whole documents), query and index (entries of indexed properties).
// Pages are joined from stored text and kept in memory while nothing changes; the index is sent in pieces.

import { CairnError } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openCollection, seesDrafts } from "#content/collections/open-collection.ts";
import { documentText } from "#content/objects/stored-document.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { listLimit, type Pagination, queryLimit } from "#contract/queries.ts";
import type { Caller } from "#lanes/caller.ts";
import { moveFormer } from "#schemas/former-names.ts";
import { shownValue } from "#schemas/index-entry.ts";
import { exposedSchema } from "#schemas/mcp-visibility.ts";
import type { Storage } from "#storage/port.ts";
import { isIndexComing, noteShape } from "#storage/query/indexes.ts";
import {
  askPage,
  countSelected,
  entriesOf,
  type FoundObject,
  type IndexRow,
  iterateSelectedEntries,
  objectsOf,
  type PageQuestion,
  partsOf,
  positionOf,
  type Selected,
  type SelectedEntry,
  type SelectedObject,
  selectEntries,
} from "#storage/query/select.ts";
import type { Selection } from "#storage/query/selection.ts";
import { readCursor, writeCursor } from "./cursors.ts";
import { chooseFields, type Fields, findFields, flatten, isPlain, readProperties, withColumns } from "./fields.ts";
import { readListSelection, readQuerySelection, type Source } from "./filters.ts";
import { type KeptPlace, pageCacheOf, type Stamp } from "./page-cache.ts";
import { findText, type Paging, type Params, readChoice, readPaging, refuse } from "./parameters.ts";
import { askProvider, inOrder, type Provided, paramsFor, totalFor } from "./provided-search.ts";
import { csvTable, htmlTable } from "./tables.ts";

export interface PagePosition {
  count: number;
  total: number;
  limit: number;
  offset: number;
  nextCursor?: string;
  /** The extension that answered a search; `built-in`: it failed. Absent: none searches this collection. */
  search?: string;
}

export interface ListAnswer extends PagePosition {
  /** A JSON array; of a query in another format, that format. */
  text: string;
}

export interface ObjectPage extends PagePosition {
  /** A JSON array in UTF-8, as the documents are stored and sent: nothing is decoded, nor encoded with each answer. */
  bytes: Buffer;
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
/** The next index is built within a minute, unless writers keep it waiting. */
const indexedSoonSeconds = 60;

export async function listObjects(ctx: Context, collectionId: string, params: Params): Promise<ObjectPage> {
  const collection = await openCollection(ctx, "read", collectionId);
  const provided = params.search === undefined ? undefined : await askProvider(ctx, collectionId, params, listLimit);
  if (!provided) return listStored(ctx, collection, params);
  const { by, ids } = provided;
  if (!ids) return { ...(await listStored(ctx, collection, params)), search: by };
  const none = { count: 0, bytes: Buffer.from("[]") };
  const page = ids.length === 0 ? none : await listStored(ctx, collection, paramsFor(params, ids));
  const found = inOrder(JSON.parse(page.bytes.toString()) as JsonObject[], ids);
  return { bytes: Buffer.from(JSON.stringify(found)), ...positionFor(ctx, collectionId, provided, found.length) };
}

function positionFor(ctx: Context, collectionId: string, provided: Provided, count: number): PagePosition {
  const { by, limit, offset } = provided;
  const total = totalFor(provided, count, seesDrafts(ctx, "read", collectionId));
  return { count, total, limit, offset, search: by };
}

async function listStored(ctx: Context, collection: Collection, params: Params): Promise<ObjectPage> {
  const { order, fields, urls } = params;
  return keepPage(ctx, collection, askedFor(params, "list", order, fields, urls), async (caller) => {
    const paging = readPaging(params, listLimit);
    const source = sourceOf(ctx, collection);
    const selection = readListSelection(params, source);
    const chosen = findFields(ctx, params, source.schema);
    const { rev } = collection.schema;
    const page = await findPage<SelectedObject>(ctx, selection, {
      ...{ paging, caller, shows: showsOf(chosen, rev) },
      ...(!chosen || isPlain(chosen) ? { documents: { rev, most: paging.limit } } : {}),
    });
    const texts = page.rows.flatMap((row) => findChosenText(ctx, collection, row, chosen) ?? []);
    return { ...page.answer, bytes: page.bytes ?? Buffer.from(`[${texts.join(",")}]`) };
  });
}

function showsOf(chosen: Fields | undefined, rev: string): PageQuestion["shows"] {
  const names = chosen && readProperties(chosen);
  return names ? partsOf(names, rev) : objectsOf;
}

function findChosenText(ctx: Context, collection: Collection, row: FoundObject, chosen: Fields | undefined) {
  const text = findDocumentText(ctx, collection, row);
  const isDone = !chosen || (isPlain(chosen) && row.schemaRev === collection.schema.rev);
  return text === undefined || isDone ? text : JSON.stringify(chosenOf(ctx, collection, text, chosen));
}

function chosenOf(ctx: Context, collection: Collection, text: string, chosen: Fields): JsonObject {
  const { schema } = sourceOf(ctx, collection);
  return chooseFields(chosen, JSON.parse(text) as JsonObject, { collection: collection.id, schema });
}

export async function queryObjects(ctx: Context, collectionId: string, params: Params): Promise<QueryAnswer> {
  const collection = await openCollection(ctx, "read", collectionId);
  const provided = params.search === undefined ? undefined : await askProvider(ctx, collectionId, params, queryLimit);
  if (!provided) return queryStored(ctx, collection, params);
  const { by, ids } = provided;
  if (!ids) return { ...(await queryStored(ctx, collection, params)), search: by };
  const text = ids.length === 0 ? "[]" : (await queryStored(ctx, collection, paramsFor(params, ids))).text;
  const found = inOrder(JSON.parse(text) as JsonObject[], ids);
  const answer = positionFor(ctx, collectionId, provided, found.length);
  return { ...answer, text: JSON.stringify(found), format: "json", pagination: paginationOf(answer) };
}

async function queryStored(ctx: Context, collection: Collection, params: Params): Promise<QueryAnswer> {
  const { id: collectionId } = collection;
  const { include, exclude, format, template, fields, urls } = params;
  const more = [include, exclude, format, template, fields, urls];
  return keepPage(ctx, collection, askedFor(params, "query", ...more), async (caller) => {
    const asked = readChoice(params, "format", queryFormats, "json");
    const named = asked === "html" ? findText(params, "template") : undefined;
    const paging = readPaging(params, queryLimit);
    const source = sourceOf(ctx, collection);
    const { selection, columns, isProjected } = readQuerySelection(params, source);
    const chosen = findFields(ctx, params, source.schema);
    if (chosen && isProjected) refuse("fields", "fields and bare names in include or exclude exclude each other.");
    const asking = { selection, paging, caller };
    const { answer, entries } = chosen
      ? await findChosen(ctx, collection, { ...asking, chosen: withColumns(chosen, columns) })
      : await findEntryPage(ctx, source, { ...asking, columns });
    // A table shows what the schema indexes; the times are in it when they are asked for.
    const usual = isProjected ? columns : ["id", ...source.schema.index.filter((name) => name !== "id")];
    const shown = chosen?.tree ? chosen.paths : usual;
    const cells = () => (chosen?.tree ? entries.map((entry) => flatten(entry, shown)) : entries);
    const render = {
      json: () => JSON.stringify(entries),
      csv: () => csvTable(shown, cells()),
      html: () => htmlTable(collectionId, shown, cells()),
    };
    const text = render[named === undefined ? asked : "json"]();
    return { ...answer, text, format: asked, template: named, pagination: paginationOf(answer) };
  });
}

type Finding = Pick<Asking, "paging" | "caller"> & { selection: Selection };
type EntryPage = { answer: PagePosition; entries: JsonObject[] };

async function findEntryPage(
  ctx: Context,
  source: Source,
  { selection, columns, ...asking }: Finding & { columns: string[] },
): Promise<EntryPage> {
  const { answer, rows } = await findPage<SelectedEntry>(ctx, selection, { ...asking, shows: entriesOf });
  return { answer, entries: rows.map((row) => presentEntry(source, row, columns)) };
}

/** From the documents: any property can be chosen, indexed or not. */
async function findChosen(
  ctx: Context,
  collection: Collection,
  { selection, chosen, ...asking }: Finding & { chosen: Fields },
): Promise<EntryPage> {
  const shows = showsOf(chosen, collection.schema.rev);
  const { answer, rows } = await findPage<SelectedObject>(ctx, selection, { ...asking, shows });
  const texts = rows.flatMap((row) => findDocumentText(ctx, collection, row) ?? []);
  return { answer, entries: texts.map((text) => chosenOf(ctx, collection, text, chosen)) };
}

/** The first entries of a query, without their number: that of all would cost more than these. */
export async function findEntries(ctx: Context, collection: Collection, params: Params): Promise<JsonObject[]> {
  const { text } = await keepPage(ctx, collection, askedFor(params, "first", params.include), async (caller) => {
    const { limit } = readPaging(params, queryLimit);
    const source = sourceOf(ctx, collection);
    const { selection, columns } = readQuerySelection(params, source);
    noteShape(ctx.storage, selection);
    const rows = await selectEntries(ctx.storage, selection, { limit, offset: 0 }, caller);
    return { text: JSON.stringify(rows.map((row) => presentEntry(source, row, columns))) };
  });
  return JSON.parse(text) as JsonObject[];
}

/** All entries as the text of a JSON array, in pieces. */
export async function listIndex(ctx: Context, collectionId: string, params: Params): Promise<AsyncIterable<string>> {
  const collection = await openCollection(ctx, "read", collectionId);
  const source = sourceOf(ctx, collection);
  const { selection, columns } = readQuerySelection(params, source);
  noteShape(ctx.storage, selection);
  return indexText(ctx, selection, (row) => presentEntry(source, row, columns));
}

async function* indexText(
  ctx: Context,
  selection: Selection,
  present: (row: IndexRow) => JsonObject,
): AsyncIterable<string> {
  let lead = "[";
  for await (const rows of iterateSelectedEntries(ctx.storage, selection, indexBatch, ctx.caller)) {
    yield lead + rows.map((row) => JSON.stringify(present(row))).join(",");
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
  return { collection: id, schema, isVirtual, hideDrafts, isPublic, now: ctx.clock.iso };
}

/** The parameters that make a difference; undefined where the answer is new each time. */
function askedFor(params: Params, ...more: unknown[]): string | undefined {
  const { limit, offset, cursor, sort, filter, search } = params;
  return isNewEachTime(params) ? undefined : JSON.stringify([...more, limit, offset, cursor, sort, filter, search]);
}

/** A random order, or a time relative to now. */
export function isNewEachTime({ sort, filter, include, exclude }: Params): boolean {
  if (typeof sort === "string" && sort.includes("shuffle")) return true;
  const tests = [filter, include, exclude].filter((test) => test !== undefined);
  return tests.length > 0 && relativeTime.test(JSON.stringify(tests));
}

/** As a value of a filter or of a clause: the answer differs as time passes. */
const relativeTime = /[":|]\s*now[\s+\-",|\\]/;

/** Answers from memory when the same was asked before and nothing has changed since. */
function keepPage<A extends { text: string } | ObjectPage>(
  ctx: Context,
  collection: Collection,
  asked: string | undefined,
  make: (caller: Caller) => Promise<A>,
): Promise<A> {
  const { storage, caller } = ctx;
  if (asked === undefined) return make(caller);
  const { id, schema } = collection;
  const seen = sourceOf(ctx, collection);
  const persona = `${seen.isPublic ? "public" : "all"}${seen.schema === schema ? "" : " exposed"}`;
  const stamp: Stamp = { scopes: [`objects:${id}`, "collections"], more: schema.rev };
  return pageCacheOf(storage).pages.get(`${id} ${persona} ${asked}`, stamp, make, caller) as Promise<A>;
}

interface Asking extends Pick<PageQuestion, "caller" | "shows" | "documents"> {
  paging: Paging;
}

interface FoundPage<R> {
  rows: R[];
  /** In place of the rows, where nothing had to be done with them. */
  bytes: Buffer | undefined;
  answer: PagePosition;
}

/** The page and its total are of one moment, unless the total is known already. */
async function findPage<R extends Selected<{ id: string }>>(
  { storage }: Context,
  selection: Selection,
  { paging, ...asking }: Asking,
): Promise<FoundPage<R>> {
  const { limit, offset, cursor } = paging;
  noteShape(storage, selection);
  const after = cursor === undefined ? undefined : readCursor(selection, cursor);
  const counted = totalOf(storage, selection);
  const known = counted.find();
  // One more than requested shows whether there is a next page.
  const page = { limit: limit + 1, offset, ...(after && { after }) };
  const isCounted = known === undefined;
  const found = await askPage<R>(storage, { ...asking, selection, page, isCounted }).catch((error: unknown) => {
    // Only then the same query has a chance soon.
    const isSlow = error instanceof CairnError && error.word === "query-too-long";
    if (isSlow && isIndexComing(storage, selection)) error.retryAfter = indexedSoonSeconds;
    throw error;
  });
  const total = known ?? found.total ?? 0;
  if (known === undefined) counted.keep(total);
  const rows = found.rows.slice(0, limit);
  const { documents } = found;
  const last = documents ? (documents.last as R | undefined) : rows.at(-1);
  const hasMore = documents?.hasMore ?? found.rows.length > limit;
  const nextCursor = last && hasMore ? writeCursor(selection, positionOf(selection, last)) : undefined;
  const answer = { count: documents?.count ?? rows.length, total, limit, offset, ...(nextCursor && { nextCursor }) };
  return { rows, bytes: documents && bytesOf(documents.text), answer };
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

export async function countAll({ storage, caller }: Context, selection: Selection): Promise<number> {
  const counted = totalOf(storage, selection);
  const total = counted.find() ?? (await countSelected(storage, selection, caller));
  counted.keep(total);
  return total;
}

/** How many are selected, once it was counted and while nothing changes. */
function totalOf(storage: Storage, selection: Selection): KeptPlace<number> {
  const { collection, include, exclude, groups, search, hideDrafts } = selection;
  const key = JSON.stringify([collection, include, exclude, search, hideDrafts, groups]);
  return pageCacheOf(storage).totals.at(key, { scopes: [`objects:${collection}`] });
}

/** A damaged document costs only itself. It is not parsed for that: what was cut off or wiped out shows at the ends. */
export function findDocumentText(
  ctx: Context,
  { id, schema }: Collection,
  row: Pick<FoundObject, "id" | "schemaRev" | "doc">,
): string | undefined {
  try {
    const text = documentText(ctx, schema, row);
    if (text.startsWith("{") && text.endsWith("}")) return text;
    throw new Error("the stored text is not whole");
  } catch (error) {
    ctx.log.warn({ collection: id, id: row.id, err: error }, "an object could not be read");
    return undefined;
  }
}

function presentEntry({ schema }: Source, { id, created, modified, idx }: IndexRow, columns: string[]): JsonObject {
  const stored = JSON.parse(idx) as JsonObject;
  const values: JsonObject = { ...(schema.isMoving ? moveFormer(schema, stored) : stored), id, created, modified };
  const entry: JsonObject = {};
  for (const name of columns) if (Object.hasOwn(values, name)) entry[name] = shownValue(values[name] as Json);
  return entry;
}

function paginationOf({ total, count, limit, offset, nextCursor }: PagePosition): Pagination {
  return {
    total,
    count,
    per_page: limit,
    current_page: Math.floor(offset / limit) + 1,
    total_pages: Math.max(1, Math.ceil(total / limit)),
    ...(nextCursor && { next_cursor: nextCursor }),
  };
}
