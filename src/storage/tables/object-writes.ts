// Stores objects: the row of each with its document, its index entry and its search text, always all three. How the
// engine stores them is Dialect.objects. Every write moves the collection's scope; counters are collections.ts.

import { type Tx, UniqueViolation } from "#storage/port.ts";
import type { ObjectRow, ObjectUpdate, ObjectWrite } from "./object-row.ts";

/** Throws UniqueViolation when the id is taken. */
export async function insertObject(tx: Tx, write: ObjectWrite): Promise<{ rid: number; rev: number }> {
  const [rid] = await insertObjects(tx, [write]);
  if (rid === undefined) throw new UniqueViolation();
  return { rid, rev: 1 };
}

/** Of one collection. The `rid` of each; undefined where the id was taken, which changes nothing. */
export async function insertObjects(tx: Tx, writes: readonly ObjectWrite[]): Promise<(number | undefined)[]> {
  const [first] = writes;
  if (!first) return [];
  tx.touch(`objects:${first.collection}`);
  return tx.dialect.objects.insert(tx, writes);
}

const changeRow = `UPDATE objects SET created = ?, modified = ?, rev = rev + 1, schema_rev = ?, doc = ?, secrets = ?
  WHERE rid = ?`;

/** The row has been locked; its rev goes up by one. */
export function updateObject(tx: Tx, rid: number, write: ObjectUpdate): Promise<void> {
  const { collection, created, modified, schemaRev, doc, secrets } = write;
  tx.touch(`objects:${collection}`);
  const params = [created, modified, schemaRev, doc, JSON.stringify(secrets), rid];
  return tx.dialect.objects.update(tx, rid, write, { sql: changeRow, params });
}

const rewriteRow = "UPDATE objects SET schema_rev = ?, doc = ?, secrets = ?, attic = ? WHERE rid = ?";

/** The same content under another schema: the rev stays, and so does what If-Match compares. */
export function rewriteObject(tx: Tx, rid: number, write: ObjectWrite & { attic: string }): Promise<void> {
  const { collection, schemaRev, doc, secrets, attic } = write;
  tx.touch(`objects:${collection}`);
  const params = [schemaRev, doc, JSON.stringify(secrets), attic, rid];
  return tx.dialect.objects.update(tx, rid, write, { sql: rewriteRow, params });
}

export async function deleteObject(tx: Tx, { rid, collection }: Pick<ObjectRow, "rid" | "collection">): Promise<void> {
  tx.touch(`objects:${collection}`);
  await tx.dialect.objects.delete(tx, rid);
}

/** Deletes up to `limit` objects of a collection; returns how many. */
export async function deleteSomeObjects(tx: Tx, collection: string, limit: number): Promise<number> {
  tx.touch(`objects:${collection}`);
  return tx.dialect.objects.deleteSome(tx, collection, limit);
}
