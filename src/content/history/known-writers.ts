// Writers of changes, kept in memory: pages of a history name the same few again and again. A writer changes only when it is
// given a pseudonym, which moves the version of all writers. Callers let the storage catch up first.

import { perInstance } from "#base/per-instance.ts";
import type { Storage } from "#storage/port.ts";
import type { ChangeRow } from "#storage/tables/history/changes.ts";
import { findWriters, type WriterRow } from "#storage/tables/history/writers.ts";

/** Beyond this many the memory is emptied. */
const maxKnown = 1_000;

interface Known {
  version: number;
  writers: ReadonlyMap<number, WriterRow>;
}

const knownIn = perInstance((_storage: Storage): { last: Known } => ({ last: { version: -1, writers: new Map() } }));

/** By their numbers. */
export async function knownWriters(
  storage: Storage,
  rows: readonly Pick<ChangeRow, "writer">[],
): Promise<ReadonlyMap<number, WriterRow>> {
  const known = knownIn(storage);
  const version = storage.version("writers");
  const kept = known.last.version === version ? known.last.writers : new Map<number, WriterRow>();
  const missing = [...new Set(rows.map(({ writer }) => writer))].filter((number) => !kept.has(number));
  if (missing.length === 0) return kept;
  const found = (await findWriters(storage, missing)).map((writer) => [writer.id, writer] as const);
  const writers = new Map([...kept, ...found]);
  if (storage.version("writers") === version)
    known.last = { version, writers: writers.size > maxKnown ? new Map() : writers };
  return writers;
}
