// Redirects of the website. Reads that go through all of them come in pages, so that none holds up other requests.

import type { Reader, Tx } from "#storage/port.ts";

export interface RedirectRow {
  id: string;
  source: string;
  target: string;
  targetPath: string | null;
  status: number;
  origin: string;
  hits: number;
  last: string | null;
  created: string;
  updated: string;
}

/** What is stored of a redirect; counts begin at 0. */
export type NewRedirect = Omit<RedirectRow, "hits" | "last">;

const columns = `id, source, target, target_path AS "targetPath", status, origin, hits, last, created, updated`;
const written = "id, source, target, target_path, status, origin, created, updated";
const pageSize = 1_000;
const insertedAtOnce = 200;

export function findRedirectRow(db: Reader, id: string): Promise<RedirectRow | undefined> {
  return db.one<RedirectRow>(`SELECT ${columns} FROM redirects WHERE id = ?`, [id]);
}

/** In order of source. */
export async function* pageRedirects(db: Reader): AsyncGenerator<RedirectRow[]> {
  let after = "";
  for (;;) {
    const rows = await db.all<RedirectRow>(
      `SELECT ${columns} FROM redirects WHERE source > ? ORDER BY source LIMIT ${pageSize}`,
      [after],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) return;
    after = (rows.at(-1) as RedirectRow).source;
  }
}

/** In order of source. */
export function findRedirectRows(db: Reader, sources: readonly string[]): Promise<RedirectRow[]> {
  if (sources.length === 0) return Promise.resolve([]);
  return db.all<RedirectRow>(
    `SELECT ${columns} FROM redirects WHERE source IN (${sources.map(() => "?").join(", ")}) ORDER BY source`,
    sources,
  );
}

/** Inserts, or replaces those with the same source, which keep their id and counts. */
export async function putRedirects(tx: Tx, rows: readonly NewRedirect[]): Promise<void> {
  for (let from = 0; from < rows.length; from += insertedAtOnce) {
    const part = rows.slice(from, from + insertedAtOnce);
    await tx.run(
      `INSERT INTO redirects (${written}) VALUES ${part.map(() => "(?, ?, ?, ?, ?, ?, ?, ?)").join(", ")}
       ON CONFLICT (source) DO UPDATE SET target = excluded.target, target_path = excluded.target_path,
         status = excluded.status, origin = excluded.origin, updated = excluded.updated`,
      part.flatMap((row) => [
        ...[row.id, row.source, row.target, row.targetPath, row.status, row.origin],
        ...[row.created, row.updated],
      ]),
    );
  }
  if (rows.length > 0) tx.touch("redirects");
}

export async function deleteRedirectRow(tx: Tx, id: string): Promise<boolean> {
  const deleted = await tx.run("DELETE FROM redirects WHERE id = ?", [id]);
  if (deleted > 0) tx.touch("redirects");
  return deleted > 0;
}

/** Of this origin; undefined: of any. */
export async function deleteRedirectFrom(tx: Tx, source: string, origin?: string): Promise<void> {
  const only = origin === undefined ? "" : " AND origin = ?";
  const params = origin === undefined ? [source] : [source, origin];
  if ((await tx.run(`DELETE FROM redirects WHERE source = ?${only}`, params)) > 0) tx.touch("redirects");
}

/** One from an old address to the new one, and those that lead to the old one. One that was not made by a move stays. */
export async function moveRedirects(tx: Tx, row: NewRedirect): Promise<void> {
  await tx.run(
    `INSERT INTO redirects (${written}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (source) DO UPDATE SET target = excluded.target, target_path = excluded.target_path,
       updated = excluded.updated WHERE redirects.origin = 'moved'`,
    [row.id, row.source, row.target, row.targetPath, row.status, row.origin, row.created, row.updated],
  );
  await tx.run("UPDATE redirects SET target = ?, target_path = ?, updated = ? WHERE target_path = ?", [
    ...[row.target, row.targetPath, row.updated, row.source],
  ]);
  // One from the new address to the old one now leads to itself.
  await tx.run("DELETE FROM redirects WHERE source = ? AND target_path = ?", [row.targetPath, row.targetPath]);
  tx.touch("redirects");
}

/** Moves no version: nothing that is cached depends on counts. */
export async function addRedirectHits(tx: Tx, hits: readonly { id: string; count: number; last: string }[]) {
  for (const { id, count, last } of hits) {
    await tx.run("UPDATE redirects SET hits = hits + ?, last = ? WHERE id = ?", [count, last, id]);
  }
}
