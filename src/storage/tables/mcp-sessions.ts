// Sessions of MCP clients, by the hash of their id; the id itself is never stored.
// A session that ends or follows other resources moves the scope, so that every process looks again.

import type { Reader, Tx } from "#storage/port.ts";

export interface McpSessionRow {
  hash: string;
  principal: string;
  /** JSON texts. */
  opening: string;
  subscriptions: string;
  created: string;
  lastSeen: string;
}

const columns = `hash, principal, opening, subscriptions, created, last_seen AS "lastSeen"`;

export async function insertMcpSession(tx: Tx, row: McpSessionRow): Promise<void> {
  await tx.run(
    "INSERT INTO mcp_sessions (hash, principal, opening, subscriptions, created, last_seen) VALUES (?, ?, ?, ?, ?, ?)",
    [row.hash, row.principal, row.opening, row.subscriptions, row.created, row.lastSeen],
  );
}

export function findMcpSession(db: Reader, hash: string): Promise<McpSessionRow | undefined> {
  return db.one<McpSessionRow>(`SELECT ${columns} FROM mcp_sessions WHERE hash = ?`, [hash]);
}

/** The row, locked until the transaction ends. */
export function lockMcpSession(tx: Tx, hash: string): Promise<McpSessionRow | undefined> {
  return tx.one<McpSessionRow>(`SELECT ${columns} FROM mcp_sessions WHERE hash = ? ${tx.dialect.forUpdate}`, [hash]);
}

export async function updateMcpSubscriptions(tx: Tx, hash: string, subscriptions: string): Promise<void> {
  await tx.run("UPDATE mcp_sessions SET subscriptions = ? WHERE hash = ?", [subscriptions, hash]);
  tx.touch("mcp-sessions");
}

export async function stampMcpSession(tx: Tx, hash: string, lastSeen: string): Promise<void> {
  await tx.run("UPDATE mcp_sessions SET last_seen = ? WHERE hash = ?", [lastSeen, hash]);
}

export async function deleteMcpSession(tx: Tx, hash: string): Promise<void> {
  await tx.run("DELETE FROM mcp_sessions WHERE hash = ?", [hash]);
  tx.touch("mcp-sessions");
}

export async function deleteIdleMcpSessions(tx: Tx, before: string): Promise<void> {
  const deleted = await tx.run("DELETE FROM mcp_sessions WHERE last_seen < ?", [before]);
  if (deleted > 0) tx.touch("mcp-sessions");
}

/** Keeps only the most recently used sessions of the principal. */
export async function trimMcpSessions(tx: Tx, principal: string, kept: number): Promise<void> {
  const deleted = await tx.run(
    `DELETE FROM mcp_sessions WHERE principal = ? AND last_seen < (
       SELECT last_seen FROM mcp_sessions WHERE principal = ? ORDER BY last_seen DESC LIMIT 1 OFFSET ?)`,
    [principal, principal, kept - 1],
  );
  if (deleted > 0) tx.touch("mcp-sessions");
}

export async function countMcpSessions(db: Reader, since: string): Promise<number> {
  return (await db.one<{ n: number }>("SELECT count(*) AS n FROM mcp_sessions WHERE last_seen >= ?", [since]))?.n ?? 0;
}
