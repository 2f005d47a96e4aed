// What users have chosen in the admin: one JSON object for each, of the user with this number.

import type { Reader, Tx } from "#storage/port.ts";

/** JSON text. */
export async function findPreferences(db: Reader, userRid: number): Promise<string | undefined> {
  return (await db.one<{ value: string }>("SELECT value FROM preferences WHERE user_rid = ?", [userRid]))?.value;
}

/** False when the user is gone, also by a concurrent transaction. */
export async function putPreferences(
  tx: Tx,
  { userRid, value, updated }: { userRid: number; value: string; updated: string },
): Promise<boolean> {
  const stored = await tx.run(
    `INSERT INTO preferences (user_rid, user_id, value, updated)
     SELECT rid, id, CAST(? AS TEXT), CAST(? AS TEXT) FROM objects WHERE rid = ? AND collection = 'auth' ${tx.dialect.forReference}
     ON CONFLICT (user_rid) DO UPDATE SET value = excluded.value, updated = excluded.updated`,
    [value, updated, userRid],
  );
  return stored > 0;
}

export async function deletePreferencesOf(tx: Tx, userId: string): Promise<void> {
  await tx.run("DELETE FROM preferences WHERE user_id = ?", [userId]);
}
