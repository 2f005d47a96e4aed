// Previews of the site by the hash of their token, with values that their makers have not saved.

import type { Reader, Tx } from "#storage/port.ts";

export interface PreviewRow {
  id: string;
  hash: string;
  author: string;
  maker: string;
  path: string;
  collection: string;
  object: string;
  shared: number;
  created: string;
  expires: string;
}

export interface UnsavedRow {
  unsaved: string | null;
  unsavedAt: string | null;
}

const columns = "id, hash, author, maker, path, collection, object, shared, created, expires";

export async function insertPreview(tx: Tx, row: PreviewRow): Promise<void> {
  await tx.run(`INSERT INTO previews (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    ...[row.id, row.hash, row.author, row.maker, row.path, row.collection, row.object],
    ...[row.shared, row.created, row.expires],
  ]);
}

export function findPreviewByToken(db: Reader, hash: string): Promise<(PreviewRow & UnsavedRow) | undefined> {
  return db.one<PreviewRow & UnsavedRow>(
    `SELECT ${columns}, unsaved, unsaved_at AS "unsavedAt" FROM previews WHERE hash = ?`,
    [hash],
  );
}

export function findPreview(db: Reader, id: string): Promise<PreviewRow | undefined> {
  return db.one<PreviewRow>(`SELECT ${columns} FROM previews WHERE id = ?`, [id]);
}

/** The newest first, of those made since a moment. Without a maker: those of all. */
export function listPreviews(
  db: Reader,
  { maker, since, now, limit }: { maker?: string | undefined; since: string; now: string; limit: number },
): Promise<PreviewRow[]> {
  const [own, params] = maker === undefined ? ["", []] : ["maker = ? AND ", [maker]];
  return db.all<PreviewRow>(
    `SELECT ${columns} FROM previews WHERE ${own}created >= ? AND expires > ? ORDER BY created DESC, id DESC LIMIT ?`,
    [...params, since, now, limit],
  );
}

export async function countPreviews(db: Reader, maker: string, now: string): Promise<number> {
  const row = await db.one<{ total: number }>(
    "SELECT count(*) AS total FROM previews WHERE maker = ? AND expires > ?",
    [maker, now],
  );
  return row?.total ?? 0;
}

/** False when it is gone. */
export async function putUnsaved(tx: Tx, id: string, unsaved: string, now: string): Promise<boolean> {
  return (await tx.run("UPDATE previews SET unsaved = ?, unsaved_at = ? WHERE id = ?", [unsaved, now, id])) > 0;
}

export async function deletePreview(tx: Tx, id: string): Promise<void> {
  await tx.run("DELETE FROM previews WHERE id = ?", [id]);
}

export async function deleteExpiredPreviews(tx: Tx, now: string): Promise<void> {
  await tx.run("DELETE FROM previews WHERE expires <= ?", [now]);
}
