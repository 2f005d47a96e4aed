// Selection + page -> rows. The rows of a page are found in the narrow index table alone, from an index that covers
// the filter and the order where there is one (indexes.ts); documents are joined for the page only.
// The text of a statement depends on the shape of the selection, never on its values, so that it is prepared once.

import { type Caller, service } from "#lanes/caller.ts";
import type {
  Asked,
  Dialect,
  Fragment,
  JoinedDocuments,
  Question,
  Row,
  Statement,
  Storage,
  Wanted,
} from "#storage/port.ts";
import type { ObjectRow } from "#storage/tables/object-row.ts";
import { conditionsIn, conditionsSql, notDraftSql } from "./conditions.ts";
import { findScan } from "./indexes.ts";
import { canJoin } from "./joined.ts";
import { findWholeSortKey, literal } from "./operands.ts";
import { isLongText, type OrderKey, orderKeys, orderSql, type Stretch, stretchesAfter } from "./order.ts";
import type { Page, Search, Selection } from "./selection.ts";

type SortValues = NonNullable<Page["after"]>["values"];

export interface IndexRow {
  id: string;
  created: string;
  modified: string;
  /** JSON text: the indexed properties, in no promised order; that of keys below them is not promised either. */
  idx: string;
}

/** With the values it was ordered by, which `positionOf` reads: few rows are ever asked for theirs. */
export type Selected<R> = R & { readonly [key: `k${number}`]: SortValues[number] };
/** No more than lists and exports need: each column that is read costs. */
export type FoundObject = Pick<ObjectRow, "id" | "modified" | "schemaRev" | "doc">;
export type SelectedObject = Selected<FoundObject>;
export type SelectedEntry = Selected<IndexRow>;

/** Means no limit. */
const everything: Page = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };

export async function selectObjects(
  db: Asked,
  selection: Selection,
  page: Page,
  caller = service,
): Promise<SelectedObject[]> {
  return (await askPage<SelectedObject>(db, { selection, page, caller, shows: objectsOf })).rows;
}

export async function selectEntries(
  db: Asked,
  selection: Selection,
  page: Page,
  caller = service,
): Promise<SelectedEntry[]> {
  return (await askPage<SelectedEntry>(db, { selection, page, caller, shows: entriesOf })).rows;
}

export async function selectIds(db: Asked, selection: Selection, page: Page, caller = service): Promise<string[]> {
  const { rows } = await askPage<{ id: string }>(db, { selection, page, caller, shows: idsOf });
  return rows.map(({ id }) => id);
}

export interface PageQuestion {
  selection: Selection;
  page: Page;
  caller: Caller;
  shows: Shows;
  /** Also how many are selected in all, at the same moment. */
  isCounted?: boolean;
  /** Only of objects. */
  documents?: Question["documents"];
}

export interface FoundPage<R> {
  rows: R[];
  /** In place of the rows, where they could be joined. */
  documents: JoinedDocuments | undefined;
  total: number | undefined;
}

export async function askPage<R>(db: Asked, question: PageQuestion): Promise<FoundPage<R>> {
  const { page, caller, shows, isCounted = false, documents } = question;
  const selection = planned(db, question.selection);
  const joins = documents !== undefined && canJoin(db.dialect, page);
  const wanted = [wantedPage(db.dialect, selection, { page, shows, joins })];
  if (isCounted) wanted.push(wantedTotal(db.dialect, selection));
  const answer = await db.ask({ wanted, caller, ...(documents && { documents }) });
  const [rows = [], counted] = answer.rows;
  return { rows: rows as R[], documents: answer.documents, total: counted && totalOf(counted) };
}

export function iterateSelected(
  db: Storage,
  selection: Selection,
  batchSize: number,
  caller = service,
): AsyncIterable<FoundObject[]> {
  const part = { ...everything, shows: objectsOf, isExact: true };
  const { sql, params } = pageSql(db.dialect, planned(db, selection), part);
  return db.iterate<FoundObject>(sql, params, batchSize, caller);
}

export function iterateSelectedEntries(
  db: Storage,
  selection: Selection,
  batchSize: number,
  caller = service,
): AsyncIterable<IndexRow[]> {
  const part = { ...everything, shows: entriesOf, isExact: true };
  const { sql, params } = pageSql(db.dialect, planned(db, selection), part);
  return db.iterate<IndexRow>(sql, params, batchSize, caller);
}

/** Where the row stands, for a page to go on from. */
export function positionOf(selection: Selection, row: Selected<{ id: string }>): NonNullable<Page["after"]> {
  const values = selection.sort.map(({ operand }, index) => {
    const value = row[`k${index}`] ?? null;
    return operand.comparison === "boolean" && value !== null ? Boolean(value) : value;
  });
  return { values, id: row.id };
}

