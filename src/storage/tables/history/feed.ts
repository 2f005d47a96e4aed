// Reads the log of changes over all objects, in the order of their commits. Only settled changes are read: no commit can come
// before them any more. A place names a change in this order; the id of the log says which log it belongs to.

import type { Caller } from "#lanes/caller.ts";
import {
  placeBefore,
  rangeColumns,
  rangeOf,
  rangesAsLog,
  type StoredRange,
  type WriterRange,
} from "#storage/log/writer-range.ts";
import type { Asked, Dialect, Fragment, Place, Reader, Statement, Tx, Value } from "#storage/port.ts";
import { type ChangeRow, changeColumns } from "./changes.ts";
import { bytesOf } from "./contents.ts";
import { selectNotedPlace } from "./writer-ranges.ts";
import { type WriterRow, writerColumns } from "./writers.ts";

export interface LogState {
  /** Another one after a backup was restored. */
  id: string;
  /** Up to here records were removed. */
  removed: Place;
}

export type FeedRow = ChangeRow & Place;

/** Before every change. */
export const firstPlace: Place = { tx: "0", seq: 0 };

export async function readLog(db: Reader): Promise<LogState> {
  const row = await db.one<{ id: string; tx: string; seq: number }>("SELECT id, tx, seq FROM change_log WHERE one = 1");
  return { id: row?.id ?? "", removed: { tx: row?.tx ?? "0", seq: row?.seq ?? 0 } };
}

/** After the records were put back from elsewhere: places of before name nothing any more. */
export async function renewLog(tx: Tx, id: string): Promise<void> {
  tx.touch("changes");
  await tx.run("DELETE FROM change_log WHERE one = 1");
  await tx.run(
    `INSERT INTO change_log (one, id, tx, seq, bytes) SELECT 1, CAST(? AS TEXT), '0', 0, COALESCE(SUM(${bytesOf}), 0)
       FROM changes WHERE content IS NOT NULL AND seq <= (SELECT COALESCE(MAX(seq), 0) FROM seals)`,
    [id],
  );
  await tx.run("DELETE FROM history_walks");
}

/** The place of the newest settled change; undefined where there is none. */
export function findLastPlace(db: Reader): Promise<Place | undefined> {
  const { log } = db.dialect;
  const all = log.after(firstPlace);
  return db.one<Place>(
    `SELECT ${log.tx} AS tx, seq FROM changes WHERE ${all.sql} AND ${log.isSettled} ORDER BY ${log.newestFirst} LIMIT 1`,
    all.params,
  );
}

export interface HoldUp {
  /** The number of its process in the database. */
  process: number;
  /** For which it is open. */
  seconds: number;
}

/** A transaction that has been open for long, while changes after it wait for their turn. */
export async function findHoldUp(db: Reader, olderThanMs: number): Promise<HoldUp | undefined> {
  const { holdUp } = db.dialect.log;
  return holdUp === undefined ? undefined : db.one<HoldUp>(holdUp, [olderThanMs / 1_000]);
}

export interface Tail {
  rows: FeedRow[];
  /** There are changes that are not settled yet. */
  isOpen: boolean;
}

/** The next changes after a place. */
export async function readTail(db: Reader, place: Place, limit: number): Promise<Tail> {
  const { log } = db.dialect;
  const after = log.after(place);
  const found = await db.all<FeedRow & { settled: number }>(
    `SELECT ${changeColumns}, ${log.tx} AS tx, ${log.settledFlag} AS settled FROM changes WHERE ${after.sql}
     ORDER BY ${log.order} LIMIT ?`,
    [...after.params, limit],
  );
  const rows = found.filter(({ settled }) => settled === 1);
  return { rows, isOpen: rows.length < found.length };
}

export interface WriterFilter {
  id?: number | undefined;
  grantId?: string | undefined;
  keyId?: string | undefined;
  userId?: string | undefined;
  door?: string | undefined;
}

const columnOf = { id: "id", grantId: "grant_id", keyId: "key_id", userId: "user_id", door: "door" } as const;

function writersWhere(filter: WriterFilter): Fragment {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined) as [keyof typeof columnOf, Value][];
  const conditions = given.map(([name]) => `${columnOf[name]} = ?`);
  return { sql: conditions.join(" AND "), params: given.map(([, value]) => value) };
}

export interface FeedFilter {
  collections?: readonly string[] | undefined;
  writer?: WriterFilter | undefined;
  /** Milliseconds. */
  since?: number | undefined;
  until?: number | undefined;
}

