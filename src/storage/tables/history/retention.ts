// What the log no longer keeps: how far each part of the retention has looked through it, the records that are due, and whole
// ranges that go. Everything is found by an index, so that a run costs what is due and not what there is.

import { kindNumber } from "#storage/log/change-record.ts";
import type { Fragment, Place, Reader, Storage, Tx } from "#storage/port.ts";
import { bytesOf, contentColumns, countBytes, type KeptContent, lockBytes } from "./contents.ts";
import { type SealRow, sealColumns } from "./seals.ts";
import { removeWriterRanges } from "./writer-ranges.ts";

const isDeletion = `kind IN (${kindNumber("delete")}, ${kindNumber("collection")})`;
const hasContent = "(content IS NOT NULL OR secrets IS NOT NULL)";

export interface Walk extends Place {
  /** What it looked for. */
  rule: string;
}

export function findWalk(db: Reader, name: string): Promise<Walk | undefined> {
  return db.one<Walk>("SELECT tx, seq, rule FROM history_walks WHERE name = ?", [name]);
}

export async function setWalk(tx: Tx, name: string, { tx: transaction, seq, rule }: Walk): Promise<void> {
  await tx.run(
    `INSERT INTO history_walks (name, tx, seq, rule) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET tx = excluded.tx, seq = excluded.seq, rule = excluded.rule`,
    [name, transaction, seq, rule],
  );
}

/** Of collections that say nothing themselves any more. */
export async function endWalk(tx: Tx, name: string): Promise<void> {
  await tx.run("DELETE FROM history_walks WHERE name = ?", [name]);
}

/** By the beginning of their names; there are few. */
export async function listWalks(db: Reader, beginning: string): Promise<string[]> {
  const rows = await db.all<{ name: string }>(
    "SELECT name FROM history_walks WHERE name >= ? AND name < ? ORDER BY name LIMIT 10000",
    [beginning, `${beginning}\uffff`],
  );
  return rows.map(({ name }) => name);
}

interface Range {
  after: Place;
  upTo: Place;
}

function rangeOf(db: Pick<Reader, "dialect">, { after, upTo }: Range): Fragment {
  return db.dialect.log.between(after, upTo);
}

/** A record without what it keeps. */
export interface RecordHead extends Place {
  at: number;
  rid: number;
  rev: number;
  kind: number;
  collection: string;
  /** 0 or 1. */
  isKept: number;
}

/** In the order of commits. */
export function listHeads(db: Reader, range: Range, limit: number): Promise<RecordHead[]> {
  const { sql, params } = rangeOf(db, range);
  return db.all<RecordHead>(
    `SELECT seq, ${db.dialect.log.tx} AS tx, at, rid, rev, kind, collection,
       CASE WHEN ${hasContent} THEN 1 ELSE 0 END AS "isKept"
     FROM changes WHERE ${sql} ORDER BY ${db.dialect.log.order} LIMIT ?`,
    [...params, limit],
  );
}

/** What the records of a range keep, in the order of commits: of one collection, without its deletions, or all of it. */
export function iterateKept(db: Storage, range: Range, of: { collection?: string; isAll?: boolean }) {
  const { sql, params } = rangeOf(db, range);
  const own = of.collection === undefined ? "" : "AND collection = ?";
  const kinds = of.isAll ? "" : `AND NOT (${isDeletion})`;
  return db.iterate<KeptContent>(
    `SELECT ${contentColumns} FROM changes WHERE ${sql} AND ${hasContent} ${own} ${kinds} ORDER BY ${db.dialect.log.order}`,
    [...params, ...(of.collection === undefined ? [] : [of.collection])],
    50,
  );
}

/** A change of one object, as the retention looks at it. */
export interface PastHead {
  seq: number;
  rev: number;
  kind: number;
  /** 0 or 1. */
  isKept: number;
  /** Its values were taken out. */
  isEmptied: number;
}

