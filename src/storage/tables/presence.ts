// Users that have an object open, by object and user. A row counts while it was renewed a short time ago.

import type { Reader, Tx } from "#storage/port.ts";

export interface PresenceRow {
  userId: string;
  name: string;
  editing: number;
  since: string;
  seen: string;
}

export interface PresencePlace {
  collection: string;
  object: string;
}

/** `lapsed`: a row that was not renewed since then begins again. */
export async function putPresence(
  tx: Tx,
  { collection, object }: PresencePlace,
  row: Omit<PresenceRow, "since"> & { lapsed: string },
): Promise<void> {
  await tx.run(
    `INSERT INTO presence (collection, object, user_id, name, editing, since, seen) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (collection, object, user_id) DO UPDATE SET name = excluded.name, editing = excluded.editing,
       since = CASE WHEN presence.seen < ? THEN excluded.since ELSE presence.since END, seen = excluded.seen`,
    [collection, object, row.userId, row.name, row.editing, row.seen, row.seen, row.lapsed],
  );
}

/** Those that were renewed after a moment, in order of their ids. */
export function listPresence(
  db: Reader,
  { collection, object }: PresencePlace,
  { after, limit }: { after: string; limit: number },
): Promise<PresenceRow[]> {
  return db.all<PresenceRow>(
    `SELECT user_id AS "userId", name, editing, since, seen FROM presence
     WHERE collection = ? AND object = ? AND seen > ? ORDER BY user_id LIMIT ?`,
    [collection, object, after, limit],
  );
}

export async function deletePresence(tx: Tx, { collection, object }: PresencePlace, userId: string): Promise<void> {
  await tx.run("DELETE FROM presence WHERE collection = ? AND object = ? AND user_id = ?", [
    collection,
    object,
    userId,
  ]);
}

export async function deleteOldPresence(tx: Tx, before: string): Promise<void> {
  await tx.run("DELETE FROM presence WHERE seen < ?", [before]);
}
