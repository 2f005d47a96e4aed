// Reads the log of changes. Writes of objects record themselves (object-writes.ts, with change-record.ts). Lists leave the
// contents out. Within one object the numbers rise with its changes; over several objects commits come in the order of
// (tx, seq), which only readers of settled changes see.

import { type ChangedRow, type ChangeRecord, kindNumber } from "#storage/log/change-record.ts";
import { changePlaces, changeValues, insertChange } from "#storage/log/change-statements.ts";
import { type OwnNumbers, ownCondition } from "#storage/log/own-numbers.ts";
import type { Reader, Tx } from "#storage/port.ts";
import { readByColumns } from "#storage/query/by-columns.ts";
import { bytesOf } from "./contents.ts";

export interface ChangeRow {
  seq: number;
  /** Milliseconds. */
  at: number;
  rid: number;
  /** After the change. */
  rev: number;
  /** As a number: `kindOf` names it. */
  kind: number;
  flags: number;
  writer: number;
  collection: string;
  id: string;
  note: string | null;
  props: string | null;
  /** 0 or 1. */
  hasContent: number;
}

/** What a list of one object's changes shows. */
export type ListedChange = Omit<ChangeRow, "rid" | "flags">;

export type ChangeWithContent = ChangeRow & { content: string | null };

const hasContentFlag = `CASE WHEN content IS NULL THEN 0 ELSE 1 END AS "hasContent"`;
export const changeColumns = `seq, at, rid, rev, kind, flags, writer, collection, id, note, props, ${hasContentFlag}`;

/** As the indexes of deletions say it, so that they are used. */
const isDeletion = `kind IN (${kindNumber("delete")}, ${kindNumber("collection")})`;

/** For what is no write of an object, such as the deletion of a collection. */
export async function recordChange(tx: Tx, record: ChangeRecord, row: ChangedRow): Promise<void> {
  tx.touch("changes");
  await tx.run(`${insertChange} VALUES ${changePlaces}`, changeValues(record, row));
}

export interface ChangesPage {
  /** Only changes with lower numbers. */
  before?: number | undefined;
  limit: number;
}

/** The changes of one object, newest first. */
export function listObjectChanges(db: Reader, rid: number, { before, limit }: ChangesPage): Promise<ChangeRow[]> {
  return db.all<ChangeRow>(`SELECT ${changeColumns} FROM changes WHERE rid = ? AND seq < ? ORDER BY seq DESC LIMIT ?`, [
    rid,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  ]);
}

const listedByName = readByColumns<ListedChange & { otherId: string | null }>(
  `SELECT seq, at, rev, kind, writer, ${hasContentFlag}, NULLIF(id, ?) AS "otherId", note, props FROM changes
   WHERE rid = (SELECT rid FROM objects WHERE collection = ? AND id = ?) AND seq < ? ORDER BY seq DESC LIMIT ?`,
  { numbers: ["seq", "at", "rev", "kind", "writer", "hasContent"], texts: ["otherId", "note", "props"] },
);

/** The same by the name of an object, which is there now. */
export async function listChangesByName(
  db: Reader,
  { collection, id }: { collection: string; id: string },
  { before, limit }: ChangesPage,
): Promise<ListedChange[]> {
  const rows = await listedByName(db, [id, collection, id, before ?? Number.MAX_SAFE_INTEGER, limit]);
  for (const row of rows) {
    row.collection = collection;
    row.id = row.otherId ?? id;
  }
  return rows;
}

/** The changes of one object from this one on, newest first, with what they replaced. */
export function listContents(
  db: Reader,
  rid: number,
  { from, before, limit }: ChangesPage & { from: number },
): Promise<ChangeWithContent[]> {
  return db.all<ChangeWithContent>(
    `SELECT ${changeColumns}, content FROM changes WHERE rid = ? AND seq >= ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    [rid, from, before ?? Number.MAX_SAFE_INTEGER, limit],
  );
}

/** How many changes of one object there are from this one on, up to a limit, and the bytes of what they keep. */
export async function measureContents(
  db: Reader,
  rid: number,
  { from, limit }: { from: number; limit: number },
): Promise<{ changes: number; bytes: number }> {
  const row = await db.one<{ changes: number; bytes: number }>(
    `SELECT COUNT(*) AS changes, COALESCE(SUM(bytes), 0) AS bytes
     FROM (SELECT ${bytesOf} AS bytes FROM changes WHERE rid = ? AND seq >= ? ORDER BY seq DESC LIMIT ?) AS counted`,
    [rid, from, limit],
  );
  return { changes: Number(row?.changes ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** A change of this object. */
export function findObjectChange(db: Reader, rid: number, seq: number): Promise<ChangeRow | undefined> {
  return db.one<ChangeRow>(`SELECT ${changeColumns} FROM changes WHERE rid = ? AND seq = ?`, [rid, seq]);
}

/** An object of a collection, by its name. */
export type NamedObject = Pick<ChangeRow, "collection" | "id"> & {
  /** Of the objects of this collection. Undefined: of all that had its id. */
  numbers?: OwnNumbers | undefined;
};

/** The first deletion of an object of this id after the moment (milliseconds). */
export function findDeletionAfter(
  db: Reader,
  { collection, id, numbers }: NamedObject,
  moment: number,
): Promise<ChangeRow | undefined> {
  const own = ownCondition(numbers);
  return db.one<ChangeRow>(
    `SELECT ${changeColumns} FROM changes WHERE collection = ? AND id = ? AND kind = ${kindNumber("delete")}
       AND ${isDeletion} AND at > ?${own.sql} ORDER BY seq LIMIT 1`,
    [collection, id, moment, ...own.params],
  );
}

/** The newest deletion of an object of this id. */
export function findLastDeletion(db: Reader, { collection, id, numbers }: NamedObject): Promise<ChangeRow | undefined> {
  const own = ownCondition(numbers);
  return db.one<ChangeRow>(
    `SELECT ${changeColumns} FROM changes WHERE collection = ? AND id = ? AND kind = ${kindNumber("delete")}
       AND ${isDeletion}${own.sql} ORDER BY seq DESC LIMIT 1`,
    [collection, id, ...own.params],
  );
}

/** The numbers of the objects of this id that were deleted, after a change; each deletion names one. */
export function listDeletionsOf(
  db: Reader,
  { collection, id }: Pick<ChangeRow, "collection" | "id">,
  { after, limit }: { after: number; limit: number },
): Promise<Pick<ChangeRow, "seq" | "rid">[]> {
  return db.all(
    `SELECT seq, rid FROM changes WHERE collection = ? AND id = ? AND kind = ${kindNumber("delete")} AND ${isDeletion}
       AND seq > ? ORDER BY seq LIMIT ?`,
    [collection, id, after, limit],
  );
}
