// Errors of pages and templates, counted. The table is small: old and surplus rows are deleted with each write.

import type { Reader, Tx } from "#storage/port.ts";

export interface SiteErrorRow {
  id: string;
  kind: string;
  template: string;
  line: number;
  column: number;
  message: string;
  path: string;
  collection: string;
  request: string;
  count: number;
  first: string;
  last: string;
}

const columns = `id, kind, template, line, col AS "column", message, path, collection, request, count, first, last`;

/** Adds to the counts of those that are known. */
export async function addSiteErrors(tx: Tx, rows: readonly SiteErrorRow[]): Promise<void> {
  for (const row of rows) {
    await tx.run(
      `INSERT INTO site_errors (id, kind, template, line, col, message, path, collection, request, count, first, last)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET count = site_errors.count + excluded.count, last = excluded.last,
         path = excluded.path, collection = excluded.collection, request = excluded.request`,
      [
        ...[row.id, row.kind, row.template, row.line, row.column, row.message, row.path, row.collection, row.request],
        ...[row.count, row.first, row.last],
      ],
    );
  }
}

/** Those that did not occur since then, and all but the newest. */
export async function deleteOldSiteErrors(tx: Tx, before: string, most: number): Promise<void> {
  await tx.run("DELETE FROM site_errors WHERE last < ?", [before]);
  await tx.run(
    "DELETE FROM site_errors WHERE last <= (SELECT last FROM site_errors ORDER BY last DESC LIMIT 1 OFFSET ?)",
    [most],
  );
}

/** How many occurred since then. */
export async function countSiteErrors(db: Reader, since: string): Promise<number> {
  const row = await db.one<{ n: number }>("SELECT COUNT(*) AS n FROM site_errors WHERE last >= ?", [since]);
  return Number(row?.n ?? 0);
}

/** The newest first. */
export function listSiteErrors(db: Reader, since: string): Promise<SiteErrorRow[]> {
  return db.all<SiteErrorRow>(`SELECT ${columns} FROM site_errors WHERE last >= ? ORDER BY last DESC, id DESC`, [
    since,
  ]);
}
