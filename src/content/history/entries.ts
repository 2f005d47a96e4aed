// Records of the log as they are answered: with their authors, and under the names that properties have now.

import type { ChangeAuthor, ChangeEntry } from "#contract/history.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Reader, Storage } from "#storage/port.ts";
import type { ChangeRow, ListedChange } from "#storage/tables/history/changes.ts";
import type { WriterRow } from "#storage/tables/history/writers.ts";
import { authorOf, changeEntry, propertiesOf, writersOf } from "./entry.ts";
import { knownWriters } from "./known-writers.ts";
import { presentName } from "./version.ts";

export type Named = ChangeEntry & { by: ChangeAuthor };

export function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The properties that a change names, as far as the schema shows them. */
export function namesIn(schema: FlatSchema, { props }: Pick<ChangeRow, "props">): string[] {
  const names = new Set(propertiesOf(props).map((name) => presentName(schema, name)));
  return [...names].filter((name) => schema.properties.has(name));
}

/** `schema`: absent where the collection is gone. */
export async function entriesOf(
  storage: Storage,
  schema: FlatSchema | undefined,
  rows: readonly ListedChange[],
): Promise<Named[]> {
  const authors = namesOf(await knownWriters(storage, rows));
  // Many changes name the same properties.
  const named = new Map<string | null, string[]>();
  return rows.map((row) => {
    let names = named.get(row.props);
    if (names === undefined) {
      names = schema ? namesIn(schema, row) : [];
      named.set(row.props, names);
    }
    const entry = changeEntry(row, undefined, names) as Named;
    entry.by = authors.get(row.writer) ?? unknown;
    return entry;
  });
}

/** By the number of the writer. */
export async function authorsOf(
  db: Reader,
  rows: readonly Pick<ChangeRow, "writer">[],
): Promise<Map<number, ChangeAuthor>> {
  return namesOf(await writersOf(db, rows));
}

function namesOf(writers: ReadonlyMap<number, WriterRow>): Map<number, ChangeAuthor> {
  return new Map([...writers].map(([number, writer]) => [number, authorOf(writer)]));
}

const unknown: ChangeAuthor = { writer: "", actor: "", door: "api" };
