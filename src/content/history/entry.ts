// A change as callers see it: the record, and its writer.

import type { ChangeAuthor, ChangeEntry } from "#contract/history.ts";
import { kindOf } from "#storage/log/change-record.ts";
import type { Reader } from "#storage/port.ts";
import type { ChangeRow, ListedChange } from "#storage/tables/history/changes.ts";
import { findWriters, type WriterRow } from "#storage/tables/history/writers.ts";

export function changeEntry(
  row: ListedChange,
  writer: WriterRow | undefined,
  properties = propertiesOf(row.props),
): ChangeEntry {
  const { seq, at, collection, id, kind, rev, note, hasContent } = row;
  // Lists have many of these, so nothing is spread.
  const entry: ChangeEntry = {
    change: String(seq),
    at: new Date(at).toISOString(),
    collection,
    id,
    kind: kindOf(kind),
    properties,
    rev,
    hasContent: hasContent === 1,
  };
  if (writer) entry.by = authorOf(writer);
  if (note !== null) entry.note = note;
  return entry;
}

/** As they were named then. */
export function propertiesOf(props: string | null): string[] {
  return props === null ? [] : (JSON.parse(props) as string[]);
}

export function authorOf(writer: WriterRow): ChangeAuthor {
  const { id, actor, userId, impersonator, clientId, clientName, grantId, keyId, keyName, automation } = writer;
  return {
    writer: String(id),
    actor,
    ...(userId !== null && { user: userId }),
    ...(impersonator !== null && { impersonator }),
    ...(clientId !== null && { client: { id: clientId, name: clientName ?? "" } }),
    ...(grantId !== null && { grant: grantId }),
    ...(keyId !== null && { key: { id: keyId, name: keyName ?? "" } }),
    ...(automation !== null && { automation }),
    door: writer.door,
    ...(writer.run !== null && { run: writer.run }),
  };
}

/** The writers of some changes, by their numbers; at most those of a page. */
export async function writersOf(
  db: Reader,
  rows: readonly Pick<ChangeRow, "writer">[],
): Promise<Map<number, WriterRow>> {
  const found = await findWriters(db, [...new Set(rows.map(({ writer }) => writer))]);
  return new Map(found.map((writer) => [writer.id, writer]));
}
