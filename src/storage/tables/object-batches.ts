// The objects of a collection in slices by id, for work that goes over all of them without stopping anybody.

import { type Caller, service } from "#lanes/caller.ts";
import type { Asked, Reader, Tx } from "#storage/port.ts";
import type { ObjectRow } from "./object-row.ts";
import { objectColumns } from "./objects.ts";

export interface Slice {
  collection: string;
  /** The last id of the slice before; empty for the first. */
  after: string;
  limit: number;
}

/** `secrets` and `attic` are stored text: a damaged one must not cost the whole slice. */
export type StoredObject = ObjectRow & { secrets: string; attic: string };

/** The next ids, and the schema revision of each. Asked beside the server's own work: few of them may be wanted. */
export async function askIds(
  db: Asked,
  { collection, after, limit }: Slice,
): Promise<{ id: string; schemaRev: string }[]> {
  const sql = `SELECT id, schema_rev AS "schemaRev" FROM objects WHERE collection = ? AND id > ? ORDER BY id LIMIT ?`;
  const wanted = [{ attempts: [[{ sql, params: [collection, after, limit] }]], limit }];
  const { rows } = await db.ask({ wanted, caller: service });
  return (rows[0] ?? []) as unknown as { id: string; schemaRev: string }[];
}

/** Nobody else changes these objects until the transaction ends. */
export function lockStored(tx: Tx, collection: string, ids: readonly string[]): Promise<StoredObject[]> {
  return tx.all<StoredObject>(
    `SELECT ${objectColumns}, secrets, attic FROM objects
     WHERE collection = ? AND id IN (${ids.map(() => "?").join(", ")}) ORDER BY id ${tx.dialect.forUpdate}`,
    [collection, ...ids],
  );
}

const lockedAtOnce = 100;

/** Those of the ids that there are; nobody else changes them until the transaction ends. */
export async function lockIds(tx: Tx, collection: string, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  // In one order, so that no two wait for each other.
  const sorted = ids.toSorted();
  for (let from = 0; from < sorted.length; from += lockedAtOnce) {
    const some = sorted.slice(from, from + lockedAtOnce);
    const sql = `SELECT id FROM objects WHERE collection = ? AND id IN (${some.map(() => "?").join(", ")})
      ORDER BY id ${tx.dialect.forUpdate}`;
    for (const { id } of await tx.all<{ id: string }>(sql, [collection, ...some])) found.add(id);
  }
  return found;
}

/** The same as `readSlice`, beside the server's own work and in the name of a caller, whose time limit holds. */
export async function askSlice(
  db: Asked,
  { collection, after, limit }: Slice,
  caller: Caller,
): Promise<StoredObject[]> {
  const sql = `SELECT ${objectColumns}, secrets, attic FROM objects WHERE collection = ? AND id > ? ORDER BY id LIMIT ?`;
  const wanted = [{ attempts: [[{ sql, params: [collection, after, limit] }]], limit }];
  const { rows } = await db.ask({ wanted, caller });
  return (rows[0] ?? []) as unknown as StoredObject[];
}

/** For who only looks. */
export function readSlice(db: Reader, { collection, after, limit }: Slice): Promise<StoredObject[]> {
  return db.all<StoredObject>(
    `SELECT ${objectColumns}, secrets, attic FROM objects WHERE collection = ? AND id > ? ORDER BY id LIMIT ?`,
    [collection, after, limit],
  );
}

export function findStored(db: Reader, collection: string, id: string): Promise<StoredObject | undefined> {
  return db.one<StoredObject>(`SELECT ${objectColumns}, secrets, attic FROM objects WHERE collection = ? AND id = ?`, [
    collection,
    id,
  ]);
}

export async function countObjects(db: Reader, collection: string, exceptRev = ""): Promise<number> {
  const row = await db.one<{ total: number }>(
    "SELECT count(*) AS total FROM objects WHERE collection = ? AND schema_rev <> ?",
    [collection, exceptRev],
  );
  return row?.total ?? 0;
}

export async function hasObjects(db: Reader, collection: string): Promise<boolean> {
  return (await db.one("SELECT 1 AS found FROM objects WHERE collection = ? LIMIT 1", [collection])) !== undefined;
}
