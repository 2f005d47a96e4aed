// Stores objects: the row of each with its document, its index entry and its search text, always all three.
// Every write moves the collection's scope; counters are collections.ts. On the embedded engine each row is a statement, for
// these cost least there; to a database server each statement is a journey, so all rows go in one.

import { takeTurns } from "#base/event-loop.ts";
import { perDialect } from "#storage/per-dialect.ts";
import { type Dialect, type Tx, UniqueViolation } from "#storage/port.ts";
import type { Fragment } from "#storage/query/fragment.ts";
import {
  deleteSearchText,
  insertSearchText,
  replaceSearchText,
  textHash,
  wordVector,
} from "#storage/query/search-text.ts";
import type { ObjectRow, ObjectUpdate, ObjectWrite } from "./objects.ts";

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
  return isEmbedded(tx) ? insertInSteps(tx, writes) : insertAtOnce(tx, writes);
}

function isEmbedded({ dialect }: Tx): boolean {
  return dialect.name === "sqlite";
}

const newObject = "INSERT INTO objects (collection, id, created, modified, rev, schema_rev, doc, secrets)";
const newEntry = "INSERT INTO object_index (rid, collection, id, created, modified, idx, fold, text_hash)";
const insertRow = `${newObject} VALUES (?, ?, ?, ?, 1, ?, ?, ?)`;
const insertEntry = perDialect(({ jsonParam }) => `${newEntry} VALUES (?, ?, ?, ?, ?, ${jsonParam}, ${jsonParam}, ?)`);

