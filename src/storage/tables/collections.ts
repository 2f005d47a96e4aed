// Collections: the settings record as text, and the counters beside it, which every object write moves.

import { CairnError } from "#base/errors.ts";
import { isOwnNumber, newNumbers, type OwnNumbers, readNumbers } from "#storage/log/own-numbers.ts";
import { perDialect } from "#storage/per-dialect.ts";
import type { Dialect, Reader, Storage, Tx } from "#storage/port.ts";

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
  /** JSON text: the numbers of its objects in the log (log/own-numbers.ts). */
  numbers: string;
  /** When it was created, or came back from the trash; empty: an earlier version created it. */
  began: string;
}

/** Words carry the mark of their collection. Databases of earlier versions begin at 0. */
export const wordsLayout = 1;

export type Counters = Pick<CollectionRow, "count" | "totalObjects" | "lastUpdated">;

const counters = ({ counters: { count, totalObjects, lastUpdated } }: Dialect) =>
  `${count} AS count, ${totalObjects} AS "totalObjects", ${lastUpdated} AS "lastUpdated"`;
const columns = perDialect(
  (dialect) => `id, settings, ${counters(dialect)}, updated,
    indexed_rev AS "indexedRev", words, is_deleting AS "isDeleting", numbers, began`,
);

export function listCollectionRows(db: Reader): Promise<CollectionRow[]> {
  return db.all<CollectionRow>(`SELECT ${columns(db.dialect)} FROM collections ORDER BY id`);
}

/** By collection. */
export async function listCounters(db: Reader): Promise<Map<string, Omit<Counters, "count">>> {
  const rows = await db.all<Counters & { id: string }>(`SELECT id, ${counters(db.dialect)} FROM collections`);
  return new Map(rows.map(({ id, totalObjects, lastUpdated }) => [id, { totalObjects, lastUpdated }]));
}

export function findCollectionRow(db: Reader, id: string): Promise<CollectionRow | undefined> {
  return db.one<CollectionRow>(`SELECT ${columns(db.dialect)} FROM collections WHERE id = ?`, [id]);
}

/** Whether an object with this number is one of the collection's. */
export async function ownsNumber(db: Reader, id: string, rid: number): Promise<boolean> {
  const row = await db.one<{ numbers: string }>("SELECT numbers FROM collections WHERE id = ?", [id]);
  return row !== undefined && isOwnNumber(readNumbers(row.numbers), rid);
}

/** For a change that depends on stored values: the settings are locked until the transaction ends. */
export async function lockCollectionRow(tx: Tx, id: string): Promise<CollectionRow | undefined> {
  const { forUpdate } = tx.dialect;
  // By a statement of its own: one that waited would see counters from before.
  if (forUpdate && !(await tx.one(`SELECT id FROM collections WHERE id = ? ${forUpdate}`, [id]))) return undefined;
  return findCollectionRow(tx, id);
}

/** To the end of the transaction no object is counted, so what `lockCollectionRow` finds stays. Before all other locks. */
export async function lockAllCounters(tx: Tx): Promise<void> {
  const { appended } = tx.dialect.counters;
  if (appended) await tx.run(appended.lockAll);
}

/** What a collection that comes back has from before. */
export interface FormerCollection {
  numbers: OwnNumbers;
  count: number;
}

/** False when the id is taken. */
export async function insertCollection(
  tx: Tx,
  row: Pick<CollectionRow, "id" | "settings" | "lastUpdated" | "updated" | "indexedRev">,
  former?: FormerCollection,
): Promise<boolean> {
  const numbers = former ? "?" : newNumbers(tx.dialect);
  const inserted = await tx.run(
    `INSERT INTO collections (id, settings, last_updated, began, updated, indexed_rev, words, count, numbers)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ${numbers}) ON CONFLICT (id) DO NOTHING`,
    [
      ...[row.id, row.settings, row.lastUpdated, row.lastUpdated, row.updated, row.indexedRev],
      ...[wordsLayout, former?.count ?? 0],
      ...(former ? [JSON.stringify(former.numbers)] : []),
    ],
  );
  if (inserted === 0) return false;
  tx.touch("collections");
  return true;
}

export async function updateCollectionSettings(tx: Tx, id: string, settings: string, updated: string): Promise<void> {
  await tx.run("UPDATE collections SET settings = ?, updated = ? WHERE id = ?", [settings, updated, id]);
  tx.touch("collections");
}

/** Hides the collection at once; its objects go in slices, once all transactions that have not seen it are over (`settle`). */
export async function markDeleting(tx: Tx, id: string): Promise<void> {
  await tx.run("UPDATE collections SET is_deleting = 1 WHERE id = ?", [id]);
  tx.touch("collections");
}

