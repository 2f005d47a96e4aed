// Records of the log as they are answered: with their authors, and under the names that properties have now.

import type { ChangeAuthor, ChangeEntry } from "#contract/history.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { kindOf } from "#storage/log/change-record.ts";
import type { Reader } from "#storage/port.ts";
import type { ChangeRow } from "#storage/tables/history/changes.ts";
import { findWriters, type WriterRow } from "#storage/tables/history/writers.ts";
import { presentName } from "./version.ts";

export type Named = ChangeEntry & { by: ChangeAuthor };

export function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The properties that a change names, as far as the schema shows them. */
export function namesIn(schema: FlatSchema, { props }: Pick<ChangeRow, "props">): string[] {
  const names = props === null ? [] : (JSON.parse(props) as string[]);
  return [...new Set(names.map((name) => presentName(schema, name)))].filter((name) => schema.properties.has(name));
}

/** `schema`: absent where the collection is gone. */
export async function entriesOf(
  db: Reader,
  schema: FlatSchema | undefined,
  rows: readonly ChangeRow[],
): Promise<Named[]> {
  const authors = await authorsOf(db, rows);
  return rows.map((row) => ({
    change: String(row.seq),
    at: isoOf(row.at),
    collection: row.collection,
    id: row.id,
    kind: kindOf(row.kind),
    properties: schema ? namesIn(schema, row) : [],
    rev: row.rev,
    by: authors.get(row.writer) ?? unknown,
    ...(row.note !== null && { note: row.note }),
    hasContent: row.hasContent === 1,
  }));
}

/** By the number of the writer. */
export async function authorsOf(
  db: Reader,
  rows: readonly Pick<ChangeRow, "writer">[],
): Promise<Map<number, ChangeAuthor>> {
  const writers = await findWriters(db, [...new Set(rows.map(({ writer }) => writer))]);
  return new Map(writers.map((writer) => [writer.id, authorOf(writer)]));
}

const unknown: ChangeAuthor = { writer: "", actor: "", door: "api" };

export function authorOf(row: WriterRow): ChangeAuthor {
  const { userId, impersonator, clientId, clientName, grantId, keyId, keyName, automation, run } = row;
  return {
    writer: String(row.id),
    actor: row.actor,
    ...(userId !== null && { user: userId }),
    ...(impersonator !== null && { impersonator }),
    ...(clientId !== null && { client: { id: clientId, name: clientName ?? "" } }),
    ...(grantId !== null && { grant: grantId }),
    ...(keyId !== null && { key: { id: keyId, name: keyName ?? "" } }),
    ...(automation !== null && { automation }),
    door: row.door,
    ...(run !== null && { run }),
  };
}
