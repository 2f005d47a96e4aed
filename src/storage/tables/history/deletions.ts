// The deletions of the log that still have their content: the trash. Those of objects that came back are not in it.

import { kindNumber } from "#storage/log/change-record.ts";
import type { Reader } from "#storage/port.ts";
import type { StoredObject } from "#storage/tables/object-batches.ts";
import type { ObjectKey } from "#storage/tables/object-row.ts";
import { objectColumns } from "#storage/tables/objects.ts";
import { type ChangeRow, changeColumns } from "./changes.ts";
import { contentColumns, type KeptContent } from "./contents.ts";

export type Deletion = ChangeRow & {
  /** JSON text: `document`, `attic`, `created`, `modified` and `schemaRev` of an object; `settings`, `schema`, `numbers` and `count` of a collection. */
  content: string;
  /** JSON text. */
  secrets: string | null;
};

/** As the index of the trash says it, so that it is used. */
const isKept = `kind IN (${kindNumber("delete")}, ${kindNumber("collection")}) AND content IS NOT NULL`;

/** A deletion with its content, of an object or of a collection, also when it came back. */
export function findDeletion(db: Reader, seq: number): Promise<Deletion | undefined> {
  return db.one<Deletion>(`SELECT ${changeColumns}, content, secrets FROM changes WHERE seq = ? AND ${isKept}`, [seq]);
}

/** Also where nothing was recorded of its return. */
const isLast = `NOT EXISTS (SELECT 1 FROM changes later WHERE later.rid = changes.rid AND later.seq > changes.seq
  AND changes.rid > 0) AND NOT EXISTS (SELECT 1 FROM objects WHERE objects.rid = changes.rid
  AND objects.collection = changes.collection)`;

export interface TrashPage {
  /** Undefined: of all. */
  collection?: string | undefined;
  /** Only changes with lower numbers. */
  before?: number | undefined;
  limit: number;
}

/** Newest first. */
export function listTrash(db: Reader, { collection, before, limit }: TrashPage): Promise<ChangeRow[]> {
  const own = collection === undefined ? "" : "collection = ? AND";
  return db.all<ChangeRow>(
    `SELECT ${changeColumns} FROM changes WHERE ${own} seq < ? AND ${isKept} AND ${isLast} ORDER BY seq DESC LIMIT ?`,
    [...(collection === undefined ? [] : [collection]), before ?? Number.MAX_SAFE_INTEGER, limit],
  );
}

/** The newest deletion of a collection of this id. `before`: of those with lower numbers. */
export function findCollectionDeletion(
  db: Reader,
  collection: string,
  before = Number.MAX_SAFE_INTEGER,
): Promise<ChangeRow | undefined> {
  return db.one<ChangeRow>(
    `SELECT ${changeColumns} FROM changes WHERE collection = ? AND id = '' AND kind = ${kindNumber("collection")}
       AND kind IN (${kindNumber("delete")}, ${kindNumber("collection")}) AND seq < ? ORDER BY seq DESC LIMIT 1`,
    [collection, before],
  );
}

/** The highest number of the objects that were deleted from a collection: before it was, and with it, by the same writer. */
export async function findHighestDeleted(
  db: Reader,
  { collection, writer, seq }: Pick<ChangeRow, "collection" | "writer" | "seq">,
): Promise<number> {
  const row = await db.one<{ highest: number | null }>(
    `SELECT MAX(rid) AS highest FROM changes WHERE collection = ? AND (seq < ? OR writer = ?)
       AND kind = ${kindNumber("delete")} AND kind IN (${kindNumber("delete")}, ${kindNumber("collection")})`,
    [collection, seq, writer],
  );
  return Number(row?.highest ?? 0);
}

/** The deletions of one writer from this number on, oldest first: the objects of a collection that was deleted. */
export function listDeletionsBy(
  db: Reader,
  writer: number,
  { after, limit }: { after: number; limit: number },
): Promise<ChangeRow[]> {
  return db.all<ChangeRow>(
    `SELECT ${changeColumns} FROM changes WHERE writer = ? AND seq > ? AND kind = ${kindNumber("delete")}
       AND content IS NOT NULL ORDER BY seq LIMIT ?`,
    [writer, after, limit],
  );
}

/** The number of the newest change of an object; 0: the log has none. */
export async function lastChangeOf(db: Reader, rid: number): Promise<number> {
  const row = await db.one<{ seq: number }>("SELECT seq FROM changes WHERE rid = ? ORDER BY seq DESC LIMIT 1", [rid]);
  return row?.seq ?? 0;
}

const storedColumns = `${objectColumns}, secrets, attic`;

/** The object that has this id now. */
export function findStoredByName(db: Reader, collection: string, id: string): Promise<StoredObject | undefined> {
  return db.one<StoredObject>(`SELECT ${storedColumns} FROM objects WHERE collection = ? AND id = ?`, [collection, id]);
}

/** By its number: an object that came back may have another id. */
export function findStoredObject(db: Reader, { rid, collection }: ObjectKey): Promise<StoredObject | undefined> {
  return db.one<StoredObject>(`SELECT ${storedColumns} FROM objects WHERE rid = ? AND collection = ?`, [
    rid,
    collection,
  ]);
}

/** What a deletion keeps; undefined: it is gone. */
export function findKeptDeletion(db: Reader, seq: number): Promise<KeptContent | undefined> {
  return db.one<KeptContent>(`SELECT ${contentColumns} FROM changes WHERE seq = ? AND ${isKept}`, [seq]);
}
