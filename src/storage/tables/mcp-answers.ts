// Answers of MCP clients on their way from the process that got them to the one that asked. Each is taken once.

import type { Tx } from "#storage/port.ts";

export interface McpAnswerRow {
  asker: string;
  /** The hash of the session's id. */
  session: string;
  /** JSON text. */
  message: string;
}

export async function insertMcpAnswer(tx: Tx, row: McpAnswerRow, created: string): Promise<void> {
  tx.touch("mcp-answers");
  await tx.run("INSERT INTO mcp_answers (asker, session, message, created) VALUES (?, ?, ?, ?)", [
    row.asker,
    row.session,
    row.message,
    created,
  ]);
}

export function takeMcpAnswers(tx: Tx, asker: string): Promise<McpAnswerRow[]> {
  return tx.all<McpAnswerRow>("DELETE FROM mcp_answers WHERE asker = ? RETURNING asker, session, message", [asker]);
}

/** No request waits for them any more. */
export async function deleteOldMcpAnswers(tx: Tx, before: string): Promise<void> {
  await tx.run("DELETE FROM mcp_answers WHERE created < ?", [before]);
}
