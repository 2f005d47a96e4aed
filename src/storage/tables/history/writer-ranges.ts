// Where in the log the changes of a writer are: for each sealed range, from the first of its changes there to the last. Writes
// note nothing here; sealing does, from what it has read. Changes after the last seal that is noted are looked through.

import { rangeColumns, rangeOf, rangesAsLog, type StoredRange, type WriterRange } from "#storage/log/writer-range.ts";
import type { Place, Reader, Storage, Tx } from "#storage/port.ts";
import { listSeals, type SealRow } from "./seals.ts";

/** A change, as far as sealing tells it on. */
export interface NotedChange extends Place {
  writer: number;
  at: number;
}

/** What a new seal is about, in the order of commits; unless an older one is to be noted first (`noteOlder`). */
export async function noteWriters(tx: Tx, number: number, changes: readonly NotedChange[]): Promise<boolean> {
  const isNext = await tx.run("UPDATE change_log SET noted = ? WHERE one = 1 AND noted = ?", [number, number - 1]);
  if (isNext === 0) return false;
  const found = new Map<number, WriterRange>();
  for (const { writer, at, tx: transaction, seq } of changes) {
    const place = { tx: transaction, seq };
    const known = found.get(writer);
    if (known) Object.assign(known, { last: place, newest: Math.max(known.newest, at) });
    else found.set(writer, { number, first: place, last: place, newest: at });
  }
  if (found.size === 0) return true;
  await tx.run(
    `INSERT INTO writer_ranges (writer, number, from_tx, from_seq, tx, seq, newest)
     VALUES ${Array(found.size).fill("(?, ?, ?, ?, ?, ?, ?)").join(", ")} ON CONFLICT DO NOTHING`,
    [...found].flatMap(([writer, { first, last, newest }]) => [
      ...[writer, number, first.tx, first.seq, last.tx, last.seq, newest],
    ]),
  );
  return true;
}

/**
 * Notes the writers of the next seals that have none: after a restore, and while a server runs that does not know of ranges.
 * Returns how many seals it noted.
 */
export async function noteOlder(storage: Storage, limit: number): Promise<number> {
  const row = await storage.one<{ noted: number }>("SELECT noted FROM change_log WHERE one = 1");
  const noted = Number(row?.noted ?? 0);
  const seals = await listSeals(storage, noted, limit);
  if (seals.length === 0) return 0;
  const [before] = noted === 0 ? [] : await listSeals(storage, noted - 1, 1);
  return storage.write(async (tx) => {
    let done = 0;
    let after: Place = before ?? { tx: "0", seq: 0 };
    for (const seal of seals) {
      // Another process may have been faster.
      if (!(await noteWriters(tx, seal.number, await listNoted(tx, after, seal)))) break;
      after = seal;
      done += 1;
    }
    return done;
  });
}

function listNoted(db: Reader, after: Place, seal: SealRow): Promise<NotedChange[]> {
  const { log } = db.dialect;
  const range = log.between(after, seal);
  return db.all<NotedChange>(
    `SELECT seq, ${log.tx} AS tx, writer, at FROM changes WHERE ${range.sql} ORDER BY ${log.order} LIMIT ?`,
    [...range.params, seal.records],
  );
}

export const selectNotedPlace = "SELECT tx, seq FROM seals WHERE number = (SELECT noted FROM change_log WHERE one = 1)";

/** Up to here the ranges are there; before every change, where there are none. */
export async function findNotedPlace(db: Reader): Promise<Place> {
  return (await db.one<Place>(selectNotedPlace)) ?? { tx: "0", seq: 0 };
}

/** The ranges of one writer up to a place, newest first. */
export async function listWriterRanges(
  db: Reader,
  writer: number,
  { upTo, limit }: { upTo: Place; limit: number },
): Promise<WriterRange[]> {
  const { log } = db.dialect;
  const to = log.upTo(upTo);
  const rows = await db.all<StoredRange>(
    `SELECT ${rangeColumns(db)} FROM ${rangesAsLog} WHERE writer = ? AND ${to.sql} ORDER BY ${log.newestFirst} LIMIT ?`,
    [writer, ...to.params, limit],
  );
  return rows.map(rangeOf);
}

/** Of records that go. */
export async function removeWriterRanges(tx: Tx, { after, upTo }: { after: Place; upTo: Place }): Promise<void> {
  const within = tx.dialect.log.between(after, upTo);
  await tx.run(
    `DELETE FROM writer_ranges WHERE writer IN (SELECT writer FROM changes WHERE ${within.sql}) AND ${within.sql}`,
    [...within.params, ...within.params],
  );
}
