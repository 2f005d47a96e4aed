// What the log no longer keeps: the place up to which old contents were taken out, and the deletions that still have theirs.

import { kindNumber } from "#storage/log/change-record.ts";
import type { Place, Reader, Tx } from "#storage/port.ts";

export async function findEmptied(db: Reader): Promise<Place> {
  const row = await db.one<Place>("SELECT emptied_tx AS tx, emptied_seq AS seq FROM change_log WHERE one = 1");
  return row ?? { tx: "0", seq: 0 };
}

export async function setEmptied(tx: Tx, place: Place): Promise<void> {
  await tx.run("UPDATE change_log SET emptied_tx = ?, emptied_seq = ? WHERE one = 1", [place.tx, place.seq]);
}

export interface KeptDeletion {
  seq: number;
  /** Milliseconds. */
  at: number;
  collection: string;
}

/** Deletions that still have their content, oldest first, after a number. */
export function listKeptDeletions(db: Reader, after: number, limit: number): Promise<KeptDeletion[]> {
  return db.all<KeptDeletion>(
    `SELECT seq, at, collection FROM changes WHERE seq > ? AND content IS NOT NULL
       AND kind IN (${kindNumber("delete")}, ${kindNumber("collection")}) ORDER BY seq LIMIT ?`,
    [after, limit],
  );
}