export async function countSelected(db: Asked, selection: Selection, caller = service): Promise<number> {
  const { rows } = await db.ask({ wanted: [wantedTotal(db.dialect, planned(db, selection))], caller });
  return totalOf(rows[0] ?? []);
}

/** FROM and WHERE of a selection, for questions of other forms: the rows of `object_index`. */
export function selectedSql(db: Asked, selection: Selection): Fragment {
  return foundSql(db.dialect, planned(db, selection));
}

function totalOf([row]: Row[]): number {
  return Number(row?.total ?? 0);
}

function planned(db: Asked, selection: Selection): Selection {
  const scan = findScan(db, selection);
  return scan ? { ...selection, scan } : selection;
}

/** Everything in a collection is counted already. */
function wantedTotal(dialect: Dialect, selection: Selection): Wanted {
  const { collection, include, exclude, groups, search, hideDrafts } = selection;
  const isAll = include.length + exclude.length === 0 && !groups && !search && !hideDrafts;
  const { sql, params } = foundSql(dialect, selection);
  const statement = isAll
    ? { sql: `SELECT ${dialect.counters.totalObjects} AS total FROM collections WHERE id = ?`, params: [collection] }
    : { sql: `SELECT count(*) AS total ${sql}`, params };
  return { attempts: [[statement]], limit: 1 };
}

/** What a page shows of its rows, and where that is. */
type Shows = (dialect: Dialect, collection: string) => { columns: string; join: string };

const joinObjects = ({ objects }: Dialect, collection: string) =>
  `JOIN objects ON objects.rid = page.rid${objects.joined("objects", collection)}`;

const joinEntries = ({ objects }: Dialect, collection: string) =>
  `JOIN object_index AS entry ON entry.rid = page.rid${objects.joined("entry", collection)}`;

export const objectsOf: Shows = (dialect, collection) => ({
  columns: 'objects.id, objects.modified, objects.schema_rev AS "schemaRev", objects.doc',
  join: joinObjects(dialect, collection),
});

/** Some properties of objects that are stored under this revision of their schema, all of the others. */
export function partsOf(names: readonly string[], rev: string): Shows {
  return (dialect, collection) => {
    const { join } = objectsOf(dialect, collection);
    const part = dialect.partOf("objects.doc", names);
    const doc = `CASE WHEN objects.schema_rev = ${literal(rev)} THEN ${part} ELSE objects.doc END AS doc`;
    return { columns: `objects.id, objects.modified, objects.schema_rev AS "schemaRev", ${doc}`, join };
  };
}

/** With the version of each object. */
export const versionedObjectsOf: Shows = (dialect, collection) => {
  const { columns, join } = objectsOf(dialect, collection);
  return { columns: `${columns}, objects.rid, objects.rev`, join };
};

/** As little as tells whether a page is still the same. */
export const versionsOf: Shows = (dialect, collection) => ({
  columns: "objects.id, objects.rid, objects.rev",
  join: joinObjects(dialect, collection),
});

export const entriesOf: Shows = (dialect, collection) => ({
  columns: `entry.id, entry.created, entry.modified, ${dialect.jsonText("entry.idx")} AS idx`,
  join: joinEntries(dialect, collection),
});

/** Ids, and `entry`: the JSON text of the values of some indexed properties, in this order. */
export function entryValuesOf(names: readonly string[]): Shows {
  return (dialect, collection) => ({
    columns: `entry.id, ${dialect.jsonValues("entry.idx", names)} AS entry`,
    join: joinEntries(dialect, collection),
  });
}

const idsOf: Shows = (dialect, collection) => ({
  columns: "entry.id",
  join: joinEntries(dialect, collection),
});

interface Asking {
  page: Page;
  shows: Shows;
  /** The statements have a joined form as well. */
  joins: boolean;
}

/** The beginnings of texts decide nearly always, and are in the index; whole texts are compared when they do not. */
function wantedPage(dialect: Dialect, selection: Selection, asking: Asking): Wanted {
  const { limit, after } = asking.page;
  if (isRanked(selection)) return { attempts: rankedAttempts(dialect, selection, asking), limit, suffices: "full" };
  const exact = inOrder(dialect, selection, { ...asking, isExact: true });
  const hasTexts = selection.sort.some(({ operand }) => findWholeSortKey(dialect, operand) !== undefined);
  if (!hasTexts || after?.values.some(isLongText)) return { attempts: [exact], limit };
  return { attempts: [inOrder(dialect, selection, { ...asking, isExact: false }), exact], limit, suffices: "placed" };
}

/** The best matches are nearly always enough, and few of them have to be looked up. */
function rankedAttempts(dialect: Dialect, selection: Selection, { page, ...asking }: Asking): Statement[][] {
  const { limit, offset } = page;
  const part = { ...asking, limit, offset, isExact: false };
  const all = pageSql(dialect, selection, part);
  const { spareMatches } = dialect.search;
  if (spareMatches === undefined) return [[all]];
  return [[pageSql(dialect, selection, { ...part, among: offset + limit + spareMatches })], [all]];
}

