// The numbers in the rows of a backup. Changes and seals get new ones: the log comes in the order of commits, and has no
// transactions of this database. Objects keep theirs, and new objects get numbers behind all that are named.

import { isJsonObject, type Json } from "#contract/json.ts";
import { kindNumber } from "#storage/log/change-record.ts";
import { lastOf } from "#storage/log/own-numbers.ts";
import type { StoredRow } from "#storage/whole-tables.ts";

export interface Renumbering {
  /** In the order of the backup. */
  row(table: string, row: StoredRow): void;
  /** The highest number of an object so far. */
  lastObject(): number;
}

export function createRenumbering(): Renumbering {
  let last = 0;
  let sealed = 0;
  let object = 0;
  return {
    row(table, row) {
      if (table === "changes") {
        last += 1;
        Object.assign(row, { seq: last, tx: "0" });
        object = Math.max(object, Number(row.rid), lastInContent(row));
      } else if (table === "seals") {
        // The last of its records.
        if (row.pruned === 0) sealed += Number(row.records);
        Object.assign(row, { seq: sealed, tx: "0" });
      } else if (table === "objects") object = Math.max(object, Number(row.rid));
      else if (table === "collections") object = Math.max(object, lastOf(parse(String(row.numbers ?? ""))));
    },
    lastObject: () => object,
  };
}

/** Of the deletion of a collection. */
function lastInContent({ kind, content }: StoredRow): number {
  if (kind !== kindNumber("collection") || content === null) return 0;
  const kept = parse(String(content));
  return isJsonObject(kept) ? lastOf(kept.numbers) : 0;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
