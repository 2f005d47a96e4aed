// Numbers of the caches of each server process, as it wrote them last. A row counts while it was written a short time ago.

import type { Reader, Tx } from "#storage/port.ts";

export interface CacheProcessRow {
  id: string;
  started: string;
  seen: string;
  /** JSON. */
  figures: string;
}

/** Processes that wrote last before `ended` are removed. */
export async function putCacheProcess(
  tx: Tx,
  { id, started, seen, figures }: CacheProcessRow,
  ended: string,
): Promise<void> {
  await tx.run(
    `INSERT INTO cache_processes (id, started, seen, figures) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, figures = excluded.figures`,
    [id, started, seen, figures],
  );
  await tx.run("DELETE FROM cache_processes WHERE seen < ?", [ended]);
}

export async function deleteCacheProcess(tx: Tx, id: string): Promise<void> {
  await tx.run("DELETE FROM cache_processes WHERE id = ?", [id]);
}

/** Those that wrote after a moment. */
export function listCacheProcesses(db: Reader, after: string): Promise<CacheProcessRow[]> {
  return db.all<CacheProcessRow>(
    "SELECT id, started, seen, figures FROM cache_processes WHERE seen > ? ORDER BY seen",
    [after],
  );
}