export async function deleteCollectionRow(tx: Tx, id: string): Promise<void> {
  const { appended } = tx.dialect.counters;
  if (appended) await tx.run(appended.forget, [id]);
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

const bump = `UPDATE collections SET count = count + ?, total_objects = total_objects + ?, last_updated = ?,
  writes = writes + 1`;
const isThere = "WHERE id = ? AND is_deleting = 0";
const bumpAfterWrite = `${bump},
  indexed_rev = CASE WHEN indexed_rev = ? OR indexed_rev = ? THEN indexed_rev ELSE '' END ${isThere}`;
const bumpAlone = `${bump} ${isThere}`;

/** Collections whose counters a transaction has locked: it counts there. */
const locked = new WeakMap<Tx, Set<string>>();

/**
 * Fails when the collection has gone meanwhile, and the write with it. Where changes are appended that is known at the commit:
 * call it in a transaction that has changed or locked something before, or `settle` does not wait for it.
 */
export async function bumpCounters(tx: Tx, id: string, change: CounterChange): Promise<void> {
  const { created, total, lastUpdated, schemaRev } = change;
  const { appended } = tx.dialect.counters;
  if (appended && tx.withCommit && !locked.get(tx)?.has(id)) {
    const added = [id, created, total, lastUpdated];
    const statement =
      schemaRev === undefined
        ? { sql: appended.append, params: added }
        : { sql: appended.appendAfterWrite, params: [id, schemaRev, underWay(schemaRev), ...added] };
    tx.withCommit({ ...statement, refusal: () => noCollection(id) });
    return;
  }
  const changed =
    schemaRev === undefined
      ? await tx.run(bumpAlone, [created, total, lastUpdated, id])
      : await tx.run(bumpAfterWrite, [created, total, lastUpdated, schemaRev, underWay(schemaRev), id]);
  if (changed === 0) throw noCollection(id);
}

function noCollection(id: string): CairnError {
  return new CairnError("not-found", `There is no collection "${id}".`);
}

const countersForUpdate = perDialect(
  (dialect) => `SELECT ${dialect.counters.appended ? "id" : counters(dialect)} FROM collections
     ${isThere} ${dialect.forUpdate}`,
);

/** The counters, locked until the transaction ends. Fails when the collection is gone. */
export async function lockCounters(tx: Tx, id: string): Promise<Counters> {
  const found = await tx.one<Counters>(countersForUpdate(tx.dialect), [id]);
  if (!found) throw noCollection(id);
  locked.set(tx, (locked.get(tx) ?? new Set()).add(id));
  return (await foldLocked(tx, id)) ?? found;
}

/** Undefined: the row has them all. */
async function foldLocked(tx: Tx, id: string): Promise<Counters | undefined> {
  const { appended } = tx.dialect.counters;
  return appended && tx.one<Counters>(appended.fold, [id, id, id]);
}

/** Collections with changes that are not in their rows yet. */
export async function listUnfolded(db: Reader): Promise<string[]> {
  const { appended } = db.dialect.counters;
  const rows = appended ? await db.all<{ id: string }>(appended.list) : [];
  return rows.map(({ id }) => id);
}

/** Adds them to its row. False: another transaction has the row, and may do it itself. */
export async function foldCounts(tx: Tx, id: string): Promise<boolean> {
  const { appended } = tx.dialect.counters;
  if (!appended) return true;
  if (!(await tx.one(appended.lockFree, [id]))) return false;
  await foldLocked(tx, id);
  return true;
}

export function readCounters(db: Reader, id: string): Promise<Counters | undefined> {
  return db.one<Counters>(`SELECT ${counters(db.dialect)} FROM collections WHERE id = ?`, [id]);
}

export interface LastChange extends Counters {
  /** How many changes there were. */
  writes: number;
  imported: string | null;
}

/** With the time of the last import, of one moment: comparing the two shows whether that was the last change. */
export function readLastChange(db: Reader, id: string): Promise<LastChange | undefined> {
  return db.one<LastChange>(
    `SELECT ${counters(db.dialect)}, ${db.dialect.counters.writes} AS writes,
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

/** Before all entries are rebuilt under this revision, and before `settle`: transactions that have not seen it end first. */
export async function beginIndexing(tx: Tx, id: string, rev: string): Promise<void> {
  await tx.run("UPDATE collections SET indexed_rev = ? WHERE id = ?", [underWay(rev), id]);
  tx.touch("collections");
}

/** The same, unless all entries are of this revision already: another process may have made them. Answers whether it began. */
export async function beginIndexingUnlessDone(tx: Tx, id: string, rev: string): Promise<boolean> {
  const sql = "UPDATE collections SET indexed_rev = ? WHERE id = ? AND indexed_rev <> ?";
  const hasBegun = (await tx.run(sql, [underWay(rev), id, rev])) > 0;
  if (hasBegun) tx.touch("collections");
  return hasBegun;
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
