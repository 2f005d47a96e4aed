// Stores objects on PostgreSQL. Each statement is a round trip, so one statement stores all rows with all their parts.

import { areAlike, type DeletionRecord } from "#storage/log/change-record.ts";
import {
  changePlaces,
  changeValues,
  creationColumns,
  creationValues,
  deletionColumns,
  deletionValues,
  insertChange,
  insertDeletion,
} from "#storage/log/change-statements.ts";
import { perDialect } from "#storage/per-dialect.ts";
import type { Dialect, Tx, Value } from "#storage/port.ts";
import { literal } from "#storage/query/operands.ts";
import { textHash } from "#storage/query/search-text.ts";
import type { NewObject } from "#storage/tables/object-row.ts";
import {
  entryUpdates,
  formerObject,
  hasWords,
  newEntry,
  newObject,
  objectValues,
  valuesUpdate,
} from "./object-statements.ts";
import { wordVector } from "./postgres-search.ts";

const givenRow = "(?, ?, ?, ?, 1, ?, ?, ?, ?::jsonb, ?::jsonb, ?, ?::tsvector)";
const givenRecord = "(?::text, ?::bigint, ?::smallint, ?::smallint, ?::bigint, ?::text)";
const insertStatements = new Map<string, string>();
const updates = entryUpdates("?::jsonb");

/** `recorded`: how many records the log keeps, or that those of all rows are alike. */
function insertSql(count: number, recorded: number | "alike"): string {
  const key = `${count} ${recorded}`;
  let sql = insertStatements.get(key);
  if (sql === undefined) {
    sql = `
    WITH given (collection, id, created, modified, rev, schema_rev, doc, secrets, idx, fold, text_hash, words) AS (
      VALUES ${Array(count).fill(givenRow).join(", ")}),
    made AS (
      ${newObject} SELECT collection, id, created, modified, rev, schema_rev, doc, secrets FROM given
      ON CONFLICT (collection, id) DO NOTHING RETURNING rid, id, collection),
    entries AS (
      ${newEntry} SELECT rid, given.collection, id, created, modified, idx, fold, text_hash FROM made JOIN given USING (id)),
    ${recorded === 0 ? "" : recordedSql(recorded)}
    texts AS (
      INSERT INTO object_fts (rid, words) SELECT rid, words FROM made JOIN given USING (id) WHERE words <> '')
    SELECT rid, id FROM made`;
    insertStatements.set(key, sql);
  }
  return sql;
}

const reinstateSql = `WITH made AS (
    ${formerObject} OVERRIDING SYSTEM VALUE VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING RETURNING rid, collection, id, created, modified),
  entries AS (
    ${newEntry} SELECT rid, collection, id, created, modified, ?::jsonb, ?::jsonb, ?::text FROM made),
  texts AS (
    INSERT INTO object_fts (rid, words) SELECT rid, given.words FROM made, (VALUES (?::tsvector)) AS given (words)
    WHERE given.words <> '')
  SELECT rid FROM made`;

function recordedSql(count: number | "alike"): string {
  // Rows come in the order in which they were made, so they are not sorted.
  if (count === "alike") return `log AS (${insertChange} SELECT ${creationColumns} FROM made),`;
  return `records (id, at, kind, flags, writer, note) AS (VALUES ${Array(count).fill(givenRecord).join(", ")}),
    log AS (${insertChange} SELECT at, rid, 1, kind, flags, writer, collection, id, note, NULL, NULL
      FROM made JOIN records USING (id) ORDER BY rid),`;
}

function deleteSql(which: string): string {
  return `WITH gone AS (DELETE FROM objects WHERE ${which} RETURNING collection, rid),
  entries AS (DELETE FROM object_index WHERE (collection, rid) IN (SELECT collection, rid FROM gone)),
  texts AS (DELETE FROM object_fts WHERE rid IN (SELECT rid FROM gone))
  SELECT rid FROM gone`;
}

/** All parts of a statement see the rows as they were before it: the log copies what is deleted. */
function deleteAndRecord(which: string): (dialect: Dialect) => string {
  return perDialect(
    (dialect) => `WITH found AS (SELECT collection, rid FROM objects WHERE ${which} FOR UPDATE),
  log AS (${insertDeletion} SELECT ${deletionColumns(dialect)} FROM objects
    WHERE (collection, rid) IN (SELECT collection, rid FROM found)),
  gone AS (DELETE FROM objects WHERE (collection, rid) IN (SELECT collection, rid FROM found) RETURNING rid),
  entries AS (DELETE FROM object_index WHERE (collection, rid) IN (SELECT collection, rid FROM found)),
  texts AS (DELETE FROM object_fts WHERE rid IN (SELECT rid FROM found))
  SELECT rid FROM gone`,
  );
}

