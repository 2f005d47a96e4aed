// How far a new installation is: whether there are keys, and whether an AI client has ever been connected.

import type { Reader } from "#storage/port.ts";

interface StepsRow {
  hasKey: number;
  hasAgent: number;
}

/** An agent was let in by a user, has a session, or has used a key for MCP. */
const sql = `SELECT
  CASE WHEN EXISTS (SELECT 1 FROM api_keys) THEN 1 ELSE 0 END AS "hasKey",
  CASE WHEN EXISTS (SELECT 1 FROM mcp_sessions)
    OR EXISTS (SELECT 1 FROM oauth_grants WHERE scopes LIKE '%"mcp:%')
    OR EXISTS (SELECT 1 FROM api_keys WHERE endpoints LIKE '%"/mcp"%' AND last_used IS NOT NULL)
  THEN 1 ELSE 0 END AS "hasAgent"`;

export async function readFirstSteps(db: Reader): Promise<{ hasKey: boolean; hasAgent: boolean }> {
  const row = await db.one<StepsRow>(sql, []);
  return { hasKey: row?.hasKey === 1, hasAgent: row?.hasAgent === 1 };
}
