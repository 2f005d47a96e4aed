// Reads several objects and what the log has of them in two statements, for undo. What is large is left out and named: it is
// read alone, page by page.

import type { Reader } from "#storage/port.ts";
import type { StoredObject } from "#storage/tables/object-batches.ts";
import type { ObjectKey } from "#storage/tables/object-row.ts";
import { objectColumns } from "#storage/tables/objects.ts";
import { type ChangeWithContent, changeColumns } from "./changes.ts";

/** Objects of one reading. */
export const readAtOnce = 50;
/** Changes of one reading. */
const maxChanges = 400;
/** Texts above this length, in bytes, are read alone. */
const maxText = 32_768;

const places = Array(readAtOnce).fill("?").join(", ");
/** One statement for any number, so that its plan is known. */
const padded = <T>(values: readonly T[]): T[] =>
  Array.from({ length: readAtOnce }, (_, n) => values[n] ?? (values[0] as T));
const short = (column: string) => `CASE WHEN octet_length(${column}) <= ${maxText} THEN ${column} END AS ${column}`;

const shortObject = `${objectColumns.replace("objects.doc", short("doc"))}, secrets, ${short("attic")}`;
const selectObjects = `SELECT ${shortObject} FROM objects WHERE rid IN (${places}) AND collection IN (${places})`;
const selectChanges = `SELECT ${changeColumns}, ${short("content")} FROM changes WHERE rid IN (${places}) AND seq >= ? LIMIT ?`;

export interface WantedObject extends ObjectKey {
  /** The oldest change that is wanted. */
  first: number;
}

export interface ObjectWithChanges {
  /** Undefined: there is none. */
  row: StoredObject | undefined;
  /** Newest first. */
  changes: ChangeWithContent[];
}

/** By their numbers, at most `readAtOnce`. Those that are to be read alone are missing. */
export async function findObjectsWithChanges(
  db: Reader,
  wanted: readonly WantedObject[],
): Promise<Map<number, ObjectWithChanges>> {
  const found = new Map<number, ObjectWithChanges>();
  if (wanted.length === 0) return found;
  const rids = padded(wanted.map(({ rid }) => rid));
  // The objects first: a change that comes between the two readings is seen as one.
  const rows = await db.all<StoredObject>(selectObjects, [
    ...rids,
    ...padded(wanted.map(({ collection }) => collection)),
  ]);
  const oldest = wanted.reduce((least, { first }) => Math.min(least, first), Number.MAX_SAFE_INTEGER);
  const changes = await db.all<ChangeWithContent>(selectChanges, [...rids, oldest, maxChanges + 1]);
  if (changes.length > maxChanges) return found;
  const byNumber = new Map(rows.map((row) => [row.rid, row]));
  const firsts = new Map(wanted.map(({ rid, first }) => [rid, first]));
  for (const { rid } of wanted) found.set(rid, { row: byNumber.get(rid), changes: [] });
  for (const change of changes)
    if (change.seq >= (firsts.get(change.rid) ?? 0)) found.get(change.rid)?.changes.push(change);
  for (const [rid, { row, changes: own }] of found) {
    const isLarge = (row && (row.doc === null || row.attic === null)) || own.some(isLeftOut);
    if (isLarge) found.delete(rid);
    else own.sort((one, other) => other.seq - one.seq);
  }
  return found;
}

function isLeftOut({ content, hasContent }: ChangeWithContent): boolean {
  return content === null && hasContent === 1;
}

const selectNumbers = `SELECT id, rid FROM objects WHERE collection = ? AND id IN (${places})`;

/** The numbers of the objects of these ids, at most `readAtOnce`. */
export function listNumbers(
  db: Reader,
  collection: string,
  ids: readonly string[],
): Promise<{ id: string; rid: number }[]> {
  return ids.length === 0 ? Promise.resolve([]) : db.all(selectNumbers, [collection, ...padded(ids)]);
}
