// Access groups as they were saved. The group of administrators is never among them.

import type { Reader, Tx } from "#storage/port.ts";

export interface GroupRow {
  id: string;
  description: string;
  /** JSON text; empty marks a shipped group as deleted. */
  permissions: string;
  updated: string;
  /** The shipped group that it stands for, where the id alone does not say it; else empty. */
  ships?: string;
}

const columns = "id, description, permissions, updated, ships";

export function deletedGroup(id: string, updated: string): GroupRow {
  return { id, description: "", permissions: "", updated };
}

export function isDeletedGroup(row: GroupRow): boolean {
  return row.permissions === "";
}

export function listGroupRows(db: Reader): Promise<GroupRow[]> {
  return db.all<GroupRow>(`SELECT ${columns} FROM access_groups ORDER BY id`);
}

export function findGroupRow(db: Reader, id: string): Promise<GroupRow | undefined> {
  return db.one<GroupRow>(`SELECT ${columns} FROM access_groups WHERE id = ?`, [id]);
}

export async function putGroup(tx: Tx, row: GroupRow): Promise<void> {
  await upsert(tx, row, "");
}

/** False when there is one already, also one made at the same moment; the mark of a deleted one is written over. */
export async function insertGroup(tx: Tx, row: GroupRow): Promise<boolean> {
  return (await upsert(tx, row, "WHERE access_groups.permissions = ''")) > 0;
}

async function upsert(tx: Tx, row: GroupRow, condition: string): Promise<number> {
  tx.touch("groups");
  return tx.run(
    `INSERT INTO access_groups (${columns}) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET description = excluded.description, permissions = excluded.permissions,
       updated = excluded.updated, ships = excluded.ships ${condition}`,
    [row.id, row.description, row.permissions, row.updated, row.ships ?? ""],
  );
}

export async function deleteGroupRow(tx: Tx, id: string): Promise<void> {
  tx.touch("groups");
  await tx.run("DELETE FROM access_groups WHERE id = ?", [id]);
}
