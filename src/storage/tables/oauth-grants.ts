// Grants: what a user has let a client do. One that is revoked is gone, with its codes and tokens.
// Every end of a grant moves the scope "grants", under which verdicts about tokens are kept.

import type { ClientOrigin } from "#contract/oauth.ts";
import type { Reader, Tx } from "#storage/port.ts";

export interface GrantRow {
  id: string;
  clientId: string;
  userId: string;
  userRid: number;
  /** A mark of the password that the grant began with. */
  passwordMark: string;
  /** JSON array. */
  scopes: string;
  /** The resource of its tokens: their audience. */
  resource: string;
  created: string;
  lastUsed: string | null;
  /** When the last code or refresh token made under it expires. */
  expires: string;
}

export interface ListedGrant extends GrantRow {
  clientName: string;
  clientOrigin: ClientOrigin;
}

const columns = `oauth_grants.id, client_id AS "clientId", user_id AS "userId", user_rid AS "userRid",
  password_mark AS "passwordMark", oauth_grants.scopes, resource, oauth_grants.created,
  oauth_grants.last_used AS "lastUsed", expires`;

export async function insertGrant(tx: Tx, row: GrantRow): Promise<void> {
  await tx.run(
    `INSERT INTO oauth_grants (id, client_id, user_id, user_rid, password_mark, scopes, resource, created, expires)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.id,
      row.clientId,
      row.userId,
      row.userRid,
      row.passwordMark,
      row.scopes,
      row.resource,
      row.created,
      row.expires,
    ],
  );
}

export function findGrant(db: Reader, id: string): Promise<GrantRow | undefined> {
  return db.one<GrantRow>(`SELECT ${columns} FROM oauth_grants WHERE oauth_grants.id = ?`, [id]);
}

const listed = `SELECT ${columns}, oauth_clients.name AS "clientName", oauth_clients.origin AS "clientOrigin"
  FROM oauth_grants JOIN oauth_clients ON oauth_clients.id = client_id`;
const inOrder = "ORDER BY oauth_grants.created, oauth_grants.id";

/** Those that are not over yet. */
export function listGrants(db: Reader, now: string): Promise<ListedGrant[]> {
  return db.all<ListedGrant>(`${listed} WHERE expires > ? ${inOrder}`, [now]);
}

export function listGrantsOf(db: Reader, userId: string, now: string): Promise<ListedGrant[]> {
  return db.all<ListedGrant>(`${listed} WHERE user_id = ? AND expires > ? ${inOrder}`, [userId, now]);
}

/** Undefined when there is none: of several that revoke it, one gets the row. */
export async function deleteGrant(tx: Tx, id: string): Promise<GrantRow | undefined> {
  tx.touch("grants");
  return tx.one<GrantRow>(`DELETE FROM oauth_grants WHERE id = ? RETURNING ${columns}`, [id]);
}

/** All of one client. */
export async function deleteGrantsFor(tx: Tx, clientId: string): Promise<GrantRow[]> {
  tx.touch("grants");
  return tx.all<GrantRow>(`DELETE FROM oauth_grants WHERE client_id = ? RETURNING ${columns}`, [clientId]);
}

export async function deleteGrantsOf(tx: Tx, userId: string): Promise<number> {
  tx.touch("grants");
  return tx.run("DELETE FROM oauth_grants WHERE user_id = ?", [userId]);
}

export async function deleteAllGrants(tx: Tx): Promise<number> {
  tx.touch("grants");
  return tx.run("DELETE FROM oauth_grants");
}

export async function deleteExpiredGrants(tx: Tx, now: string): Promise<number> {
  tx.touch("grants");
  return tx.run("DELETE FROM oauth_grants WHERE expires <= ?", [now]);
}

/** The last of its tokens expires later now. */
export async function prolongGrant(tx: Tx, id: string, { now, expires }: { now: string; expires: string }) {
  await tx.run("UPDATE oauth_grants SET last_used = ?, expires = ? WHERE id = ?", [now, expires, id]);
}

/** An update only: it never brings a revoked grant back. */
export async function stampGrants(tx: Tx, stamps: { id: string; lastUsed: string }[]): Promise<void> {
  for (const { id, lastUsed } of stamps) {
    await tx.run("UPDATE oauth_grants SET last_used = ? WHERE id = ?", [lastUsed, id]);
  }
}
