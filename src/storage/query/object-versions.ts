// Versions of stored objects, for what is kept of them: read without their documents, many by one statement.

import type { Caller } from "#lanes/caller.ts";
import type { Asked, Reader } from "#storage/port.ts";
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

const documentColumns = 'id, rid, rev, schema_rev AS "schemaRev", doc';

export async function findDocuments(
  db: Reader,
  collection: string,
  ids: readonly string[],
): Promise<VersionedDocument[]> {
  return inParts(db, documentColumns, collection, ids);
}

/** So few are read faster than they are asked for. */
const readAtOnce = 20;

/** The same beside the server's own work, in the name of a caller, where they are many. */
export async function askDocuments(
  db: Reader & Asked,
  collection: string,
  ids: readonly string[],
  caller: Caller,
): Promise<VersionedDocument[]> {
  if (ids.length <= readAtOnce) return findDocuments(db, collection, ids);
  const wanted = partsOf(ids).map((some) => ({
    attempts: [[{ sql: byIds(documentColumns, some), params: [collection, ...some] }]],
    limit: some.length,
  }));
  const { rows } = await db.ask({ wanted, caller });
  return rows.flat() as unknown as VersionedDocument[];
}

async function inParts<R>(db: Reader, columns: string, collection: string, ids: readonly string[]): Promise<R[]> {
  const rows: R[] = [];
  for (const some of partsOf(ids)) rows.push(...(await db.all<R>(byIds(columns, some), [collection, ...some])));
  return rows;
}

function partsOf(ids: readonly string[]): (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  for (let from = 0; from < ids.length; from += atOnce) parts.push(ids.slice(from, from + atOnce));
  return parts;
}

function byIds(columns: string, ids: readonly string[]): string {
  return `SELECT ${columns} FROM objects WHERE collection = ? AND id IN (${ids.map(() => "?").join(", ")})`;
}