async function insertInSteps(tx: Tx, writes: readonly ObjectWrite[]): Promise<(number | undefined)[]> {
  const rids: (number | undefined)[] = [];
  for (const write of writes) {
    const { collection, id, created, modified, entry } = write;
    const rid = await insertFree(tx, write);
    rids.push(rid);
    if (rid === undefined) continue;
    const text = { ...entry, collection };
    const values = [rid, collection, id, created, modified, entry.idx, entry.fold, textHash(text)];
    await tx.run(insertEntry(tx.dialect), values);
    await insertSearchText(tx, rid, text);
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

async function insertAtOnce(tx: Tx, writes: readonly ObjectWrite[]): Promise<(number | undefined)[]> {
  // Of those with one id the first is meant: there can be one row for it.
  const byId = new Map<string, ObjectWrite>();
  for (const write of writes) if (!byId.has(write.id)) byId.set(write.id, write);
  // In one order, so that no two transactions wait for each other.
  const ordered = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const values = ordered.flatMap((write) => {
    const { collection, id, created, modified, schemaRev, doc, secrets, entry } = write;
    const object = [collection, id, created, modified, schemaRev, doc, JSON.stringify(secrets)];
    const text = { ...entry, collection };
    return [...object, entry.idx, entry.fold, textHash(text), wordVector(text)];
  });
  const made = await tx.all<{ rid: number; id: string }>(insertAllSql(ordered.length), values);
  const rids = new Map(made.map(({ rid, id }) => [id, rid]));
  return writes.map((write) => (byId.get(write.id) === write ? rids.get(write.id) : undefined));
}

const changeRow = `UPDATE objects SET created = ?, modified = ?, rev = rev + 1, schema_rev = ?, doc = ?, secrets = ?
  WHERE rid = ?`;

/** The row has been locked; its rev goes up by one. */
export function updateObject(tx: Tx, rid: number, write: ObjectUpdate): Promise<void> {
  const { created, modified, schemaRev, doc, secrets } = write;
  const params = [created, modified, schemaRev, doc, JSON.stringify(secrets), rid];
  return update(tx, rid, write, { sql: changeRow, params });
}

const rewriteRow = "UPDATE objects SET schema_rev = ?, doc = ?, secrets = ?, attic = ? WHERE rid = ?";

/** The same content under another schema: the rev stays, and so does what If-Match compares. */
export function rewriteObject(tx: Tx, rid: number, write: ObjectWrite & { attic: string }): Promise<void> {
  const { schemaRev, doc, secrets, attic } = write;
  const params = [schemaRev, doc, JSON.stringify(secrets), attic, rid];
  return update(tx, rid, write, { sql: rewriteRow, params });
}

function update(tx: Tx, rid: number, write: ObjectUpdate, row: Fragment): Promise<void> {
  tx.touch(`objects:${write.collection}`);
  if (!hasWords(write)) return updateValues(tx, rid, write, row);
  return isEmbedded(tx) ? updateInSteps(tx, rid, write, row) : updateAtOnce(tx, rid, write, row);
}

function hasWords(write: ObjectUpdate): write is ObjectWrite {
  return write.entry.title !== undefined;
}

const updateTime = perDialect(() => "UPDATE object_index SET modified = ? WHERE rid = ?");
const updateIdx = perDialect(
  ({ jsonParam }) => `UPDATE object_index SET idx = ${jsonParam}, modified = ? WHERE rid = ?`,
);
const updateIdxAndFold = perDialect(
  ({ jsonParam }) => `UPDATE object_index SET idx = ${jsonParam}, fold = ${jsonParam}, modified = ? WHERE rid = ?`,
);

/** The words are the same: neither they nor what tells them apart is looked at. */
async function updateValues(tx: Tx, rid: number, { modified, entry }: ObjectUpdate, row: Fragment): Promise<void> {
  const { idx, fold } = entry;
  const spell = idx === undefined ? updateTime : fold === undefined ? updateIdx : updateIdxAndFold;
  const sql = spell(tx.dialect);
  const values = [idx, fold].filter((value) => value !== undefined);
  if (!isEmbedded(tx)) {
    await tx.run(`WITH object AS (${row.sql}) ${sql}`, [...row.params, ...values, modified, rid]);
    return;
  }
  await tx.run(row.sql, row.params);
  await tx.run(sql, [...values, modified, rid]);
}

// Naming a column makes its index entries anew on the embedded engine, and `created` hardly ever changes.
const updateEntry = perDialect((dialect) => updateEntrySql(dialect, "modified = ?"));
const updateWholeEntry = perDialect((dialect) => updateEntrySql(dialect, "modified = ?, created = ?"));

function updateEntrySql({ jsonParam }: Dialect, times: string): string {
  return `UPDATE object_index SET idx = ${jsonParam}, fold = ${jsonParam}, text_hash = ?, ${times} WHERE rid = ?`;
}

async function updateInSteps(
  tx: Tx,
  rid: number,
  { collection, created, modified, entry }: ObjectWrite,
  row: Fragment,
) {
  await tx.run(row.sql, row.params);
  const before = await tx.one<{ created: string; textHash: string }>(
    'SELECT created, text_hash AS "textHash" FROM object_index WHERE rid = ?',
    [rid],
  );
  const text = { ...entry, collection };
  const hashed = textHash(text);
  const values = [entry.idx, entry.fold, hashed, modified];
  if (before?.created === created) await tx.run(updateEntry(tx.dialect), [...values, rid]);
  else await tx.run(updateWholeEntry(tx.dialect), [...values, created, rid]);
  if (before?.textHash !== hashed) await replaceSearchText(tx, rid, text);
}

/** All parts of the statement see the rows as they were before it, and so does the question whether the text is another. */
async function updateAtOnce(tx: Tx, rid: number, { collection, created, modified, entry }: ObjectWrite, row: Fragment) {
  const text = { ...entry, collection };
  const hashed = textHash(text);
  await tx.run(
    `WITH object AS (${row.sql}), entry AS (${updateWholeEntry(tx.dialect)})
     INSERT INTO object_fts (rid, words) SELECT rid, ?::tsvector FROM object_index WHERE rid = ? AND text_hash <> ?
     ON CONFLICT (rid) DO UPDATE SET words = excluded.words`,
    [...row.params, entry.idx, entry.fold, hashed, modified, created, rid, wordVector(text), rid, hashed],
  );
}

const deleteRows = (which: string) => `WITH gone AS (DELETE FROM objects WHERE ${which} RETURNING rid),
  entries AS (DELETE FROM object_index WHERE rid IN (SELECT rid FROM gone)),
  texts AS (DELETE FROM object_fts WHERE rid IN (SELECT rid FROM gone))
  SELECT rid FROM gone`;
const deleteOne = deleteRows("rid = ?");
const deleteSome = deleteRows("rid IN (SELECT rid FROM objects WHERE collection = ? LIMIT ?)");

export async function deleteObject(tx: Tx, { rid, collection }: Pick<ObjectRow, "rid" | "collection">): Promise<void> {
  tx.touch(`objects:${collection}`);
  if (isEmbedded(tx)) await deleteInSteps(tx, rid);
  else await tx.all(deleteOne, [rid]);
}

/** Deletes up to `limit` objects of a collection; returns how many. */
export async function deleteSomeObjects(tx: Tx, collection: string, limit: number): Promise<number> {
  tx.touch(`objects:${collection}`);
  if (!isEmbedded(tx)) return (await tx.all(deleteSome, [collection, limit])).length;
  const some = "SELECT rid FROM objects WHERE collection = ? LIMIT ?";
  const rows = await tx.all<{ rid: number }>(some, [collection, limit]);
  const nextTurn = takeTurns();
  for (const { rid } of rows) {
    await deleteInSteps(tx, rid);
    await nextTurn();
  }
  return rows.length;
}

async function deleteInSteps(tx: Tx, rid: number): Promise<void> {
  await deleteSearchText(tx, rid);
  await tx.run("DELETE FROM object_index WHERE rid = ?", [rid]);
  await tx.run("DELETE FROM objects WHERE rid = ?", [rid]);
}
