// Stores objects: the row of each with its document, its index entry, its search text and its record in the log, always all
// four. How the engine stores them is Dialect.objects. Every write moves the collection's scope; counters are collections.ts.

import type { DeletionRecord, Recorded } from "#storage/log/change-record.ts";
import { type Tx, UniqueViolation } from "#storage/port.ts";
import { versionOf } from "#storage/query/object-versions.ts";
import type { FormerObject, NewObject, ObjectKey, ObjectRow, ObjectUpdate, ObjectWrite } from "./object-row.ts";

/** Throws UniqueViolation when the id is taken. */
export async function insertObject(tx: Tx, write: NewObject): Promise<{ rid: number; rev: number }> {
  const [rid] = await insertObjects(tx, [write]);
  if (rid === undefined) throw new UniqueViolation();
  return { rid, rev: 1 };
}

/** Of one collection. The `rid` of each; undefined where the id was taken, which changes nothing. */
export async function insertObjects(tx: Tx, writes: readonly NewObject[]): Promise<(number | undefined)[]> {
  const [first] = writes;
  if (!first) return [];
  for (const { collection, id } of writes) tx.touch(`objects:${collection}`, { id });
  if (writes.some(({ record }) => record)) tx.touch("changes");
  return tx.dialect.objects.insert(tx, writes);
}

/** An object that was deleted, with its number again. Throws UniqueViolation when the number or the id is taken. */
export async function reinstateObject(tx: Tx, former: FormerObject, write: NewObject): Promise<void> {
  tx.touch(`objects:${write.collection}`);
  if (write.record) tx.touch("changes");
  if (!(await tx.dialect.objects.reinstate(tx, former, write))) throw new UniqueViolation();
}

const changeRow = `UPDATE objects SET created = ?, modified = ?, rev = rev + 1, schema_rev = ?, doc = ?, secrets = ?
  WHERE rid = ? AND collection = ?`;

export interface Update {
  write: ObjectUpdate;
  record: Recorded;
  /** Properties whose values differ from those that are stored; absent: any may. */
  names?: ReadonlySet<string> | undefined;
}

/** The row has been locked; its rev goes up by one. */
export function updateObject(
  tx: Tx,
  { rid, rev }: Pick<ObjectRow, "rid" | "rev">,
  { write, record, names }: Update,
): Promise<void> {
  const { collection, id, created, modified, schemaRev, doc, secrets } = write;
  tx.touch(`objects:${collection}`, { id, version: versionOf({ rid, rev: rev + 1 }), names });
  if (record) tx.touch("changes");
  const params = [created, modified, schemaRev, doc, JSON.stringify(secrets), rid, collection];
  const object = { rid, rev: rev + 1, collection, id };
  return tx.dialect.objects.update(tx, object, write, { row: { sql: changeRow, params }, record });
}

const rewriteRow =
  "UPDATE objects SET schema_rev = ?, doc = ?, secrets = ?, attic = ? WHERE rid = ? AND collection = ?";

/** The same content under another schema: the rev stays, and so does what If-Match compares. The log keeps nothing of it. */
export function rewriteObject(
  tx: Tx,
  { rid, rev }: Pick<ObjectRow, "rid" | "rev">,
  write: ObjectWrite & { attic: string },
): Promise<void> {
  const { collection, id, schemaRev, doc, secrets, attic } = write;
  tx.touch(`objects:${collection}`);
  const params = [schemaRev, doc, JSON.stringify(secrets), attic, rid, collection];
  const object = { rid, rev, collection, id };
  return tx.dialect.objects.update(tx, object, write, { row: { sql: rewriteRow, params }, record: undefined });
}

export async function deleteObject(
  tx: Tx,
  { rid, collection }: ObjectKey,
  record: DeletionRecord | undefined,
): Promise<void> {
  tx.touch(`objects:${collection}`);
  if (record) tx.touch("changes");
  await tx.dialect.objects.delete(tx, { rid, collection }, record);
}

export interface SomeObjects {
  collection: string;
  limit: number;
}

/** Deletes up to `limit` objects of a collection; returns how many. */
export async function deleteSomeObjects(
  tx: Tx,
  { collection, limit }: SomeObjects,
  record: DeletionRecord | undefined,
): Promise<number> {
  tx.touch(`objects:${collection}`);
  if (record) tx.touch("changes");
  return tx.dialect.objects.deleteSome(tx, collection, limit, record);
}
