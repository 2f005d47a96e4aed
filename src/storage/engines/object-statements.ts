// The statements about objects that both engines share. Each engine puts them together in the way that costs it least.

import type { Value } from "#storage/port.ts";
import type { ObjectKey, ObjectUpdate, ObjectWrite } from "#storage/tables/object-row.ts";

export const newObject = "INSERT INTO objects (collection, id, created, modified, rev, schema_rev, doc, secrets)";
export const newEntry = "INSERT INTO object_index (rid, collection, id, created, modified, idx, fold, text_hash)";

/** With its number, its revision and what its schema does not show, for an object that comes back. */
export const formerObject =
  "INSERT INTO objects (rid, rev, attic, collection, id, created, modified, schema_rev, doc, secrets)";

/** The values of a new row in `objects`. */
export function objectValues(write: ObjectWrite): Value[] {
  const { collection, id, created, modified, schemaRev, doc, secrets } = write;
  return [collection, id, created, modified, schemaRev, doc, JSON.stringify(secrets)];
}

/** Otherwise the words are as they were: neither they nor their hash are looked at. */
export function hasWords(write: ObjectUpdate): write is ObjectWrite {
  return write.entry.title !== undefined;
}

/** Updates of a row in `object_index`. */
export interface EntryUpdates {
  time: string;
  idx: string;
  idxAndFold: string;
  words: string;
  wordsAndCreated: string;
}

/** `json`: a parameter that holds JSON text and is stored as binary JSON. */
export function entryUpdates(json: string): EntryUpdates {
  const update = (columns: string) => `UPDATE object_index SET ${columns} WHERE rid = ? AND collection = ?`;
  return {
    time: update("modified = ?"),
    idx: update(`idx = ${json}, modified = ?`),
    idxAndFold: update(`idx = ${json}, fold = ${json}, modified = ?`),
    words: update(`idx = ${json}, fold = ${json}, text_hash = ?, modified = ?`),
    wordsAndCreated: update(`idx = ${json}, fold = ${json}, text_hash = ?, modified = ?, created = ?`),
  };
}

/** For an update without words. */
export function valuesUpdate(
  updates: EntryUpdates,
  { rid, collection }: ObjectKey,
  { modified, entry: { idx, fold } }: ObjectUpdate,
): { sql: string; params: Value[] } {
  const sql = idx === undefined ? updates.time : fold === undefined ? updates.idx : updates.idxAndFold;
  return { sql, params: [...[idx, fold].filter((value) => value !== undefined), modified, rid, collection] };
}