interface FeedPage {
  after: Place;
  limit: number;
  /** At most so many records are looked through, where no index leads to those that are wanted. */
  within: number;
  caller: Caller;
}

interface FoundPage {
  rows: FeedRow[];
  /** Where to go on, unless the log was read to its end. */
  last: Place | undefined;
}

/** A query on a thread. */
export async function askFeed(db: Asked, filter: FeedFilter, page: FeedPage): Promise<FoundPage> {
  if (!isOfFew(filter)) return askPage(db, filter, page);
  // Their ranges lead to what is sealed; the rest is looked through.
  const found = await askRanges(db, filter.writer ?? {}, page);
  return found.spans.length > 0
    ? askSpans(db, filter, page, found)
    : askPage(db, filter, { ...page, after: found.end });
}

async function askPage(db: Asked, filter: FeedFilter, page: FeedPage): Promise<FoundPage> {
  const { limit, caller } = page;
  const last = await askEnd(db, filter, page);
  const statement = selectFeed(db.dialect, filter, { after: page.after, last, limit });
  const { rows } = await db.ask({ wanted: [{ attempts: [[statement]], limit }], caller });
  return { rows: (rows[0] ?? []) as unknown as FeedRow[], last };
}

function selectFeed(
  dialect: Dialect,
  filter: FeedFilter,
  { after, last, limit }: { after: Place; last: Place | undefined; limit: number },
): Statement {
  const { log } = dialect;
  const { sql, params } = feedWhere(dialect, filter, { after, last });
  return {
    sql: `SELECT ${changeColumns}, ${log.tx} AS tx FROM changes WHERE ${sql} ORDER BY ${log.order} LIMIT ?`,
    params: [...params, limit],
  };
}

const lastNoted = { attempts: [[{ sql: selectNotedPlace, params: [] }]], limit: 1 };

function notedIn(rows: readonly unknown[] | undefined): Place {
  return (rows?.[0] as Place | undefined) ?? firstPlace;
}

/** A seal has at most as many records: the ranges of the first seal that is found are all there. */
const rangesAtOnce = 500;
const sealsAtOnce = 20;

type Span = Pick<WriterRange, "first" | "last">;

/** `spans`: of one seal each, in their order. None: nothing that is sealed after the place is of these writers. */
interface FoundRanges {
  spans: Span[];
  /** The place, or the last that is sealed. */
  end: Place;
}

async function askRanges(db: Asked, writer: WriterFilter, { after, caller }: FeedPage): Promise<FoundRanges> {
  const { log } = db.dialect;
  const [by, from] = [writersWhere(writer), log.after(after)];
  const ranges: Statement = {
    sql: `SELECT ${rangeColumns(db)} FROM ${rangesAsLog}
      WHERE writer IN (SELECT id FROM writers WHERE ${by.sql}) AND ${from.sql} ORDER BY ${log.order} LIMIT ?`,
    params: [...by.params, ...from.params, rangesAtOnce],
  };
  const { rows } = await db.ask({ wanted: [{ attempts: [[ranges]], limit: rangesAtOnce }, lastNoted], caller });
  const found = ((rows[0] ?? []) as unknown as StoredRange[]).map(rangeOf);
  const spans = [...Map.groupBy(found, ({ number }) => number).values()].map(spanOf);
  // The last one may be cut off.
  const whole = found.length < rangesAtOnce || spans.length === 1 ? spans : spans.slice(0, -1);
  const sealed = notedIn(rows[1]);
  return { spans: whole.slice(0, sealsAtOnce), end: isBefore(after, sealed) ? sealed : after };
}

/** From the first place of some ranges of a seal, which end one after the other, to their last one. */
function spanOf(ranges: readonly WriterRange[]): Span {
  const [one, ...others] = ranges.map(({ first }) => first);
  const first = others.reduce((earliest, place) => (isBefore(place, earliest) ? place : earliest), one ?? firstPlace);
  return { first, last: ranges.at(-1)?.last ?? first };
}

function isBefore(one: Place, other: Place): boolean {
  const [a, b] = [BigInt(one.tx), BigInt(other.tx)];
  return a === b ? one.seq < other.seq : a < b;
}

async function askSpans(
  db: Asked,
  filter: FeedFilter,
  { after, limit, caller }: FeedPage,
  { spans }: FoundRanges,
): Promise<FoundPage> {
  const wanted = spans.map(({ first, last }) => {
    const before = placeBefore(first);
    const from = isBefore(before, after) ? after : before;
    return { attempts: [[selectFeed(db.dialect, filter, { after: from, last, limit })]], limit };
  });
  const { rows } = await db.ask({ wanted, caller });
  return { rows: (rows.flat() as unknown as FeedRow[]).slice(0, limit), last: spans.at(-1)?.last };
}

