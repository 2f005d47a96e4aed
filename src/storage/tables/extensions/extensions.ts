// What operators decided about extensions.

import type { Reader, Tx } from "#storage/port.ts";

export interface ExtensionRow {
  id: string;
  enabled: number;
  /** JSON: names of capabilities. */
  switchedOff: string;
  /** JSON; null: nothing was approved. */
  approved: string | null;
  /** JSON by key. */
  settings: string;
  error: string | null;
  quarantined: number;
  /** JSON: field kinds. */
  kinds: string;
  /** JSON by id: schemas. */
  schemas: string;
  updated: string;
}

const columns =
  'id, enabled, switched_off AS "switchedOff", approved, settings, error, quarantined, kinds, schemas, updated';

export function listExtensionRows(db: Reader): Promise<ExtensionRow[]> {
  return db.all<ExtensionRow>(`SELECT ${columns} FROM extensions ORDER BY id`);
}

/** Field kinds and schemas of extensions that brought some, whatever their state is now. */
export function listBrought(db: Reader): Promise<Pick<ExtensionRow, "id" | "kinds" | "schemas">[]> {
  return db.all<Pick<ExtensionRow, "id" | "kinds" | "schemas">>(
    "SELECT id, kinds, schemas FROM extensions WHERE kinds <> '{}' OR schemas <> '{}' ORDER BY id",
  );
}

export function lockExtension(tx: Tx, id: string): Promise<ExtensionRow | undefined> {
  return tx.one<ExtensionRow>(`SELECT ${columns} FROM extensions WHERE id = ? ${tx.dialect.forUpdate}`, [id]);
}

export async function putExtension(tx: Tx, row: ExtensionRow): Promise<void> {
  const { id, enabled, switchedOff, approved, settings, error, quarantined, kinds, schemas, updated } = row;
  await tx.run(
    `INSERT INTO extensions (id, enabled, switched_off, approved, settings, error, quarantined, kinds, schemas, updated)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET enabled = excluded.enabled, switched_off = excluded.switched_off,
       approved = excluded.approved, settings = excluded.settings, error = excluded.error,
       quarantined = excluded.quarantined, kinds = excluded.kinds, schemas = excluded.schemas, updated = excluded.updated`,
    [id, enabled, switchedOff, approved, settings, error, quarantined, kinds, schemas, updated],
  );
  tx.touch("extensions");
}

export async function deleteExtension(tx: Tx, id: string): Promise<void> {
  await tx.run("DELETE FROM extensions WHERE id = ?", [id]);
  tx.touch("extensions");
}
