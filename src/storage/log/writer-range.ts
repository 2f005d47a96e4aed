// A range of the log in which a writer has changes, as it is stored and as it is used.

import type { Dialect, Place } from "#storage/port.ts";

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