/** The end of what is looked through. Undefined: that is the end of the log. */
async function askEnd(
  db: Asked,
  { writer = {}, ...others }: FeedFilter,
  { after, within, caller }: FeedPage,
): Promise<Place | undefined> {
  // Where every record is wanted, the limit is the end.
  if (areUnset({ ...writer, ...others })) return undefined;
  const { log } = db.dialect;
  const from = log.after(after);
  const statement: Statement = {
    sql: `SELECT ${log.tx} AS tx, seq FROM changes WHERE ${from.sql} AND ${log.isSettled}
      ORDER BY ${log.order} LIMIT 1 OFFSET ?`,
    params: [...from.params, within - 1],
  };
  const { rows } = await db.ask({ wanted: [{ attempts: [[statement]], limit: 1 }], caller });
  return rows[0]?.[0] as Place | undefined;
}

/** Not all those of one door. */
function isOfFew({ writer = {} }: FeedFilter): boolean {
  const { door: _, ...one } = writer;
  return !areUnset(one);
}

function areUnset(values: object): boolean {
  return Object.values(values).every((value) => value === undefined);
}

function feedWhere(
  { log }: Dialect,
  { collections, writer, since, until }: FeedFilter,
  { after, last }: { after: Place; last: Place | undefined },
): Fragment {
  const place = last ? log.between(after, last) : log.after(after);
  const parts: Fragment[] = [place, { sql: log.isSettled, params: [] }];
  if (collections) {
    const names = collections.map(() => "?").join(", ");
    parts.push({ sql: collections.length > 0 ? `collection IN (${names})` : "1 = 0", params: collections });
  }
  const by = writer && writersWhere(writer);
  if (by && by.sql !== "") parts.push({ sql: `writer IN (SELECT id FROM writers WHERE ${by.sql})`, params: by.params });
  if (since !== undefined) parts.push({ sql: "at >= ?", params: [since] });
  if (until !== undefined) parts.push({ sql: "at <= ?", params: [until] });
  return { sql: parts.map(({ sql }) => sql).join(" AND "), params: parts.flatMap(({ params }) => params) };
}

export type KnownWriter = WriterRow & {
  /** Milliseconds; null where no change is left. */
  last: number | null;
};

/** In the order of their numbers, with the time of their last change. A query on a thread: there may be many. */
export async function askWriters(
  db: Asked,
  filter: WriterFilter,
  { after, limit, caller }: { after: number; limit: number; caller: Caller },
): Promise<KnownWriter[]> {
  const by = writersWhere(filter);
  const { log } = db.dialect;
  const statement: Statement = {
    sql: `SELECT ${writerColumns},
        (SELECT newest FROM ${rangesAsLog} WHERE changes.writer = writers.id ORDER BY ${log.newestFirst} LIMIT 1) AS last
      FROM writers WHERE id > ?${by.sql === "" ? "" : ` AND ${by.sql}`} ORDER BY id LIMIT ?`,
    params: [after, ...by.params, limit],
  };
  const { rows } = await db.ask({ wanted: [{ attempts: [[statement]], limit }], caller });
  const found = (rows[0] ?? []) as unknown as KnownWriter[];
  const newest = await askNewest(
    db,
    found.map(({ id }) => id),
    caller,
  );
  return found.map((writer) => ({ ...writer, last: newest.get(writer.id) ?? writer.last }));
}

/** When some writers last wrote what is not sealed yet. */
async function askNewest(db: Asked, writers: readonly number[], caller: Caller): Promise<Map<number, number>> {
  if (writers.length === 0) return new Map();
  const { rows: seals } = await db.ask({ wanted: [lastNoted], caller });
  const from = db.dialect.log.after(notedIn(seals[0]));
  const statement: Statement = {
    sql: `SELECT writer, MAX(at) AS newest FROM changes
      WHERE ${from.sql} AND writer IN (${writers.map(() => "?").join(", ")}) GROUP BY writer`,
    params: [...from.params, ...writers],
  };
  const { rows } = await db.ask({ wanted: [{ attempts: [[statement]], limit: writers.length }], caller });
  return new Map((rows[0] ?? []).map(({ writer, newest }) => [Number(writer), Number(newest)]));
}
