// How often files were fetched, by object and place. An object that is deleted takes its counts along.

import type { Reader, Tx } from "#storage/port.ts";
import type { ObjectKey } from "./object-row.ts";

export interface DownloadCount {
  rid: number;
  /** From the property on: `file`, `depot/folder/name.pdf`. */
  place: string;
  count: number;
}

/** Adds to the counts of objects that still exist; others are dropped. */
export async function addDownloads(tx: Tx, counts: readonly (DownloadCount & ObjectKey)[]): Promise<void> {
  for (const { rid, collection, place, count } of counts) {
    await tx.run(
      `INSERT INTO downloads (rid, place, count)
       SELECT rid, CAST(? AS TEXT), CAST(? AS BIGINT) FROM objects WHERE rid = ? AND collection = ? ${tx.dialect.forUpdate}
       ON CONFLICT (rid, place) DO UPDATE SET count = downloads.count + excluded.count`,
      [place, count, rid, collection],
    );
  }
}

/** Of these objects, all that there are. */
export function listDownloadsOf(db: Reader, rids: readonly number[]): Promise<DownloadCount[]> {
  if (rids.length === 0) return Promise.resolve([]);
  return db.all(
    `SELECT rid, place, count FROM downloads WHERE rid IN (${rids.map(() => "?").join(", ")}) ORDER BY rid, place`,
    rids,
  );
}

/** Removes a count; what it was. */
export async function takeDownloads(tx: Tx, rid: number, place: string): Promise<number> {
  const sql = "DELETE FROM downloads WHERE rid = ? AND place = ? RETURNING count";
  return (await tx.one<{ count: number }>(sql, [rid, place]))?.count ?? 0;
}

/** Of one property of an object, in order of place. */
export function listDownloads(
  db: Reader,
  rid: number,
  property: string,
): Promise<Pick<DownloadCount, "place" | "count">[]> {
  return db.all(
    `SELECT place, count FROM downloads
     WHERE rid = ? AND (place = ? OR (place >= ? AND place < ?)) ORDER BY place`,
    // 0 comes after the slash: everything below the property.
    [rid, property, `${property}/`, `${property}0`],
  );
}