function inOrder(
  dialect: Dialect,
  selection: Selection,
  { page, ...asking }: Asking & Pick<Part, "isExact">,
): Statement[] {
  const { limit, offset, after } = page;
  if (!after) return [pageSql(dialect, selection, { ...asking, limit, offset })];
  const stretches = stretchesAfter(orderKeys(dialect, selection, asking.isExact), after);
  return stretches.map((stretch) => pageSql(dialect, selection, { ...asking, limit, offset: 0, stretch }));
}

interface Part {
  limit: number;
  offset: number;
  shows: Shows;
  joins?: boolean;
  isExact: boolean;
  stretch?: Stretch | undefined;
  /** Only the best so many matches are looked at. */
  among?: number | undefined;
}

type SearchSelection = Selection & { search: Search };

function isSearch(selection: Selection): selection is SearchSelection {
  return selection.search !== undefined;
}

function isRanked(selection: Selection): selection is SearchSelection {
  return isSearch(selection) && selection.sort.length === 0 && !selection.shuffle;
}

function pageSql(dialect: Dialect, selection: Selection, part: Part): Statement {
  const { limit, offset, stretch, joins = false } = part;
  const { columns, join } = part.shows(dialect, selection.collection);
  const keys = isRanked(selection) ? [relevance] : orderKeys(dialect, selection, part.isExact);
  const found = isRanked(selection)
    ? dialect.search.ranked(foundSql(dialect, selection, part), selection, offset + limit)
    : sortedSql(dialect, selection, { keys, stretch });
  const names = keys.filter(isShown).map(({ name }) => name);
  const shown = [columns, ...names.map((name) => `${dialect.readable(`page.${name}`)} AS ${name}`)];
  const sql = `SELECT ${shown.join(", ")} FROM (${found.sql} ${orderSql(keys, stretch)}
    LIMIT ${dialect.scans.limit} OFFSET ?) AS page ${join} ${orderSql(keys, { ...stretch, table: "page." })}`;
  const params = [...found.params, limit, offset];
  const joined = joins ? dialect.scans.joined?.(sql, names) : undefined;
  return { sql, params, ...(joined && { joined }) };
}

const relevance: OrderKey = {
  name: "k0",
  sql: "k0",
  isDescending: false,
  isNullable: false,
  isBoolean: false,
  at: () => null,
};

function isShown({ name }: OrderKey): boolean {
  return name.startsWith("k");
}

function sortedSql(
  dialect: Dialect,
  selection: Selection,
  { keys, stretch }: { keys: OrderKey[]; stretch?: Stretch | undefined },
): Fragment {
  const values = keys.map(({ name, sql }) => `${sql} AS ${name}`);
  const tie = selection.shuffle ? "random() AS tie" : "object_index.id AS tie";
  const { sql, params } = foundSql(dialect, selection, { stretch, isOrdered: !selection.shuffle });
  return { sql: `SELECT ${["object_index.rid", ...values, tie].join(", ")} ${sql}`, params };
}

/** FROM and WHERE: the whole selection, or its part in a range, or among the best matches. */
function foundSql(
  dialect: Dialect,
  selection: Selection,
  { stretch, among, isOrdered = false }: Partial<Part> & { isOrdered?: boolean } = {},
): Fragment {
  const { deadline } = dialect.scans;
  const search = isSearch(selection) ? dialect.search.matches(selection, among) : undefined;
  const { include, exclude, groups = [], sort } = selection;
  const named = [...include, ...exclude, ...groups.flatMap(conditionsIn), ...sort];
  const operands = named.map(({ operand }) => operand);
  const documents = operands.some(({ source }) => source === "document")
    ? ` JOIN objects ON objects.rid = object_index.rid${dialect.objects.joined("objects", selection.collection)}`
    : "";
  const conditions: Fragment[] = [
    ...(search ? search.conditions : []),
    { sql: `object_index.collection = ${literal(selection.collection)}`, params: [] },
    ...(selection.hideDrafts ? [{ sql: `${notDraftSql(dialect)} = false`, params: [] }] : []),
    ...conditionsSql(dialect, selection),
    ...(stretch ? [stretch] : []),
    ...(deadline === undefined ? [] : [{ sql: deadline, params: [] }]),
  ];
  const from = search?.from ?? { sql: `object_index${dialect.scans.way(selection, isOrdered)}`, params: [] };
  return {
    sql: `FROM ${from.sql}${documents} WHERE ${conditions.map(({ sql }) => sql).join(" AND ")}`,
    params: [from, ...conditions].flatMap(({ params }) => params),
  };
}
