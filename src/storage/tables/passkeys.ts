// Passkeys by the id of their credential. They belong to exactly one user, identified by user_rid.

import type { Reader, Tx } from "#storage/port.ts";

export interface PasskeyRow {
  /** The credential's id, base64url. */
  id: string;
  userId: string;
  userRid: number;
  /** COSE key, base64url. */
  publicKey: string;
  signCount: number;
  /** JSON array. */
  transports: string;
  name: string;
  created: string;
  lastUsed: string | null;
}

const columns = `id, user_id AS "userId", user_rid AS "userRid", public_key AS "publicKey", sign_count AS "signCount",
  transports, name, created, last_used AS "lastUsed"`;

/** Those of an earlier user of the same id go with it. Throws UniqueViolation when the credential is known. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<void> {
  await tx.run("DELETE FROM passkeys WHERE user_id = ? AND user_rid <> ?", [row.userId, row.userRid]);
  await tx.run(
    `INSERT INTO passkeys (id, user_id, user_rid, public_key, sign_count, transports, name, created)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [row.id, row.userId, row.userRid, row.publicKey, row.signCount, row.transports, row.name, row.created],
  );
}

export function findPasskey(db: Reader, id: string): Promise<PasskeyRow | undefined> {
  return db.one<PasskeyRow>(`SELECT ${columns} FROM passkeys WHERE id = ?`, [id]);
}

export function listPasskeys(db: Reader, userId: string, userRid: number): Promise<PasskeyRow[]> {
  return db.all<PasskeyRow>(`SELECT ${columns} FROM passkeys WHERE user_id = ? AND user_rid = ? ORDER BY created, id`, [
    userId,
    userRid,
  ]);
}

export async function deletePasskey(tx: Tx, id: string, userRid: number): Promise<boolean> {
  return (await tx.run("DELETE FROM passkeys WHERE id = ? AND user_rid = ?", [id, userRid])) > 0;
}

/** False when it is gone, or was used meanwhile: an update only, so that it never comes back. */
export async function stampPasskey(
  tx: Tx,
  { id, signCount }: PasskeyRow,
  use: { signCount: number; lastUsed: string },
): Promise<boolean> {
  const changed = await tx.run("UPDATE passkeys SET sign_count = ?, last_used = ? WHERE id = ? AND sign_count = ?", [
    use.signCount,
    use.lastUsed,
    id,
    signCount,
  ]);
  return changed > 0;
}
