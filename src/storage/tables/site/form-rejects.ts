// What forms of the website have rejected.

import type { Reader, Tx } from "#storage/port.ts";

export interface RejectRow {
  id: string;
  /** `{collection}/{name}`. */
  form: string;
  reason: string;
  /** JSON. */
  content: string;
  created: string;
}

const columns = "id, form, reason, content, created";

export async function insertReject(tx: Tx, { id, form, reason, content, created }: RejectRow): Promise<void> {
  await tx.run(`INSERT INTO form_rejects (${columns}) VALUES (?, ?, ?, ?, ?)`, [id, form, reason, content, created]);
}

export function findReject(db: Reader, id: string): Promise<RejectRow | undefined> {
  return db.one<RejectRow>(`SELECT ${columns} FROM form_rejects WHERE id = ?`, [id]);
}

/** Newest first; `before`: older than this position. */
export function listRejects(
  db: Reader,
  form: string,
  { before, limit }: { before?: { created: string; id: string } | undefined; limit: number },
): Promise<RejectRow[]> {
  const older = before ? " AND (created < ? OR (created = ? AND id < ?))" : "";
  const position = before ? [before.created, before.created, before.id] : [];
  return db.all<RejectRow>(
    `SELECT ${columns} FROM form_rejects WHERE form = ?${older} ORDER BY created DESC, id DESC LIMIT ?`,
    [form, ...position, limit],
  );
}

export async function countRejects(db: Reader, form: string): Promise<number> {
  return (await db.one<{ n: number }>("SELECT COUNT(*) AS n FROM form_rejects WHERE form = ?", [form]))?.n ?? 0;
}

export async function deleteReject(tx: Tx, id: string): Promise<boolean> {
  return (await tx.run("DELETE FROM form_rejects WHERE id = ?", [id])) > 0;
}

export function deleteOldRejects(tx: Tx, before: string): Promise<number> {
  return tx.run("DELETE FROM form_rejects WHERE created < ?", [before]);
}
