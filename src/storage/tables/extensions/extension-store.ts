// What extensions keep for themselves.

import type { Reader, Tx } from "#storage/port.ts";

export interface StoreRow {
  key: string;
  value: string;
  rev: number;
  expires: string | null;
}

export function findStored(db: Reader, extension: string, key: string): Promise<StoreRow | undefined> {
  return db.one<StoreRow>("SELECT key, value, rev, expires FROM extension_store WHERE extension = ? AND key = ?", [
    extension,
    key,
  ]);
}

export function lockStored(tx: Tx, extension: string, key: string): Promise<StoreRow | undefined> {
  return tx.one<StoreRow>(
    `SELECT key, value, rev, expires FROM extension_store WHERE extension = ? AND key = ? ${tx.dialect.forUpdate}`,
    [extension, key],
  );
}

/** `before`: the row that is there. Returns the bytes that the extension keeps afterwards. */
export async function putStored(tx: Tx, extension: string, row: StoreRow, before?: StoreRow): Promise<number> {
  const size = sizeOf(row);
  await tx.run(
    `INSERT INTO extension_store (extension, key, value, size, rev, expires) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (extension, key) DO UPDATE SET value = excluded.value, size = excluded.size, rev = excluded.rev,
       expires = excluded.expires`,
    [extension, row.key, row.value, size, row.rev, row.expires],
  );
  return addSize(tx, extension, size - (before ? sizeOf(before) : 0));
}

function sizeOf({ key, value }: StoreRow): number {
  return Buffer.byteLength(value) + Buffer.byteLength(key);
}

async function addSize(tx: Tx, extension: string, bytes: number): Promise<number> {
  const row = await tx.one<{ bytes: number }>(
    `INSERT INTO extension_sizes (extension, bytes) VALUES (?, ?)
     ON CONFLICT (extension) DO UPDATE SET bytes = extension_sizes.bytes + excluded.bytes RETURNING bytes`,
    [extension, bytes],
  );
  return Number(row?.bytes ?? 0);
}

export async function deleteStored(tx: Tx, extension: string, key: string): Promise<void> {
  const row = await lockStored(tx, extension, key);
  if (!row) return;
  await tx.run("DELETE FROM extension_store WHERE extension = ? AND key = ?", [extension, key]);
  await addSize(tx, extension, -sizeOf(row));
}

export async function deleteAllStored(tx: Tx, extension: string): Promise<void> {
  await tx.run("DELETE FROM extension_store WHERE extension = ?", [extension]);
  await tx.run("DELETE FROM extension_sizes WHERE extension = ?", [extension]);
}

/** Those from this key on, and below the second one; without what has expired. */
export function listStoredKeys(
  db: Reader,
  extension: string,
  { from, below, now, limit }: { from: string; below: string; now: string; limit: number },
): Promise<{ key: string }[]> {
  return db.all<{ key: string }>(
    `SELECT key FROM extension_store
     WHERE extension = ? AND key >= ? AND key < ? AND (expires IS NULL OR expires > ?) ORDER BY key LIMIT ?`,
    [extension, from, below, now, limit],
  );
}

/** Values that have expired, of any extension. Returns how many were deleted. */
export async function deleteExpiredStored(tx: Tx, now: string, limit: number): Promise<number> {
  const rows = await tx.all<StoreRow & { extension: string }>(
    `SELECT extension, key, value, rev, expires FROM extension_store WHERE expires <= ?
     ORDER BY expires, extension, key LIMIT ? ${tx.dialect.forUpdate}`,
    [now, limit],
  );
  for (const { extension, ...row } of rows) {
    await tx.run("DELETE FROM extension_store WHERE extension = ? AND key = ?", [extension, row.key]);
    await addSize(tx, extension, -sizeOf(row));
  }
  return rows.length;
}
