// Objects by id: the document as it is answered, its secrets apart. object-writes.ts stores them, with their index entries
// and search texts; counters are collections.ts.

import { foldCase } from "#base/text.ts";
import { service } from "#lanes/caller.ts";
import { perDialect } from "#storage/per-dialect.ts";
import type { Reader, Storage, Tx } from "#storage/port.ts";
import { includeSql, notDraftSql } from "#storage/query/conditions.ts";
import { entryValue, literal } from "#storage/query/operands.ts";
import type { Operand } from "#storage/query/selection.ts";
import type { LockedObject, ObjectRow, ObjectSecrets } from "./object-row.ts";

export const objectColumns = `objects.rid, objects.collection, objects.id, objects.created, objects.modified,
  objects.rev, objects.schema_rev AS "schemaRev", objects.doc`;

const selectOne = `SELECT ${objectColumns} FROM objects WHERE collection = ? AND id = ?`;

/** A document, and the schema that it was written under. */
export type StoredText = Pick<ObjectRow, "schemaRev" | "doc">;
/** What the answer to a get is made of. */
export type StoredDocument = StoredText & Pick<ObjectRow, "rid" | "rev">;

const selectDocument = 'SELECT rid, rev, schema_rev AS "schemaRev", doc FROM objects WHERE collection = ? AND id = ?';

/** As findObject, for the hot path: each column that is read costs. */
export function findDocument(db: Reader, collection: string, id: string): Promise<StoredDocument | undefined> {
  return db.one<StoredDocument>(selectDocument, [collection, id]);
}

/** All documents of a small collection, in order of id. */
export function listDocuments(
  db: Reader,
  collection: string,
): Promise<{ id: string; modified: string; doc: string }[]> {
  return db.all("SELECT id, modified, doc FROM objects WHERE collection = ? ORDER BY id", [collection]);
}

export function findObject(db: Reader, collection: string, id: string): Promise<ObjectRow | undefined> {
  return db.one<ObjectRow>(selectOne, [collection, id]);
}

const selectForUpdate = perDialect(
  ({ forUpdate }) => `SELECT ${objectColumns}, secrets FROM objects WHERE collection = ? AND id = ? ${forUpdate}`,
);

/** For a change that depends on stored values: the object is locked until the transaction ends. */
export async function lockObject(tx: Tx, collection: string, id: string): Promise<LockedObject | undefined> {
  const row = await tx.one<ObjectRow & { secrets: string }>(selectForUpdate(tx.dialect), [collection, id]);
  return row && { ...row, secrets: JSON.parse(row.secrets) };
}

export async function findSecrets(db: Reader, collection: string, id: string): Promise<ObjectSecrets | undefined> {
  const row = await db.one<{ secrets: string }>("SELECT secrets FROM objects WHERE collection = ? AND id = ?", [
    collection,
    id,
  ]);
  return row && JSON.parse(row.secrets);
}

export async function hasObject(db: Reader, collection: string, id: string): Promise<boolean> {
  return (
    (await db.one("SELECT 1 AS found FROM objects WHERE collection = ? AND id = ?", [collection, id])) !== undefined
  );
}

/** All objects of a collection in order of id, from one consistent view. */
export async function* iterateObjects(
  db: Storage,
  collection: string,
  batchSize: number,
  caller = service,
): AsyncIterable<LockedObject[]> {
  const sql = `SELECT ${objectColumns}, secrets FROM objects WHERE collection = ? ORDER BY id`;
  for await (const rows of db.iterate<ObjectRow & { secrets: string }>(sql, [collection], batchSize, caller)) {
    yield rows.map((row) => ({ ...row, secrets: JSON.parse(row.secrets) }));
  }
}

/** The id of another object whose indexed property has exactly this value. */
export async function findByValue(
  db: Reader,
  where: { collection: string; property: string; former?: readonly string[]; exceptId: string; skipsDrafts?: boolean },
  value: string | number | boolean,
): Promise<string | undefined> {
  const comparison = typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
  const { property, former = [] } = where;
  const operand: Operand = { property, source: "index", comparison, former };
  // First without regard to case, as the index has it (indexes.ts), then exactly.
  const folded = typeof value === "string" ? foldCase(value) : value;
  const alike = includeSql(db.dialect, where.collection, { operand, operator: "eq", values: [folded] });
  const exact = `${entryValue(db.dialect, operand)} = ?`;
  const row = await db.one<{ id: string }>(
    `SELECT id FROM object_index
     WHERE collection = ${literal(where.collection)} AND ${alike.sql} AND ${exact} AND id <> ?
       ${where.skipsDrafts ? `AND ${notDraftSql(db.dialect)} = false` : ""} LIMIT 1`,
    [...alike.params, typeof value === "boolean" ? Number(value) : value, where.exceptId],
  );
  return row?.id;
}