/** Newest first. The hash stands behind the content: it is read where that is gone. */
export function listPastHeads(db: Reader, rid: number, before: number, limit: number): Promise<PastHead[]> {
  return db.all<PastHead>(
    `SELECT seq, rev, kind, CASE WHEN ${hasContent} THEN 1 ELSE 0 END AS "isKept",
       CASE WHEN content IS NULL AND content_hash IS NOT NULL THEN 1 ELSE 0 END AS "isEmptied"
     FROM changes WHERE rid = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    [rid, before, limit],
  );
}

/** What the changes of one object keep, from one number to another. */
export function listKeptOf(
  db: Reader,
  rid: number,
  { from, to }: { from: number; to: number },
): Promise<KeptContent[]> {
  return db.all<KeptContent>(
    `SELECT ${contentColumns} FROM changes WHERE rid = ? AND seq >= ? AND seq <= ? AND ${hasContent} ORDER BY seq LIMIT 100`,
    [rid, from, to],
  );
}

/** The next collection in which a deletion still has its content. */
export async function findTrashAfter(db: Reader, collection: string): Promise<string | undefined> {
  const row = await db.one<{ collection: string }>(
    `SELECT collection FROM changes WHERE collection > ? AND ${isDeletion} AND content IS NOT NULL
     ORDER BY collection, seq LIMIT 1`,
    [collection],
  );
  return row?.collection;
}

export interface KeptDeletion {
  seq: number;
  rid: number;
  collection: string;
  /** Milliseconds. */
  at: number;
}

/** Sealed deletions of a collection that still have their content, oldest first, after a number. */
export function listKeptDeletions(
  db: Reader,
  collection: string,
  { after, upTo, limit }: { after: number; upTo: Place; limit: number },
): Promise<KeptDeletion[]> {
  const sealed = db.dialect.log.upTo(upTo);
  return db.all<KeptDeletion>(
    `SELECT seq, rid, collection, at FROM changes WHERE collection = ? AND seq > ? AND ${isDeletion} AND content IS NOT NULL
       AND ${sealed.sql} ORDER BY seq LIMIT ?`,
    [collection, after, ...sealed.params, limit],
  );
}

/** The oldest range whose records are there, and the place before it. Never the last one: its numbers must not be given again. */
export async function findOldestRange(db: Reader): Promise<(Range & { seal: SealRow }) | undefined> {
  const found = await db.all<SealRow>(`SELECT ${sealColumns} FROM seals WHERE pruned = 0 ORDER BY number LIMIT 2`);
  const [seal, next] = found;
  if (!seal || !next) return undefined;
  const before = await db.one<Place>("SELECT tx, seq FROM seals WHERE number = ?", [seal.number - 1]);
  return { after: before ?? { tx: "0", seq: 0 }, upTo: { tx: seal.tx, seq: seal.seq }, seal };
}

/** Removes the records of a sealed range; its seal stays, with a mark that says so. Returns how many there were. */
export async function removeRange(tx: Tx, { after, upTo, number, mark }: Range & { number: number; mark: string }) {
  await lockBytes(tx);
  const range = rangeOf(tx, { after, upTo });
  const bytes = await sumRange(tx, { after, upTo });
  const marked = await tx.run("UPDATE seals SET pruned = 1, marks = ? WHERE number = ? AND pruned = 0", [mark, number]);
  if (marked === 0) return 0;
  await removeWriterRanges(tx, { after, upTo });
  const removed = await tx.run(`DELETE FROM changes WHERE ${range.sql}`, range.params);
  await countBytes(tx, -bytes);
  await tx.run("UPDATE change_log SET tx = ?, seq = ? WHERE one = 1", [upTo.tx, upTo.seq]);
  tx.touch("changes");
  return removed;
}

/** The bytes that the contents of a range take up. */
export async function sumRange(tx: Tx, range: Range): Promise<number> {
  const { sql, params } = rangeOf(tx, range);
  const row = await tx.one<{ bytes: number }>(
    `SELECT COALESCE(SUM(${bytesOf}), 0) AS bytes FROM changes WHERE ${sql}`,
    params,
  );
  return Number(row?.bytes ?? 0);
}
