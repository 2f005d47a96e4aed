// Versions of stored objects, for what is kept of them: read without their documents, many by one statement.

import type { Reader } from "#storage/port.ts";
import type { ObjectRow } from "#storage/tables/object-row.ts";
import type { StoredText } from "#storage/tables/objects.ts";

type Versioned = Pick<ObjectRow, "rid" | "rev">;

/** Different after each write, and for an object that was deleted and created again. */
export function versionOf({ rid, rev }: Versioned): string {
  return `${rid}-${rev}`;
}

/** Parameters of one statement. */
const atOnce = 500;

/** By id, of those that are there. */
export async function findVersions(
  db: Reader,
  collection: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const rows = await inParts<Versioned & { id: string }>(db, "id, rid, rev", collection, ids);
  for (const row of rows) found.set(row.id, versionOf(row));
  return found;
}

export type VersionedDocument = Versioned & StoredText & { id: string };

export async function findDocuments(
  db: Reader,
  collection: string,
  ids: readonly string[],
): Promise<VersionedDocument[]> {
  return inParts(db, 'id, rid, rev, schema_rev AS "schemaRev", doc', collection, ids);
}

async function inParts<R>(db: Reader, columns: string, collection: string, ids: readonly string[]): Promise<R[]> {
  const rows: R[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    const sql = `SELECT ${columns} FROM objects WHERE collection = ? AND id IN (${some.map(() => "?").join(", ")})`;
    rows.push(...(await db.all<R>(sql, [collection, ...some])));
  }
  return rows;
}
