// Server processes that share the database, each with its version and the newest migration that it has.

import type { Reader, Tx } from "#storage/port.ts";

export interface NodeRow {
  id: string;
  version: string;
  knows: string;
  host: string;
  pid: number;
  started: string;
  seen: string;
}

export async function putNode(tx: Tx, row: NodeRow): Promise<void> {
  await tx.run(
    `INSERT INTO nodes (id, version, knows, host, pid, started, seen) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET seen = excluded.seen`,
    [row.id, row.version, row.knows, row.host, row.pid, row.started, row.seen],
  );
}

/** In order of their starts. */
export function listNodes(db: Reader): Promise<NodeRow[]> {
  return db.all<NodeRow>(
    "SELECT id, version, knows, host, pid, started, seen FROM nodes ORDER BY started, id LIMIT 1000",
  );
}

export async function deleteNode(tx: Tx, id: string): Promise<void> {
  await tx.run("DELETE FROM nodes WHERE id = ?", [id]);
}

export async function deleteNodesBefore(tx: Tx, seen: string): Promise<void> {
  await tx.run("DELETE FROM nodes WHERE seen < ?", [seen]);
}
