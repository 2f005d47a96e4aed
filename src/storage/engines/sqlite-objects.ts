// Stores objects on SQLite. Each row is a statement of its own, because a statement costs little here.

import { createPause } from "#base/event-loop.ts";
import type { DeletionRecord } from "#storage/log/change-record.ts";
import {
  changePlaces,
  changeValues,
  deletionColumns,
  deletionValues,
  insertChange,
  insertCreation,
  insertDeletion,
  isPlainCreation,
  plainCreationValues,
} from "#storage/log/change-statements.ts";
import { type Dialect, type Fragment, type Tx, UniqueViolation } from "#storage/port.ts";
import { textHash } from "#storage/query/search-text.ts";
import type { ObjectKey, ObjectWrite } from "#storage/tables/object-row.ts";
import {
  entryUpdates,
  formerObject,
  hasWords,
  newEntry,
  newObject,
  objectValues,
  valuesUpdate,
} from "./object-statements.ts";
import { insertSearchText, sqliteSearch } from "./sqlite-search.ts";

const jsonParam = "jsonb(?)";
const insertRow = `${newObject} VALUES (?, ?, ?, ?, 1, ?, ?, ?)`;
const insertFormer = `${formerObject} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const insertEntry = `${newEntry} VALUES (?, ?, ?, ?, ?, ${jsonParam}, ${jsonParam}, ?)`;
const updates = entryUpdates(jsonParam);
const recordChange = `${insertChange} VALUES ${changePlaces}`;
let recordDeletion: string | undefined;

export const sqliteObjects: Dialect["objects"] = {
  // Its planner could begin with the whole collection instead of the rows of the page.
  joined: () => "",
  async insert(tx, writes) {
    const rids: (number | undefined)[] = [];
    for (const { record, ...write } of writes) {
      const { collection, id } = write;
      const rid = await insertFree(tx, write);
      rids.push(rid);
      if (rid === undefined) continue;
      await insertIndexed(tx, rid, write);
      if (!record) continue;
      if (isPlainCreation(record)) await tx.run(insertCreation, plainCreationValues(record, { rid, collection, id }));
      else await tx.run(recordChange, changeValues(record, { rid, rev: 1, collection, id }));
    }
    return rids;
  },
  async reinstate(tx, { rid, rev, attic }, { record, ...write }) {
    if ((await tx.run(insertFormer, [rid, rev, attic, ...objectValues(write)])) === 0) return false;
    await insertIndexed(tx, rid, write);
    const { collection, id } = write;
    if (record) await tx.run(recordChange, changeValues(record, { rid, rev, collection, id }));
    return true;
  },
  async update(tx, object, write, { row, record }) {
    if (record) await tx.run(recordChange, changeValues(record, object));
    if (hasWords(write)) return updateWithWords(tx, object, write, row);
    const { sql, params } = valuesUpdate(updates, object, write);
    await tx.run(row.sql, row.params);
    await tx.run(sql, params);
  },
  delete: deleteObject,
  async deleteSome(tx, collection, limit, record) {
    const some = "SELECT rid FROM objects WHERE collection = ? LIMIT ?";
    const rows = await tx.all<{ rid: number }>(some, [collection, limit]);
    const pause = createPause();
    for (const { rid } of rows) {
      await deleteObject(tx, { rid, collection }, record);
      await pause();
    }
    return rows.length;
  },
};

async function insertIndexed(tx: Tx, rid: number, { collection, id, created, modified, entry }: ObjectWrite) {
  const text = { ...entry, collection };
  await tx.run(insertEntry, [rid, collection, id, created, modified, entry.idx, entry.fold, textHash(text)]);
  await insertSearchText(tx, rid, text);
}

async function insertFree(tx: Tx, write: ObjectWrite): Promise<number | undefined> {
  try {
    return await tx.insert(insertRow, objectValues(write));
  } catch (error) {
    if (error instanceof UniqueViolation) return undefined;
    throw error;
  }
}

async function updateWithWords(
  tx: Tx,
  { rid, collection }: ObjectKey,
  write: ObjectWrite,
  row: Fragment,
): Promise<void> {
  const { created, modified, entry } = write;
  await tx.run(row.sql, row.params);
  const before = await tx.one<{ created: string; textHash: string }>(
    'SELECT created, text_hash AS "textHash" FROM object_index WHERE rid = ? AND collection = ?',
    [rid, collection],
  );
  const text = { ...entry, collection };
  const hashed = textHash(text);
  const values = [entry.idx, entry.fold, hashed, modified];
  // Naming a column writes its index entries again, and `created` hardly ever changes.
  if (before?.created === created) await tx.run(updates.words, [...values, rid, collection]);
  else await tx.run(updates.wordsAndCreated, [...values, created, rid, collection]);
  if (before?.textHash === hashed) return;
  await sqliteSearch.delete(tx, rid);
  await insertSearchText(tx, rid, text);
}

async function deleteObject(tx: Tx, { rid, collection }: ObjectKey, record: DeletionRecord | undefined): Promise<void> {
  if (record) {
    recordDeletion ??= `${insertDeletion} SELECT ${deletionColumns(tx.dialect)} FROM objects WHERE rid = ? AND collection = ?`;
    await tx.run(recordDeletion, [...deletionValues(record), rid, collection]);
  }
  await sqliteSearch.delete(tx, rid);
  await tx.run("DELETE FROM object_index WHERE rid = ? AND collection = ?", [rid, collection]);
  await tx.run("DELETE FROM objects WHERE rid = ? AND collection = ?", [rid, collection]);
}
