// The seals of the log: ranges of records in the order of commits, with their hashes. Contents that are taken out leave their
// hash, so that a sealed record stays what it was.

import type { Place, Reader, Storage, Tx } from "#storage/port.ts";

/** A record with all that is sealed. */
export interface SealedRow extends Place {
  at: number;
  rid: number;
  rev: number;
  kind: number;
  flags: number;
  writer: number;
  approver: number | null;
  proposal: string | null;
  collection: string;
  id: string;
  layer: string | null;
  note: string | null;
  props: string | null;
  secrets: string | null;
  content: string | null;
  contentHash: string | null;
  /** Stands for a note that was erased. */
  noteHash: string | null;
}

export interface SealRow extends Place {
  number: number;
  records: number;
  rangeHash: string;
  root: string;
  /** Milliseconds: when it was sealed, and the newest of its records. */
  at: number;
  newest: number;
  /** 1: its records were removed. */
  pruned: number;
  marks: string;
}

export const sealColumns = `number, tx, seq, records, range_hash AS "rangeHash", root, at, newest, pruned, marks`;
const recordColumns = `seq, at, rid, rev, kind, flags, writer, approver, proposal, collection, id, layer, note, props, secrets,
  content, content_hash AS "contentHash", note_hash AS "noteHash"`;

export function findLastSeal(db: Reader): Promise<SealRow | undefined> {
  return db.one<SealRow>(`SELECT ${sealColumns} FROM seals WHERE number > 0 ORDER BY number DESC LIMIT 1`);
}

/** In their order, after a number. */
export function listSeals(db: Reader, after: number, limit: number): Promise<SealRow[]> {
  return db.all<SealRow>(`SELECT ${sealColumns} FROM seals WHERE number > ? ORDER BY number LIMIT ?`, [after, limit]);
}

/** The number is its primary key: of two processes one stores it. */
export async function insertSeal(tx: Tx, seal: SealRow): Promise<boolean> {
  const { number, tx: transaction, seq, records, rangeHash, root, at, newest, pruned, marks } = seal;
  const made = await tx.run(
    `INSERT INTO seals (number, tx, seq, records, range_hash, root, at, newest, pruned, marks)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO NOTHING`,
    [number, transaction, seq, records, rangeHash, root, at, newest, pruned, marks],
  );
  return made === 1;
}

interface RecordsPage {
  after: Place;
  /** Not beyond this place. */
  upTo?: Place | undefined;
  limit: number;
}

/** Settled records in the order of commits, with their contents, which may be large: a long read in batches. */
export function iterateRecords(db: Storage, { after, upTo, limit }: RecordsPage): AsyncIterable<SealedRow[]> {
  const { log } = db.dialect;
  const parts = [log.after(after), ...(upTo ? [log.upTo(upTo)] : [])];
  return db.iterate<SealedRow>(
    `SELECT ${recordColumns}, ${log.tx} AS tx FROM changes
      WHERE ${parts.map(({ sql }) => sql).join(" AND ")} AND ${log.isSettled} ORDER BY ${log.order} LIMIT ?`,
    [...parts.flatMap(({ params }) => params), limit],
    50,
  );
}
