// Access groups as they were saved. The group of administrators is never among them.

import type { Reader, Tx } from "./port.ts";

export interface GroupRow {
  id: string;
  description: string;
  /** JSON text. */
  permissions: string;
  updated: string;
}

export function listGroupRows(db: Reader): Promise<GroupRow[]> {
  return db.all<GroupRow>("SELECT id, description, permissions, updated FROM access_groups ORDER BY id");
}

export async function putGroup(tx: Tx, row: GroupRow): Promise<void> {
  await tx.run(
    `INSERT INTO access_groups (id, description, permissions, updated) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET description = excluded.description, permissions = excluded.permissions,
       updated = excluded.updated`,
    [row.id, row.description, row.permissions, row.updated],
  );
  tx.touch("groups");
}

export async function deleteGroupRow(tx: Tx, id: string): Promise<boolean> {
  tx.touch("groups");
  return (await tx.run("DELETE FROM access_groups WHERE id = ?", [id])) > 0;
}
