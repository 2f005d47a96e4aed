// What forms of the website have rejected. A form keeps a limited number of bytes of it. Every change of its rows locks the form's
// sum first, so that changes at the same moment neither miscount nor wait for each other in a circle.

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

interface Sized {
  id: string;
  size: number;
}

const columns = "id, form, reason, content, created";
/** The room that a row takes beside its content. The migration counts the same. */
const rowBytes = 200;
const batch = 200;

/** `maxBytes`: of one form. The oldest go for the new one, which stays in any case. */
export async function insertReject(tx: Tx, row: RejectRow, maxBytes: number): Promise<void> {
  const { id, form, reason, content, created } = row;
  const size = Buffer.byteLength(content) + rowBytes;
  let surplus = (await addSize(tx, form, size)) - maxBytes;
  await tx.run(`INSERT INTO form_rejects (${columns}, size) VALUES (?, ?, ?, ?, ?, ?)`, [
    ...[id, form, reason, content, created],
    size,
  ]);
  while (surplus > 0) {
    const oldest = await tx.all<Sized>(
      "SELECT id, size FROM form_rejects WHERE form = ? AND id <> ? ORDER BY created, id LIMIT ?",
      [form, id, batch],
    );
    let end = 0;
    let left = surplus;
    while (end < oldest.length && left > 0) left -= oldest[end++]?.size ?? 0;
    // An earlier version, which still runs elsewhere, deletes without counting.
    if (end === 0) return addSize(tx, form, size - maxBytes - surplus).then(() => undefined);
    surplus -= await deleteRows(tx, form, oldest.slice(0, end));
  }
}

/** The bytes of the form, with those that were added. Its sum is locked from now on. */
async function addSize(tx: Tx, form: string, bytes: number): Promise<number> {
  const [row] = await tx.all<{ bytes: number }>(
    `INSERT INTO form_reject_sizes (form, bytes) VALUES (?, ?)
     ON CONFLICT (form) DO UPDATE SET bytes = form_reject_sizes.bytes + excluded.bytes RETURNING bytes`,
    [form, bytes],
  );
  return row?.bytes ?? 0;
}

/** Returns their bytes. */
async function deleteRows(tx: Tx, form: string, rows: readonly Sized[]): Promise<number> {
  if (rows.length === 0) return 0;
  const bytes = rows.reduce((sum, { size }) => sum + size, 0);
  await tx.run(
    `DELETE FROM form_rejects WHERE id IN (${rows.map(() => "?").join(", ")})`,
    rows.map(({ id }) => id),
  );
  await addSize(tx, form, -bytes);
  return bytes;
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

export async function deleteReject(tx: Tx, { id, form }: Pick<RejectRow, "id" | "form">): Promise<boolean> {
  await addSize(tx, form, 0);
  const rows = await tx.all<Sized>("SELECT id, size FROM form_rejects WHERE id = ? AND form = ?", [id, form]);
  await deleteRows(tx, form, rows);
  return rows.length > 0;
}

/** Up to `limit` of the form that has the oldest one; returns how many. */
export async function deleteOldRejects(tx: Tx, before: string, limit: number): Promise<number> {
  const found = await tx.one<{ form: string }>(
    "SELECT form FROM form_rejects WHERE created < ? ORDER BY created LIMIT 1",
    [before],
  );
  if (!found) return 0;
  await addSize(tx, found.form, 0);
  const rows = await tx.all<Sized>(
    "SELECT id, size FROM form_rejects WHERE form = ? AND created < ? ORDER BY created, id LIMIT ?",
    [found.form, before, limit],
  );
  await deleteRows(tx, found.form, rows);
  return rows.length;
}