const one = "rid = ? AND collection = ?";
const some = "collection = ? AND rid IN (SELECT rid FROM objects WHERE collection = ? LIMIT ?)";
const deleteOne = deleteSql(one);
const deleteSome = deleteSql(some);
const deleteOneRecorded = deleteAndRecord(one);
const deleteSomeRecorded = deleteAndRecord(some);

function remove(
  tx: Tx,
  { plain, recorded }: { plain: string; recorded: (dialect: Dialect) => string },
  params: Value[],
  record: DeletionRecord | undefined,
): Promise<unknown[]> {
  if (!record) return tx.all(plain, params);
  return tx.all(recorded(tx.dialect), [...params, ...deletionValues(record)]);
}

export const postgresObjects: Dialect["objects"] = {
  joined: (table, collection) => ` AND ${table}.collection = ${literal(collection)}`,
  async insert(tx, writes) {
    // Of those with one id the first is meant: there can be one row for it.
    const byId = new Map<string, NewObject>();
    for (const write of writes) if (!byId.has(write.id)) byId.set(write.id, write);
    // In one order, so that no two transactions wait for each other.
    const ordered = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const values = ordered.flatMap((write) => {
      const { collection, entry } = write;
      const text = { ...entry, collection };
      return [...objectValues(write), entry.idx, entry.fold, textHash(text), wordVector(text)];
    });
    const recorded = ordered.flatMap(({ id, record }) => (record ? [{ id, record }] : []));
    const [first] = recorded;
    const isAlike = first && recorded.length === ordered.length && areAlike(recorded.map(({ record }) => record));
    const records = isAlike
      ? creationValues(first.record)
      : recorded.flatMap(({ id, record }) => [id, ...creationValues(record)]);
    const sql = insertSql(ordered.length, isAlike ? "alike" : recorded.length);
    const made = await tx.all<{ rid: number; id: string }>(sql, [...values, ...records]);
    const rids = new Map(made.map(({ rid, id }) => [id, rid]));
    return writes.map((write) => (byId.get(write.id) === write ? rids.get(write.id) : undefined));
  },
  async reinstate(tx, { rid, rev, attic }, { record, ...write }) {
    const { collection, id, entry } = write;
    const text = { ...entry, collection };
    const values = [entry.idx, entry.fold, textHash(text), wordVector(text)];
    const made = await tx.all(reinstateSql, [rid, rev, attic, ...objectValues(write), ...values]);
    if (made.length === 0) return false;
    if (record)
      await tx.run(`${insertChange} VALUES ${changePlaces}`, changeValues(record, { rid, rev, collection, id }));
    return true;
  },
  async update(tx, object, write, { row, record }) {
    const { rid, collection } = object;
    const log = record ? `, log AS (${insertChange} VALUES ${changePlaces})` : "";
    const logged = record ? changeValues(record, object) : [];
    if (!hasWords(write)) {
      const { sql, params } = valuesUpdate(updates, object, write);
      await tx.run(`WITH object AS (${row.sql})${log} ${sql}`, [...row.params, ...logged, ...params]);
      return;
    }
    const { created, modified, entry } = write;
    const text = { ...entry, collection };
    const hashed = textHash(text);
    // All parts of the statement see the rows as they were before it, and so does the comparison with text_hash.
    await tx.run(
      `WITH object AS (${row.sql})${log}, entry AS (${updates.wordsAndCreated})
     INSERT INTO object_fts (rid, words) SELECT rid, ?::tsvector FROM object_index
       WHERE rid = ? AND collection = ? AND text_hash <> ?
     ON CONFLICT (rid) DO UPDATE SET words = excluded.words`,
      [
        ...[...row.params, ...logged, entry.idx, entry.fold, hashed, modified, created, rid, collection],
        ...[wordVector(text), rid, collection, hashed],
      ],
    );
  },
  async delete(tx, { rid, collection }, record) {
    await remove(tx, { plain: deleteOne, recorded: deleteOneRecorded }, [rid, collection], record);
  },
  async deleteSome(tx, collection, limit, record) {
    const statements = { plain: deleteSome, recorded: deleteSomeRecorded };
    return (await remove(tx, statements, [collection, collection, limit], record)).length;
  },
};
