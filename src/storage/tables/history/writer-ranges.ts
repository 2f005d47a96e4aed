// Where in the log the changes of a writer are: for each sealed range, from the first of its changes there to the last. Writes
// note nothing here; sealing does, from what it has read. Changes after the last seal are looked through.

import type { Dialect, Place, Reader, Storage, Tx } from "#storage/port.ts";
import { findLastSeal, listSeals, type SealRow } from "./seals.ts";

export interface WriterRange {
  /** The seal. */
  number: number;
  first: Place;
  last: Place;
  /** Milliseconds. */
  newest: number;
}

export interface StoredRange {
  number: number;
  fromTx: string;
  fromSeq: number;
  tx: string;
  seq: number;
  newest: number;
}

/** A change, as far as sealing tells it on. */
export interface NotedChange extends Place {
  writer: number;
  at: number;
}

/** Named like the log, so that its order and its places are written as they are there. */
export const rangesAsLog = "writer_ranges AS changes";

export function rangeColumns({ dialect: { log } }: { dialect: Dialect }): string {
  return `number, from_tx AS "fromTx", from_seq AS "fromSeq", ${log.tx} AS tx, seq, newest`;
}

export function rangeOf({ number, fromTx, fromSeq, tx, seq, newest }: StoredRange): WriterRange {
  return { number, first: { tx: fromTx, seq: fromSeq }, last: { tx, seq }, newest };
}

/** The place right before another. */
export function placeBefore({ tx, seq }: Place): Place {
  return { tx, seq: seq - 1 };
}

/** What a seal is about, in the order of commits. */
export async function noteWriters(tx: Tx, number: number, changes: readonly NotedChange[]): Promise<void> {
  const found = new Map<number, WriterRange>();
  for (const { writer, at, tx: transaction, seq } of changes) {
    const place = { tx: transaction, seq };
    const known = found.get(writer);
    if (known) Object.assign(known, { last: place, newest: Math.max(known.newest, at) });
    else found.set(writer, { number, first: place, last: place, newest: at });
  }
  if (found.size === 0) return;
  await tx.run(
    `INSERT INTO writer_ranges (writer, number, from_tx, from_seq, tx, seq, newest)
     VALUES ${Array(found.size).fill("(?, ?, ?, ?, ?, ?, ?)").join(", ")}`,
    [...found].flatMap(([writer, { first, last, newest }]) => [
      ...[writer, number, first.tx, first.seq, last.tx, last.seq, newest],
    ]),
  );
}

export const selectSealedPlace = "SELECT tx, seq FROM seals WHERE number > 0 ORDER BY number DESC LIMIT 1";

/** The last place that is sealed; before every change, where none is. */
export async function findSealedPlace(db: Reader): Promise<Place> {
  const found = await db.one<Place>(selectSealedPlace);
  return found ?? { tx: "0", seq: 0 };
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
  const { log } = tx.dialect;
  const [from, to] = [log.after(after), log.upTo(upTo)];
  const within = { sql: `${from.sql} AND ${to.sql}`, params: [...from.params, ...to.params] };
  await tx.run(
    `DELETE FROM writer_ranges WHERE writer IN (SELECT writer FROM changes WHERE ${within.sql}) AND ${within.sql}`,
    [...within.params, ...within.params],
  );
}

/** From the log and its seals, after both were put back. */
export async function rebuildWriterRanges(storage: Storage): Promise<void> {
  await storage.write((tx) => tx.run("DELETE FROM writer_ranges"));
  const end = (await findLastSeal(storage))?.number ?? 0;
  let after: Place = { tx: "0", seq: 0 };
  for (let number = 0; number < end; ) {
    const seals = await listSeals(storage, number, 20);
    await storage.write(async (tx) => {
      for (const seal of seals) {
        if (seal.pruned === 0) await noteWriters(tx, seal.number, await listNoted(tx, after, seal));
        after = { tx: seal.tx, seq: seal.seq };
      }
    });
    number = seals.at(-1)?.number ?? end;
  }
}

function listNoted(db: Reader, after: Place, seal: SealRow): Promise<NotedChange[]> {
  const { log } = db.dialect;
  const [from, to] = [log.after(after), log.upTo(seal)];
  return db.all<NotedChange>(
    `SELECT seq, ${log.tx} AS tx, writer, at FROM changes WHERE ${from.sql} AND ${to.sql} ORDER BY ${log.order} LIMIT ?`,
    [...from.params, ...to.params, seal.records],
  );
}
