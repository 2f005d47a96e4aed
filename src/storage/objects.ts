// Objects by id: the document as it is answered, its secrets apart, its index entry and its search text beside it.
// Every write here moves the collection's scope; counters are collections.ts.

import { fingerprint, foldCase } from "#base/text.ts";
import { includeSql } from "./conditions.ts";
import { literal } from "./operands.ts";
import { perDialect } from "./per-dialect.ts";
import { type Dialect, type Reader, type Storage, type Tx, UniqueViolation } from "./port.ts";
import { deleteSearchText, insertSearchText, replaceSearchText, wordVector } from "./search-text.ts";
import type { Operand } from "./selection.ts";

export interface ObjectRow {
  rid: number;
  collection: string;
  id: string;
  created: string;
  modified: string;
  /** Counts the writes to this object. */
  rev: number;
  /** The revision of the schema that the document was written under. */
  schemaRev: string;
  doc: string;
}

/** Dotted property path -> password hash. */
export interface ObjectSecrets {
  [path: string]: string;
}

export type LockedObject = ObjectRow & { secrets: ObjectSecrets };

export interface IndexEntry {
  /** JSON text: the indexed properties as they are answered. */
  idx: string;
  /** JSON text: their strings in lower case, for filters. */
  fold: string;
  /** Search text, folded: the title, and all other indexed text; the elements of every indexed list are in it. */
  title: string;
  body: string;
}

export interface ObjectWrite {
  collection: string;
  id: string;
  created: string;
  modified: string;
  schemaRev: string;
  doc: string;
  secrets: ObjectSecrets;
  entry: IndexEntry;
}

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

/** For a change that depends on what is stored: nobody else changes the object until the transaction ends. */
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

/** Throws UniqueViolation when the id is taken. */
export async function insertObject(tx: Tx, write: ObjectWrite): Promise<{ rid: number; rev: number }> {
  const [rid] = await insertObjects(tx, [write]);
  if (rid === undefined) throw new UniqueViolation();
  return { rid, rev: 1 };
}

/** Of one collection. What each row is called by the database; undefined where the id was taken, which changes nothing. */
export async function insertObjects(tx: Tx, writes: readonly ObjectWrite[]): Promise<(number | undefined)[]> {
  const [first] = writes;
  if (!first) return [];
  tx.touch(`objects:${first.collection}`);
  return tx.dialect.name === "sqlite" ? insertOneByOne(tx, writes) : insertTogether(tx, writes);
}

const newObject = "INSERT INTO objects (collection, id, created, modified, rev, schema_rev, doc, secrets)";
const newEntry = "INSERT INTO object_index (rid, collection, id, created, modified, idx, fold, text_hash)";
const insertRow = `${newObject} VALUES (?, ?, ?, ?, 1, ?, ?, ?)`;
const insertEntry = perDialect(({ jsonParam }) => `${newEntry} VALUES (?, ?, ?, ?, ?, ${jsonParam}, ${jsonParam}, ?)`);

async function insertOneByOne(tx: Tx, writes: readonly ObjectWrite[]): Promise<(number | undefined)[]> {
  const rids: (number | undefined)[] = [];
  for (const write of writes) {
    const { collection, id, created, modified, entry } = write;
    const rid = await insertFree(tx, write);
    rids.push(rid);
    if (rid === undefined) continue;
    const values = [rid, collection, id, created, modified, entry.idx, entry.fold, textHash(entry)];
    await tx.run(insertEntry(tx.dialect), values);
    await insertSearchText(tx, rid, entry);
  }
  return rids;
}

async function insertFree(tx: Tx, write: ObjectWrite): Promise<number | undefined> {
  const { collection, id, created, modified, schemaRev, doc, secrets } = write;
  try {
    return await tx.insert(insertRow, [collection, id, created, modified, schemaRev, doc, JSON.stringify(secrets)]);
  } catch (error) {
    if (error instanceof UniqueViolation) return undefined;
    throw error;
  }
}

const givenRow = "(?, ?, ?, ?, 1, ?, ?, ?, ?::jsonb, ?::jsonb, ?, ?::tsvector)";
const insertAll: string[] = [];

/** All rows of so many objects in one statement: there each one is a journey. */
function insertAllSql(count: number): string {
  insertAll[count] ??= `
    WITH given (collection, id, created, modified, rev, schema_rev, doc, secrets, idx, fold, text_hash, words) AS (
      VALUES ${Array(count).fill(givenRow).join(", ")}),
    made AS (
      ${newObject} SELECT collection, id, created, modified, rev, schema_rev, doc, secrets FROM given
      ON CONFLICT (collection, id) DO NOTHING RETURNING rid, id),
    entries AS (
      ${newEntry} SELECT rid, collection, id, created, modified, idx, fold, text_hash FROM made JOIN given USING (id)),
    texts AS (
      INSERT INTO object_fts (rid, words) SELECT rid, words FROM made JOIN given USING (id) WHERE words <> '')
    SELECT rid, id FROM made`;
  return insertAll[count];
}

