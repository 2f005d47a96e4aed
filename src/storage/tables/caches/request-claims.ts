// Requests with an Idempotency-Key, shared by all processes: one owner at a time carries a request out. The mark "written" is
// part of the request's own transaction, so it is there exactly when the write is.

import type { Reader, Tx } from "#storage/port.ts";

export interface Claim {
  name: string;
  owner: string;
}

export interface ClaimRow extends Claim {
  digest: string;
  /** 1 from the commit of its first write on, 2 when it was answered. */
  written: 0 | 1 | 2;
  answer: string | null;
  /** Milliseconds since 1970. */
  expires: number;
}

/** False when another request has the name: under way, or done and not expired. */
export async function insertClaim(
  tx: Tx,
  { name, owner, digest, expires }: Omit<ClaimRow, "written" | "answer">,
  now: number,
): Promise<boolean> {
  const taken = await tx.run(
    `INSERT INTO request_claims (name, digest, owner, written, answer, expires) VALUES (?, ?, ?, 0, NULL, ?)
     ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, owner = excluded.owner, written = 0, answer = NULL,
       expires = excluded.expires
     WHERE request_claims.expires <= ?`,
    [name, digest, owner, expires, now],
  );
  return taken > 0;
}

export function findClaim(db: Reader, name: string): Promise<ClaimRow | undefined> {
  return db.one<ClaimRow>("SELECT name, owner, digest, written, answer, expires FROM request_claims WHERE name = ?", [
    name,
  ]);
}

/** In the transaction of the request's first write. False when another request has taken the name over. */
export async function markClaimWritten(tx: Tx, { name, owner }: Claim, expires: number): Promise<boolean> {
  const sql = "UPDATE request_claims SET written = 1, expires = ? WHERE name = ? AND owner = ?";
  return (await tx.run(sql, [expires, name, owner])) > 0;
}

export function putClaimAnswer(
  tx: Tx,
  { name, owner }: Claim,
  { answer, expires }: Pick<ClaimRow, "answer" | "expires">,
): Promise<number> {
  const sql = "UPDATE request_claims SET answer = ?, written = 2, expires = ? WHERE name = ? AND owner = ?";
  return tx.run(sql, [answer, expires, name, owner]);
}

/** Of a request that has written nothing: the same key may be tried again. */
export function deleteUnwrittenClaim(tx: Tx, { name, owner }: Claim): Promise<number> {
  return tx.run("DELETE FROM request_claims WHERE name = ? AND owner = ? AND written = 0", [name, owner]);
}

/** At most so many: those that are being taken over at this moment are left. */
export function deleteExpiredClaims(tx: Tx, now: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM request_claims WHERE name IN (
       SELECT name FROM request_claims WHERE expires <= ? ORDER BY expires LIMIT ? ${tx.dialect.skipLocked})`,
    [now, limit],
  );
}
