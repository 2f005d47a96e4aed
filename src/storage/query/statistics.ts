// What the planner of a database server knows of the tables of objects.

import type { Reader, Storage } from "#storage/port.ts";

/** Objects by collection, as far as they are added up. */
export async function listStoredTotals(db: Reader): Promise<Map<string, number>> {
  const rows = await db.all<{ id: string; total: number }>("SELECT id, total_objects AS total FROM collections");
  return new Map(rows.map(({ id, total }) => [id, total]));
}

/** How many rows have changed since the statistics were taken. */
export async function countUnanalyzed(db: Reader): Promise<number> {
  const { statistics } = db.dialect;
  if (!statistics) return 0;
  const row = await db.one<{ changed: number }>(`SELECT ${statistics.changed} AS changed`);
  return Number(row?.changed ?? 0);
}

/** Takes them again; statements that were prepared before are planned again. Returns how long that took, in milliseconds. */
export async function refreshStatistics(storage: Storage): Promise<number> {
  let ms = 0;
  for (const sql of storage.dialect.statistics?.refresh ?? []) ms += await storage.maintain(sql);
  return ms;
}
