// Uploads in parts: which parts have arrived. Only rows; the bytes are in the file store.
// Writers lock the row of an upload first, so that of two last parts one sees that it is the last.

import type { Reader, Tx } from "#storage/port.ts";

export interface UploadRow {
  total: number;
}

export interface UploadPart {
  number: number;
  name: string;
  size: number;
}

export function findUpload(db: Reader, id: string): Promise<UploadRow | undefined> {
  return db.one<UploadRow>("SELECT total FROM uploads WHERE id = ?", [id]);
}

/** As findUpload, and locked until the transaction ends. */
export function lockUpload(tx: Tx, id: string): Promise<UploadRow | undefined> {
  return tx.one<UploadRow>(`SELECT total FROM uploads WHERE id = ? ${tx.dialect.forUpdate}`, [id]);
}

/** Makes the upload when it is new, and locks it in any case. */
export async function touchUpload(
  tx: Tx,
  { id, total, touched }: { id: string; total: number; touched: string },
): Promise<UploadRow> {
  await tx.run(
    "INSERT INTO uploads (id, total, touched) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET touched = excluded.touched",
    [id, total, touched],
  );
  return (await findUpload(tx, id)) as UploadRow;
}

/** The part that it takes the place of. */
export async function putPart(tx: Tx, upload: string, part: UploadPart): Promise<UploadPart | undefined> {
  const { number, name, size } = part;
  const before = await tx.one<UploadPart>(
    "SELECT number, name, size FROM upload_parts WHERE upload = ? AND number = ?",
    [upload, number],
  );
  await tx.run(
    `INSERT INTO upload_parts (upload, number, name, size) VALUES (?, ?, ?, ?)
     ON CONFLICT (upload, number) DO UPDATE SET name = excluded.name, size = excluded.size`,
    [upload, number, name, size],
  );
  return before;
}

/** In their order. */
export function listParts(db: Reader, upload: string): Promise<UploadPart[]> {
  return db.all("SELECT number, name, size FROM upload_parts WHERE upload = ? ORDER BY number", [upload]);
}

/** Without the one of this number. */
export async function measureParts(
  db: Reader,
  upload: string,
  number: number,
): Promise<{ count: number; size: number }> {
  const sums = await db.one<{ count: number; size: number }>(
    `SELECT count(*) AS count, CAST(coalesce(sum(size), 0) AS BIGINT) AS size
     FROM upload_parts WHERE upload = ? AND number <> ?`,
    [upload, number],
  );
  return sums ?? { count: 0, size: 0 };
}

export async function deletePart(tx: Tx, upload: string, { number, name }: UploadPart): Promise<void> {
  await tx.run("DELETE FROM upload_parts WHERE upload = ? AND number = ? AND name = ?", [upload, number, name]);
}

/** With its parts. */
export async function deleteUpload(tx: Tx, id: string): Promise<void> {
  await tx.run("DELETE FROM uploads WHERE id = ?", [id]);
}

/** Those that nothing was added to since. */
export async function deleteUploadsBefore(tx: Tx, touched: string): Promise<void> {
  await tx.run("DELETE FROM uploads WHERE touched < ?", [touched]);
}
