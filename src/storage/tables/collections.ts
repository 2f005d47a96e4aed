// Collections: the settings record as text, and the counters beside it, which every object write moves.

import { fail } from "#base/errors.ts";
import { perDialect } from "#storage/per-dialect.ts";
import type { Reader, Storage, Tx } from "#storage/port.ts";

export interface CollectionRow {
  id: string;
  /** JSON text, without counters and timestamps. */
  settings: string;
  count: number;
  totalObjects: number;
  lastUpdated: string;
  updated: string;
  /** The schema revision that all index entries are made under; of no schema while that is not so. */
  indexedRev: string;
  /** How the words of all its objects are kept in the full-text index: as `wordsLayout`, unless they must be rebuilt. */
  words: number;
  isDeleting: number;
}

/** Words carry the mark of their collection. Databases of earlier versions begin at 0. */
export const wordsLayout = 1;

export type Counters = Pick<CollectionRow, "count" | "totalObjects" | "lastUpdated">;

const columns = `id, settings, count, total_objects AS "totalObjects", last_updated AS "lastUpdated", updated,
  indexed_rev AS "indexedRev", words, is_deleting AS "isDeleting"`;

export function listCollectionRows(db: Reader): Promise<CollectionRow[]> {
  return db.all<CollectionRow>(`SELECT ${columns} FROM collections ORDER BY id`);
}

/** By collection. */
export async function listCounters(db: Reader): Promise<Map<string, Omit<Counters, "count">>> {
  const rows = await db.all<Omit<Counters, "count"> & { id: string }>(
    `SELECT id, total_objects AS "totalObjects", last_updated AS "lastUpdated" FROM collections`,
  );
  return new Map(rows.map(({ id, ...counters }) => [id, counters]));
}

export function findCollectionRow(db: Reader, id: string): Promise<CollectionRow | undefined> {
  return db.one<CollectionRow>(`SELECT ${columns} FROM collections WHERE id = ?`, [id]);
}

/** For a change that depends on stored values: settings and counters are locked until the transaction ends. */
export function lockCollectionRow(tx: Tx, id: string): Promise<CollectionRow | undefined> {
  return tx.one<CollectionRow>(`SELECT ${columns} FROM collections WHERE id = ? ${tx.dialect.forUpdate}`, [id]);
}

/** False when the id is taken. */
export async function insertCollection(
  tx: Tx,
  row: Pick<CollectionRow, "id" | "settings" | "lastUpdated" | "updated" | "indexedRev">,
): Promise<boolean> {
  const inserted = await tx.run(
    `INSERT INTO collections (id, settings, last_updated, updated, indexed_rev, words) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO NOTHING`,
    [row.id, row.settings, row.lastUpdated, row.updated, row.indexedRev, wordsLayout],
  );
  if (inserted === 0) return false;
  tx.touch("collections");
  return true;
}

export async function updateCollectionSettings(tx: Tx, id: string, settings: string, updated: string): Promise<void> {
  await tx.run("UPDATE collections SET settings = ?, updated = ? WHERE id = ?", [settings, updated, id]);
  tx.touch("collections");
}

/** Hides the collection at once; its objects go in slices afterwards. */
export async function markDeleting(tx: Tx, id: string): Promise<void> {
  await tx.run("UPDATE collections SET is_deleting = 1 WHERE id = ?", [id]);
  tx.touch("collections");
}

export async function deleteCollectionRow(tx: Tx, id: string): Promise<void> {
  await tx.run("DELETE FROM collections WHERE id = ?", [id]);
  tx.touch("collections");
}

export interface CounterChange {
  created: number;
  total: number;
  lastUpdated: string;
  /** What objects were written under, if any were: the collection is to be indexed again when it is past that already. */
  schemaRev?: string;
}

const bump = "UPDATE collections SET count = count + ?, total_objects = total_objects + ?, last_updated = ?";
const isThere = "WHERE id = ? AND is_deleting = 0";
const bumpAfterWrite = `${bump},
  indexed_rev = CASE WHEN indexed_rev = ? OR indexed_rev = ? THEN indexed_rev ELSE '' END ${isThere}`;
const bumpAlone = `${bump} ${isThere}`;

