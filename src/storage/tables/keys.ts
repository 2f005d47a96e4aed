// API keys: only the hash of a key is stored. Usage stamps are updates, and so never bring a deleted key back.

import type { Reader, Tx } from "#storage/port.ts";

export interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
  /** JSON arrays. */
  methods: string;
  endpoints: string;
  /** 1: the key sees no drafts. */
  published: number;
  created: string;
  lastUsed: string | null;
}

const columns = `id, name, prefix, hash, methods, endpoints, published, created, last_used AS "lastUsed"`;

export async function insertKey(tx: Tx, row: KeyRow): Promise<void> {
  await tx.run(
    "INSERT INTO api_keys (id, name, prefix, hash, methods, endpoints, published, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [row.id, row.name, row.prefix, row.hash, row.methods, row.endpoints, row.published, row.created],
  );
  tx.touch("keys");
}

export function findKeyByHash(db: Reader, hash: string): Promise<KeyRow | undefined> {
  return db.one<KeyRow>(`SELECT ${columns} FROM api_keys WHERE hash = ?`, [hash]);
}

export function findKeyById(db: Reader, id: string): Promise<KeyRow | undefined> {
  return db.one<KeyRow>(`SELECT ${columns} FROM api_keys WHERE id = ?`, [id]);
}

export function listKeys(db: Reader): Promise<KeyRow[]> {
  return db.all<KeyRow>(`SELECT ${columns} FROM api_keys ORDER BY created, id`);
}

export async function deleteKey(tx: Tx, id: string): Promise<boolean> {
  const deleted = await tx.run("DELETE FROM api_keys WHERE id = ?", [id]);
  tx.touch("keys");
  return deleted > 0;
}

export async function stampKeys(tx: Tx, stamps: { id: string; lastUsed: string }[]): Promise<void> {
  for (const stamp of stamps) {
    await tx.run("UPDATE api_keys SET last_used = ? WHERE id = ?", [stamp.lastUsed, stamp.id]);
  }
}

interface StepsRow {
  hasKey: number;
  hasAgent: number;
}

/** How far a new installation is. An agent was let in by a user, has a session, or has used a key for MCP. */
const stepsSql = `SELECT
  CASE WHEN EXISTS (SELECT 1 FROM api_keys) THEN 1 ELSE 0 END AS "hasKey",
  CASE WHEN EXISTS (SELECT 1 FROM mcp_sessions)
    OR EXISTS (SELECT 1 FROM oauth_grants WHERE scopes LIKE '%"mcp:%')
    OR EXISTS (SELECT 1 FROM api_keys WHERE endpoints LIKE '%"/mcp"%' AND last_used IS NOT NULL)
  THEN 1 ELSE 0 END AS "hasAgent"`;

export async function readFirstSteps(db: Reader): Promise<{ hasKey: boolean; hasAgent: boolean }> {
  const row = await db.one<StepsRow>(stepsSql, []);
  return { hasKey: row?.hasKey === 1, hasAgent: row?.hasAgent === 1 };
}
