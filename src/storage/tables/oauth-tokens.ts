// Codes and refresh tokens by their hash; the values themselves are never stored.
// Each is used by one conditional UPDATE: of any number of requests at once, in any number of processes, one uses it.

import type { Reader, Tx } from "#storage/port.ts";

export interface CodeRow {
  hash: string;
  grantId: string;
  redirectUri: string;
  /** The PKCE challenge (S256); null: the client proves itself by its secret. */
  challenge: string | null;
  expires: string;
  used: string | null;
}

export interface RefreshTokenRow {
  hash: string;
  grantId: string;
  expires: string;
  used: string | null;
}

export async function insertCode(tx: Tx, row: CodeRow): Promise<void> {
  await tx.run("INSERT INTO oauth_codes (hash, grant_id, redirect_uri, challenge, expires) VALUES (?, ?, ?, ?, ?)", [
    row.hash,
    row.grantId,
    row.redirectUri,
    row.challenge,
    row.expires,
  ]);
}

export function findCode(db: Reader, hash: string): Promise<CodeRow | undefined> {
  return db.one<CodeRow>(
    `SELECT hash, grant_id AS "grantId", redirect_uri AS "redirectUri", challenge, expires, used
     FROM oauth_codes WHERE hash = ?`,
    [hash],
  );
}

/** False when it was used before. */
export async function useCode(tx: Tx, hash: string, now: string): Promise<boolean> {
  return (await tx.run("UPDATE oauth_codes SET used = ? WHERE hash = ? AND used IS NULL", [now, hash])) === 1;
}

export async function insertRefreshToken(tx: Tx, row: Omit<RefreshTokenRow, "used">): Promise<void> {
  await tx.run("INSERT INTO oauth_refresh_tokens (hash, grant_id, expires) VALUES (?, ?, ?)", [
    row.hash,
    row.grantId,
    row.expires,
  ]);
}

export function findRefreshToken(db: Reader, hash: string): Promise<RefreshTokenRow | undefined> {
  return db.one<RefreshTokenRow>(
    `SELECT hash, grant_id AS "grantId", expires, used FROM oauth_refresh_tokens WHERE hash = ?`,
    [hash],
  );
}

/** False when it was used before. */
export async function useRefreshToken(tx: Tx, hash: string, now: string): Promise<boolean> {
  return (await tx.run("UPDATE oauth_refresh_tokens SET used = ? WHERE hash = ? AND used IS NULL", [now, hash])) === 1;
}

/** Expired tokens raise no alarm any more. A used code stays as long as its grant. */
export function deleteExpiredTokens(tx: Tx, now: string): Promise<number> {
  return tx.run("DELETE FROM oauth_refresh_tokens WHERE expires <= ?", [now]);
}
