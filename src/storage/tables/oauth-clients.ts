// Applications that may ask users for access. Deleting one takes its grants along, by the tables' own rule.

import type { ClientOrigin } from "#contract/oauth.ts";
import type { Reader, Tx } from "#storage/port.ts";

export interface ClientRow {
  /** A UUID, or the address of the document. */
  id: string;
  name: string;
  /** SHA-256 of the secret, in hex; null: a public client. */
  secretHash: string | null;
  origin: ClientOrigin;
  /** JSON arrays. */
  redirectUris: string;
  scopes: string;
  created: string;
  lastUsed: string | null;
}

export interface ListedClient extends ClientRow {
  /** How many grants it has. */
  grants: number;
}

const columns = `id, name, secret_hash AS "secretHash", origin, redirect_uris AS "redirectUris", scopes, created,
  last_used AS "lastUsed"`;

/** One that is there already keeps its beginning and takes the rest: its document may have changed. */
export async function putClient(tx: Tx, row: ClientRow): Promise<void> {
  await tx.run(
    `INSERT INTO oauth_clients (id, name, secret_hash, origin, redirect_uris, scopes, created)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
       name = excluded.name, redirect_uris = excluded.redirect_uris, scopes = excluded.scopes`,
    [row.id, row.name, row.secretHash, row.origin, row.redirectUris, row.scopes, row.created],
  );
}

export function findClient(db: Reader, id: string): Promise<ClientRow | undefined> {
  return db.one<ClientRow>(`SELECT ${columns} FROM oauth_clients WHERE id = ?`, [id]);
}

/** The same, and it cannot be deleted before the transaction ends. */
export function lockClient(tx: Tx, id: string): Promise<ClientRow | undefined> {
  return tx.one<ClientRow>(`SELECT ${columns} FROM oauth_clients WHERE id = ? ${tx.dialect.forUpdate}`, [id]);
}

export function listClients(db: Reader): Promise<ListedClient[]> {
  return db.all<ListedClient>(
    `SELECT ${columns}, (SELECT COUNT(*) FROM oauth_grants WHERE client_id = oauth_clients.id) AS grants
     FROM oauth_clients ORDER BY created, id`,
  );
}

/** Undefined when there is none. */
export async function deleteClient(tx: Tx, id: string): Promise<ClientRow | undefined> {
  tx.touch("grants");
  return tx.one<ClientRow>(`DELETE FROM oauth_clients WHERE id = ? RETURNING ${columns}`, [id]);
}

/** Self-registered clients without a grant that were created no later than a time. */
const isStale = `origin <> 'static' AND created <= ?
  AND NOT EXISTS (SELECT 1 FROM oauth_grants WHERE client_id = oauth_clients.id)`;

export async function deleteStaleClients(tx: Tx, before: string): Promise<ClientRow[]> {
  // Locked first: the second look sees a grant that was made while it waited, and none is made after it.
  await tx.all(`SELECT id FROM oauth_clients WHERE ${isStale} ${tx.dialect.forUpdate}`, [before]);
  return tx.all<ClientRow>(`DELETE FROM oauth_clients WHERE ${isStale} RETURNING ${columns}`, [before]);
}

export async function countStaleClients(db: Reader, before: string): Promise<number> {
  const row = await db.one<{ clients: number }>(`SELECT COUNT(*) AS clients FROM oauth_clients WHERE ${isStale}`, [
    before,
  ]);
  return Number(row?.clients ?? 0);
}

export async function stampClient(tx: Tx, id: string, now: string): Promise<void> {
  await tx.run("UPDATE oauth_clients SET last_used = ? WHERE id = ?", [now, id]);
}

/** Redirect URIs that need no warning: of clients that an administrator made, and those this user sent a code to before. */
export async function listKnownRedirects(db: Reader, userId: string): Promise<string[]> {
  const made = await db.all<{ uris: string }>(
    "SELECT redirect_uris AS uris FROM oauth_clients WHERE origin = 'static'",
  );
  const used = await db.all<{ uri: string }>(
    `SELECT DISTINCT redirect_uri AS uri FROM oauth_codes
     JOIN oauth_grants ON oauth_grants.id = grant_id WHERE user_id = ? AND used IS NOT NULL`,
    [userId],
  );
  return [...made.flatMap(({ uris }) => JSON.parse(uris) as string[]), ...used.map(({ uri }) => uri)];
}
