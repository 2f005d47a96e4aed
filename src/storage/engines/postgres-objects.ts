// Stores objects on PostgreSQL. Each statement is a round trip, so one statement stores all rows with all their parts.

import type { Dialect } from "#storage/port.ts";
import { textHash } from "#storage/query/search-text.ts";
import type { ObjectWrite } from "#storage/tables/object-row.ts";
import { entryUpdates, hasWords, newEntry, newObject, objectValues, valuesUpdate } from "./object-statements.ts";
import { wordVector } from "./postgres-search.ts";

const givenRow = "(?, ?, ?, ?, 1, ?, ?, ?, ?::jsonb, ?::jsonb, ?, ?::tsvector)";
const insertStatements: string[] = [];
const updates = entryUpdates("?::jsonb");

function insertSql(count: number): string {
  insertStatements[count] ??= `
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
  return insertStatements[count];
}

function deleteSql(which: string): string {
  return `WITH gone AS (DELETE FROM objects WHERE ${which} RETURNING rid),
  entries AS (DELETE FROM object_index WHERE rid IN (SELECT rid FROM gone)),
  texts AS (DELETE FROM object_fts WHERE rid IN (SELECT rid FROM gone))
  SELECT rid FROM gone`;
}

const deleteOne = deleteSql("rid = ?");
const deleteSome = deleteSql("rid IN (SELECT rid FROM objects WHERE collection = ? LIMIT ?)");

export const postgresObjects: Dialect["objects"] = {
  async insert(tx, writes) {
    // Of those with one id the first is meant: there can be one row for it.
    const byId = new Map<string, ObjectWrite>();
    for (const write of writes) if (!byId.has(write.id)) byId.set(write.id, write);
    // In one order, so that no two transactions wait for each other.
    const ordered = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const values = ordered.flatMap((write) => {
      const { collection, entry } = write;
      const text = { ...entry, collection };
      return [...objectValues(write), entry.idx, entry.fold, textHash(text), wordVector(text)];
    });
    const made = await tx.all<{ rid: number; id: string }>(insertSql(ordered.length), values);
    const rids = new Map(made.map(({ rid, id }) => [id, rid]));
    return writes.map((write) => (byId.get(write.id) === write ? rids.get(write.id) : undefined));
  },
  async update(tx, rid, write, row) {
    if (!hasWords(write)) {
      const { sql, params } = valuesUpdate(updates, rid, write);
      await tx.run(`WITH object AS (${row.sql}) ${sql}`, [...row.params, ...params]);
      return;
    }
    const { collection, created, modified, entry } = write;
    const text = { ...entry, collection };
    const hashed = textHash(text);
    // All parts of the statement see the rows as they were before it, and so does the comparison with text_hash.
    await tx.run(
      `WITH object AS (${row.sql}), entry AS (${updates.wordsAndCreated})
     INSERT INTO object_fts (rid, words) SELECT rid, ?::tsvector FROM object_index WHERE rid = ? AND text_hash <> ?
     ON CONFLICT (rid) DO UPDATE SET words = excluded.words`,
      [...row.params, entry.idx, entry.fold, hashed, modified, created, rid, wordVector(text), rid, hashed],
    );
  },
  async delete(tx, rid) {
    await tx.all(deleteOne, [rid]);
  },
  deleteSome: async (tx, collection, limit) => (await tx.all(deleteSome, [collection, limit])).length,
};
