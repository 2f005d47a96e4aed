// Sessions by the hash of their cookie's value; the value itself is never stored.

import type { Reader, Tx } from "#storage/port.ts";

/** Of one user. */
const maxListed = 1_000;

export interface SessionRow {
  hash: string;
  userId: string;
  userRid: number;
  /** A mark of the password that the session began with. */
  passwordMark: string;
  created: string;
  lastSeen: string;
  expires: string;
  isRemembered: number;
  /** The hash of the session of the admin who acts as this user. */
  impersonator: string | null;
  address: string;
  agent: string;
}

const columns = `hash, user_id AS "userId", user_rid AS "userRid", password_mark AS "passwordMark", created,
  last_seen AS "lastSeen", expires, is_remembered AS "isRemembered", impersonator, address, agent`;

export async function insertSession(tx: Tx, row: SessionRow): Promise<void> {
  await tx.run(
    `INSERT INTO sessions (hash, user_id, user_rid, password_mark, created, last_seen, expires, is_remembered,
       impersonator, address, agent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.hash,
      row.userId,
      row.userRid,
      row.passwordMark,
      row.created,
      row.lastSeen,
      row.expires,
      row.isRemembered,
      row.impersonator,
      row.address,
      row.agent,
    ],
  );
}

export function findSession(db: Reader, hash: string): Promise<SessionRow | undefined> {
  return db.one<SessionRow>(`SELECT ${columns} FROM sessions WHERE hash = ?`, [hash]);
}

/** Those that were used last, the newest first. */
export function listSessions(db: Reader, userId: string): Promise<SessionRow[]> {
  const sql = `SELECT ${columns} FROM sessions WHERE user_id = ? ORDER BY last_seen DESC LIMIT ?`;
  return db.all<SessionRow>(sql, [userId, maxListed]);
}

export async function deleteSession(tx: Tx, hash: string): Promise<boolean> {
  tx.touch("sessions");
  return (await tx.run("DELETE FROM sessions WHERE hash = ?", [hash])) > 0;
}

export async function deleteSessionsOf(tx: Tx, userId: string, exceptHash = ""): Promise<number> {
  tx.touch("sessions");
  return tx.run("DELETE FROM sessions WHERE user_id = ? AND hash <> ?", [userId, exceptHash]);
}

/** An update only: it never brings an ended session back. */
export async function stampSessions(
  tx: Tx,
  stamps: { hash: string; lastSeen: string; expires: string }[],
): Promise<void> {
  for (const { hash, lastSeen, expires } of stamps) {
    await tx.run("UPDATE sessions SET last_seen = ?, expires = ? WHERE hash = ?", [lastSeen, expires, hash]);
  }
}

export function deleteExpiredSessions(tx: Tx, now: string): Promise<number> {
  return tx.run("DELETE FROM sessions WHERE expires <= ?", [now]);
}
