// The authors of changes, each combination of caller, door and run once. A row is never changed or deleted by a write: names
// of keys and clients are those of the first write, since the keys and clients themselves may be gone.

import type { Door } from "#contract/history.ts";
import type { Reader, Tx } from "#storage/port.ts";

export interface WriterRow {
  id: number;
  /** Unique for the combination. */
  mark: string;
  actor: string;
  userId: string | null;
  impersonator: string | null;
  keyId: string | null;
  keyName: string | null;
  clientId: string | null;
  clientName: string | null;
  grantId: string | null;
  automation: string | null;
  door: Door;
  run: string | null;
  /** Milliseconds. */
  first: number;
  /** Stands for the names that it had, where a pseudonym took their place. */
  was: string | null;
}

export const writerColumns = `id, mark, actor, user_id AS "userId", impersonator, key_id AS "keyId", key_name AS "keyName",
  client_id AS "clientId", client_name AS "clientName", grant_id AS "grantId", automation, door, run, first, was`;

/** The number of the writer with this mark; it is made with its first write. */
export async function putWriter(tx: Tx, writer: Omit<WriterRow, "id" | "was">): Promise<number> {
  const { mark, actor, userId, impersonator, keyId, keyName, clientId, clientName, grantId } = writer;
  const { automation, door, run, first } = writer;
  await tx.run(
    `INSERT INTO writers (mark, actor, user_id, impersonator, key_id, key_name, client_id, client_name, grant_id,
       automation, door, run, first) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (mark) DO NOTHING`,
    [
      ...[mark, actor, userId, impersonator, keyId, keyName, clientId, clientName, grantId],
      ...[automation, door, run, first],
    ],
  );
  const row = await tx.one<{ id: number }>("SELECT id FROM writers WHERE mark = ?", [mark]);
  return row?.id ?? 0;
}

export function findWriter(db: Reader, id: number): Promise<WriterRow | undefined> {
  return db.one<WriterRow>(`SELECT ${writerColumns} FROM writers WHERE id = ?`, [id]);
}

/** At most a page of them. */
export function findWriters(db: Reader, ids: readonly number[]): Promise<WriterRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.all<WriterRow>(`SELECT ${writerColumns} FROM writers WHERE id IN (${ids.map(() => "?").join(", ")})`, ids);
}

/** Other names take the place of those that a writer had; `was` says what they were. */
export async function renameWriter(tx: Tx, writer: WriterRow): Promise<void> {
  const { id, mark, actor, userId, impersonator, was } = writer;
  tx.touch("writers");
  await tx.run("UPDATE writers SET mark = ?, actor = ?, user_id = ?, impersonator = ?, was = ? WHERE id = ?", [
    ...[mark, actor, userId, impersonator, was],
    id,
  ]);
}