async function insertTogether(tx: Tx, writes: readonly ObjectWrite[]): Promise<(number | undefined)[]> {
  // Of those with one id the first is meant: there can be one row for it.
  const byId = new Map<string, ObjectWrite>();
  for (const write of writes) if (!byId.has(write.id)) byId.set(write.id, write);
  // In one order, so that no two transactions wait for each other.
  const ordered = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const values = ordered.flatMap((write) => {
    const { collection, id, created, modified, schemaRev, doc, secrets, entry } = write;
    const object = [collection, id, created, modified, schemaRev, doc, JSON.stringify(secrets)];
    return [...object, entry.idx, entry.fold, textHash(entry), wordVector(entry)];
  });
  const made = await tx.all<{ rid: number; id: string }>(insertAllSql(ordered.length), values);
  const rids = new Map(made.map(({ rid, id }) => [id, rid]));
  return writes.map((write) => (byId.get(write.id) === write ? rids.get(write.id) : undefined));
}

/** The row has been locked; its rev goes up by one. */
export async function updateObject(tx: Tx, rid: number, write: ObjectWrite): Promise<void> {
  await tx.run(
    `UPDATE objects SET created = ?, modified = ?, rev = rev + 1, schema_rev = ?, doc = ?, secrets = ?
     WHERE rid = ?`,
    [write.created, write.modified, write.schemaRev, write.doc, JSON.stringify(write.secrets), rid],
  );
  await updateEntry(tx, rid, write);
}

/** The same content under another schema: the rev stays, and so does what If-Match compares. */
export async function rewriteObject(tx: Tx, rid: number, write: ObjectWrite & { attic: string }): Promise<void> {
  await tx.run("UPDATE objects SET schema_rev = ?, doc = ?, secrets = ?, attic = ? WHERE rid = ?", [
    write.schemaRev,
    write.doc,
    JSON.stringify(write.secrets),
    write.attic,
    rid,
  ]);
  await updateEntry(tx, rid, write);
}

// Naming a column makes its index entries anew, and `created` hardly ever changes.
const updateChanging = perDialect((dialect) => updateEntrySql(dialect, "modified = ?"));
const updateCreated = perDialect((dialect) => updateEntrySql(dialect, "modified = ?, created = ?"));

function updateEntrySql({ jsonParam }: Dialect, times: string): string {
  return `UPDATE object_index SET idx = ${jsonParam}, fold = ${jsonParam}, text_hash = ?, ${times} WHERE rid = ?`;
}

async function updateEntry(tx: Tx, rid: number, write: ObjectWrite): Promise<void> {
  const previous = await tx.one<{ created: string; textHash: string }>(
    'SELECT created, text_hash AS "textHash" FROM object_index WHERE rid = ?',
    [rid],
  );
  const hashed = textHash(write.entry);
  const values = [write.entry.idx, write.entry.fold, hashed, write.modified];
  if (previous?.created === write.created) await tx.run(updateChanging(tx.dialect), [...values, rid]);
  else await tx.run(updateCreated(tx.dialect), [...values, write.created, rid]);
  if (previous?.textHash !== hashed) await replaceSearchText(tx, rid, write.entry);
  tx.touch(`objects:${write.collection}`);
}

export async function deleteObject(tx: Tx, row: Pick<ObjectRow, "rid" | "collection">): Promise<void> {
  await deleteSearchText(tx, row.rid);
  await tx.run("DELETE FROM object_index WHERE rid = ?", [row.rid]);
  await tx.run("DELETE FROM objects WHERE rid = ?", [row.rid]);
  tx.touch(`objects:${row.collection}`);
}

/** Deletes up to `limit` objects of a collection; returns how many. */
export async function deleteSomeObjects(tx: Tx, collection: string, limit: number): Promise<number> {
  const rows = await tx.all<{ rid: number }>("SELECT rid FROM objects WHERE collection = ? LIMIT ?", [
    collection,
    limit,
  ]);
  for (const { rid } of rows) await deleteObject(tx, { rid, collection });
  return rows.length;
}

/** All objects of a collection in order of id, from one consistent view. */
export async function* iterateObjects(
  db: Storage,
  collection: string,
  batchSize: number,
): AsyncIterable<LockedObject[]> {
  const sql = `SELECT ${objectColumns}, secrets FROM objects WHERE collection = ? ORDER BY id`;
  for await (const rows of db.iterate<ObjectRow & { secrets: string }>(sql, [collection], batchSize)) {
    yield rows.map((row) => ({ ...row, secrets: JSON.parse(row.secrets) }));
  }
}

/** The id of another object whose indexed property has exactly this value. */
export async function findByValue(
  db: Reader,
  where: { collection: string; property: string; exceptId: string },
  value: string | number | boolean,
): Promise<string | undefined> {
  const comparison = typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";
  const operand: Operand = { property: where.property, source: "index", comparison };
  // First without regard to case, as the index has it (indexes.ts), then exactly.
  const folded = typeof value === "string" ? foldCase(value) : value;
  const alike = includeSql(db.dialect, { operand, operator: "eq", values: [folded] });
  const exact = `${db.dialect.property("idx", where.property, comparison)} = ?`;
  const row = await db.one<{ id: string }>(
    `SELECT id FROM object_index
     WHERE collection = ${literal(where.collection)} AND ${alike.sql} AND ${exact} AND id <> ? LIMIT 1`,
    [...alike.params, typeof value === "boolean" ? Number(value) : value, where.exceptId],
  );
  return row?.id;
}

export function textHash(entry: IndexEntry): string {
  return fingerprint(`${entry.title}\n${entry.body}`);
}