/** Fails when the collection has gone meanwhile, and the write with it. */
export async function bumpCounters(tx: Tx, id: string, change: CounterChange): Promise<void> {
  const { created, total, lastUpdated, schemaRev } = change;
  const changed =
    schemaRev === undefined
      ? await tx.run(bumpAlone, [created, total, lastUpdated, id])
      : await tx.run(bumpAfterWrite, [created, total, lastUpdated, schemaRev, underWay(schemaRev), id]);
  if (changed === 0) fail("not-found", `There is no collection "${id}".`);
}

const countersForUpdate = perDialect(
  ({ forUpdate }) => `SELECT count, total_objects AS "totalObjects", last_updated AS "lastUpdated" FROM collections
     WHERE id = ? AND is_deleting = 0 ${forUpdate}`,
);

/** The counters, locked until the transaction ends. Fails when the collection is gone. */
export async function lockCounters(tx: Tx, id: string): Promise<Counters> {
  const counters = await tx.one<Counters>(countersForUpdate(tx.dialect), [id]);
  return counters ?? fail("not-found", `There is no collection "${id}".`);
}

export function readCounters(db: Reader, id: string): Promise<Counters | undefined> {
  return db.one<Counters>(
    `SELECT count, total_objects AS "totalObjects", last_updated AS "lastUpdated" FROM collections WHERE id = ?`,
    [id],
  );
}

/** With the time of the last import, of one moment: comparing the two shows whether that was the last change. */
export function readLastChange(db: Reader, id: string): Promise<(Counters & { imported: string | null }) | undefined> {
  return db.one<Counters & { imported: string | null }>(
    `SELECT count, total_objects AS "totalObjects", last_updated AS "lastUpdated",
       (SELECT stamped FROM stamps WHERE scope = ?) AS imported FROM collections WHERE id = ?`,
    [`import:${id}`, id],
  );
}

/**
 * How far the counter is from the objects that there are. Both are of one moment, and each write changes them together: what
 * was missing then is missing whenever it is added.
 */
export function findMiscount(storage: Storage, id: string): Promise<number> {
  return storage.view(async (view) => {
    const counted = await view.one<{ total: number }>("SELECT count(*) AS total FROM objects WHERE collection = ?", [
      id,
    ]);
    return (counted?.total ?? 0) - ((await readCounters(view, id))?.totalObjects ?? 0);
  });
}

/** `count` (ever created) never falls below the total. */
export async function mendCounters(tx: Tx, id: string, miscount: number): Promise<void> {
  if (miscount === 0) return;
  await tx.run(
    `UPDATE collections SET total_objects = total_objects + ?,
       count = CASE WHEN count < total_objects + ? THEN total_objects + ? ELSE count END WHERE id = ?`,
    [miscount, miscount, miscount, id],
  );
  tx.touch(`objects:${id}`);
}

/** Before all entries are rebuilt under this revision. */
export async function beginIndexing(tx: Tx, id: string, rev: string): Promise<void> {
  await tx.run("UPDATE collections SET indexed_rev = ? WHERE id = ?", [underWay(rev), id]);
  tx.touch("collections");
}

/**
 * With each part of it that is written. Others may have made all entries under a newer revision meanwhile: then these are
 * to be made again.
 */
export async function followIndexing(tx: Tx, id: string, rev: string): Promise<void> {
  const sql = "UPDATE collections SET indexed_rev = '' WHERE id = ? AND indexed_rev <> ? AND indexed_rev <> ?";
  await tx.run(sql, [id, rev, underWay(rev)]);
}

/** After it, unless another process has written under a different revision meanwhile: then the rebuild continues. */
export async function endIndexing(tx: Tx, id: string, rev: string): Promise<void> {
  await tx.run("UPDATE collections SET indexed_rev = ? WHERE id = ? AND indexed_rev = ?", [rev, id, underWay(rev)]);
  tx.touch("collections");
}

/** After all entries were rebuilt, whatever revision they had. */
export async function noteWords(tx: Tx, id: string): Promise<void> {
  await tx.run("UPDATE collections SET words = ? WHERE id = ?", [wordsLayout, id]);
}

function underWay(rev: string): string {
  return `>${rev}`;
}
