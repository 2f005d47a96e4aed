// One-time tokens by their hash: reset links, verification links, passkey challenges. The token itself is never stored.

import type { Reader, Tx } from "#storage/port.ts";

export type TokenPurpose =
  | "reset"
  | "verify"
  | "address"
  | "passkey-login"
  | "passkey-register"
  | "passkey-confirm"
  | "setup"
  /** Marks a session, by its hash. */
  | "confirmed";

export interface TokenRow {
  hash: string;
  purpose: TokenPurpose;
  /** Empty for a challenge to any caller. */
  userId: string;
  userRid: number;
  created: string;
  expires: string;
}

const columns = `hash, purpose, user_id AS "userId", user_rid AS "userRid", created, expires`;

export async function insertToken(tx: Tx, row: TokenRow): Promise<void> {
  await tx.run(
    "INSERT INTO account_tokens (hash, purpose, user_id, user_rid, created, expires) VALUES (?, ?, ?, ?, ?, ?)",
    [row.hash, row.purpose, row.userId, row.userRid, row.created, row.expires],
  );
}

export function findToken(db: Reader, hash: string): Promise<TokenRow | undefined> {
  return db.one<TokenRow>(`SELECT ${columns} FROM account_tokens WHERE hash = ?`, [hash]);
}

/** Of several at once exactly one gets it. */
export function takeToken(tx: Tx, hash: string): Promise<TokenRow | undefined> {
  return tx.one<TokenRow>(`DELETE FROM account_tokens WHERE hash = ? RETURNING ${columns}`, [hash]);
}

/** Whether the user was ever sent one that was not used, expired or not. */
export async function hasToken(db: Reader, row: Pick<TokenRow, "purpose" | "userId" | "userRid">): Promise<boolean> {
  const found = await db.one(
    "SELECT 1 AS found FROM account_tokens WHERE user_id = ? AND purpose = ? AND user_rid = ? LIMIT 1",
    [row.userId, row.purpose, row.userRid],
  );
  return found !== undefined;
}

/** Without a purpose: all of the user's. */
export function deleteTokensOf(tx: Tx, userId: string, purpose?: TokenPurpose): Promise<number> {
  return purpose === undefined
    ? tx.run("DELETE FROM account_tokens WHERE user_id = ?", [userId])
    : tx.run("DELETE FROM account_tokens WHERE user_id = ? AND purpose = ?", [userId, purpose]);
}

/** An expired verification stays as long as its user: it marks users that may request a new link. */
export function deleteExpiredTokens(tx: Tx, now: string): Promise<number> {
  return tx.run(
    `DELETE FROM account_tokens WHERE expires <= ?
     AND (purpose <> 'verify' OR NOT EXISTS (SELECT 1 FROM objects
       WHERE objects.rid = account_tokens.user_rid AND objects.collection = 'auth'))`,
    [now],
  );
}
