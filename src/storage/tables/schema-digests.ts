// What of the schema files has been announced: a digest of each, by the schema's id.

import type { Reader, Tx } from "#storage/port.ts";

/** The row of the whole folder: it was recorded at least once. */
const folderId = "";
/** Rows that one statement writes or deletes. */
const atOnce = 100;

/** Undefined when the files were never noted. */
export async function findSchemaDigests(db: Reader): Promise<Map<string, string> | undefined> {
  const rows = await db.all<{ id: string; digest: string }>("SELECT id, digest FROM schema_digests");
  const digests = new Map(rows.map(({ id, digest }) => [id, digest]));
  return digests.delete(folderId) ? digests : undefined;
}

/** Also notes that the whole folder is known. */
export function noteSchemaFolder(tx: Tx, digests: ReadonlyMap<string, string>): Promise<void> {
  return putSchemaDigests(tx, new Map([...digests, [folderId, ""]]));
}

export async function putSchemaDigests(tx: Tx, digests: ReadonlyMap<string, string>): Promise<void> {
  const rows = [...digests];
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce);
    await tx.run(
      `INSERT INTO schema_digests (id, digest) VALUES ${some.map(() => "(?, ?)").join(", ")}
       ON CONFLICT (id) DO UPDATE SET digest = excluded.digest`,
      some.flat(),
    );
  }
}

export async function deleteSchemaDigests(tx: Tx, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    await tx.run(`DELETE FROM schema_digests WHERE id IN (${some.map(() => "?").join(", ")})`, some);
  }
}
