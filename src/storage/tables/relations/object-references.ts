// Which objects point to which. Made from the documents, in the transaction that stores them.

import type { Caller } from "#lanes/caller.ts";
import type { Asked, Tx, Value } from "#storage/port.ts";
import { notDraftSql } from "#storage/query/conditions.ts";
import type { ObjectKey } from "#storage/tables/object-row.ts";

export interface ReferenceRow {
  /** Of the object that points. */
  collection: string;
  id: string;
  /** Dotted, through cards and decks. */
  property: string;
  targetCollection: string;
  targetId: string;
}

/** The object that points, and by which property. */
export type PointingRow = Pick<ReferenceRow, "collection" | "id" | "property">;

interface Target {
  collection: string;
  id: string;
}

/** Rows, or ids, of one statement. */
const atOnce = 200;

export async function insertReferences(tx: Tx, rows: readonly ReferenceRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce);
    await tx.run(
      `INSERT INTO object_references (collection, id, property, target_collection, target_id)
       VALUES ${some.map(() => "(?, ?, ?, ?, ?)").join(", ")} ON CONFLICT DO NOTHING`,
      some.flatMap((row) => [row.collection, row.id, row.property, row.targetCollection, row.targetId]),
    );
  }
}

/** What these objects point to. */
export async function deleteReferences(tx: Tx, collection: string, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    const places = some.map(() => "?").join(", ");
    await tx.run(`DELETE FROM object_references WHERE collection = ? AND id IN (${places})`, [collection, ...some]);
  }
}

/** Of some objects of a collection that is deleted. False: none are left. */
export async function deleteSomeReferences(tx: Tx, collection: string): Promise<boolean> {
  const some = `SELECT id FROM object_references WHERE collection = ? LIMIT ${atOnce}`;
  const deleted = await tx.run(`DELETE FROM object_references WHERE collection = ? AND id IN (${some})`, [
    collection,
    collection,
  ]);
  return deleted > 0;
}

/** Those of the ids that there are; none of them is deleted until the transaction ends. */
export async function lockReferenced(
  tx: Tx,
  collection: string,
  ids: readonly string[],
  { hideDrafts = false }: { hideDrafts?: boolean } = {},
): Promise<Set<string>> {
  const isShown = `AND EXISTS (SELECT 1 FROM object_index WHERE object_index.collection = objects.collection
    AND object_index.id = objects.id AND ${notDraftSql(tx.dialect)} = false)`;
  const found = new Set<string>();
  const sorted = ids.toSorted();
  for (let from = 0; from < sorted.length; from += atOnce) {
    const some = sorted.slice(from, from + atOnce);
    const sql = `SELECT id FROM objects WHERE collection = ? AND id IN (${some.map(() => "?").join(", ")})
      ${hideDrafts ? isShown : ""} ORDER BY id ${tx.dialect.forReference}`;
    for (const { id } of await tx.all<{ id: string }>(sql, [collection, ...some])) found.add(id);
  }
  return found;
}

/** An object that is about to be deleted: waits for transactions that have just made a reference to it. */
export async function lockForDeletion(tx: Tx, { rid, collection }: ObjectKey): Promise<void> {
  const sql = `SELECT rid FROM objects WHERE rid = ? AND collection = ? ${tx.dialect.forDeletion}`;
  await tx.all(sql, [rid, collection]);
}

/** In order of collection, id and property. */
export function findPointing(
  tx: Tx,
  { collection, id }: Target,
  from: readonly Pick<PointingRow, "collection" | "property">[],
  limit: number,
): Promise<PointingRow[]> {
  const pairs = from.map(() => "(collection = ? AND property = ?)").join(" OR ");
  return tx.all<PointingRow>(
    `SELECT collection, id, property FROM object_references
     WHERE target_collection = ? AND target_id = ? AND NOT (collection = ? AND id = ?) AND (${pairs})
     ORDER BY collection, id, property LIMIT ?`,
    [collection, id, collection, id, ...from.flatMap((one) => [one.collection, one.property]), limit],
  );
}

export interface PointingIntoRow extends PointingRow {
  targetId: string;
}

/** References to all objects of a collection, in pages. */
export function listPointingInto(
  tx: Tx,
  collection: string,
  after: PointingIntoRow | undefined,
  limit: number,
): Promise<PointingIntoRow[]> {
  const { targetId = "", collection: from = "", id = "", property = "" } = after ?? {};
  return tx.all<PointingIntoRow>(
    `SELECT target_id AS "targetId", collection, id, property FROM object_references
     WHERE target_collection = ? AND (target_id, collection, id, property) > (?, ?, ?, ?)
     ORDER BY target_id, collection, id, property LIMIT ?`,
    [collection, targetId, from, id, property, limit],
  );
}

/** A collection that may be listed, and its properties. */
export interface PointingFrom {
  collection: string;
  properties: readonly string[];
  /** Without drafts. */
  hideDrafts: boolean;
  /** This object alone. */
  onlyId?: string | undefined;
}

export interface PointingPage {
  from: readonly PointingFrom[];
  after?: PointingRow | undefined;
  limit: number;
  caller: Caller;
}

/** The same for readers, in pages. */
export async function askPointing(
  db: Asked,
  { collection, id }: Target,
  { from, after, limit, caller }: PointingPage,
): Promise<PointingRow[]> {
  const params: Value[] = [collection, id];
  const allowed = from.map((one) => {
    params.push(one.collection, ...one.properties);
    const names = one.properties.map(() => "?").join(", ");
    let sql = `pointing.collection = ? AND pointing.property IN (${names})`;
    if (one.onlyId !== undefined) {
      params.push(one.onlyId);
      sql += " AND pointing.id = ?";
    }
    if (!one.hideDrafts) return `(${sql})`;
    const isShown = `SELECT 1 FROM object_index WHERE object_index.collection = pointing.collection
      AND object_index.id = pointing.id AND ${notDraftSql(db.dialect)} = false`;
    return `(${sql} AND EXISTS (${isShown}))`;
  });
  if (after) params.push(after.collection, after.id, after.property);
  const sql = `SELECT pointing.collection, pointing.id, pointing.property FROM object_references AS pointing
    WHERE target_collection = ? AND target_id = ? AND (${allowed.join(" OR ")})
      ${after ? "AND (pointing.collection, pointing.id, pointing.property) > (?, ?, ?)" : ""}
    ORDER BY pointing.collection, pointing.id, pointing.property LIMIT ${limit}`;
  const { rows } = await db.ask({ wanted: [{ attempts: [[{ sql, params }]], limit }], caller });
  return (rows[0] ?? []) as unknown as PointingRow[];
}

/** Whether an object of another collection points into this one by one of these properties. */
export async function isPointedTo(
  db: Asked,
  target: string,
  from: readonly Pick<PointingRow, "collection" | "property">[],
  caller: Caller,
): Promise<boolean> {
  const pairs = from.map(() => "(collection = ? AND property = ?)").join(" OR ");
  const sql = `SELECT 1 AS found FROM object_references WHERE target_collection = ? AND (${pairs}) LIMIT 1`;
  const params = [target, ...from.flatMap(({ collection, property }) => [collection, property])];
  const { rows } = await db.ask({ wanted: [{ attempts: [[{ sql, params }]], limit: 1 }], caller });
  return (rows[0] ?? []).length > 0;
}
