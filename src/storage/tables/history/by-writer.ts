// Reads the log by its writers, for undo: which writers an id stands for, and what each of them changed. Writers are found by
// an index, their sealed changes by their ranges (writer-ranges.ts).

import { placeBefore, type WriterRange } from "#storage/log/writer-range.ts";
import type { Place, Reader } from "#storage/port.ts";
import { type WriterRow, writerColumns } from "./writers.ts";

const columnOf = {
  grant: "grant_id",
  client: "client_id",
  key: "key_id",
  user: "user_id",
  impersonator: "impersonator",
  automation: "automation",
  run: "run",
} as const;

/** What writers can be found by. */
export type WriterMark = keyof typeof columnOf;

/** In the order of their numbers, after this one. */
export function listWritersBy(
  db: Reader,
  mark: WriterMark,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<WriterRow[]> {
  return db.all<WriterRow>(
    `SELECT ${writerColumns} FROM writers WHERE ${columnOf[mark]} = ? AND id > ? ORDER BY id LIMIT ?`,
    [id, after, limit],
  );
}

export interface WrittenChange extends Place {
  /** Milliseconds. */
  at: number;
  rid: number;
  writer: number;
  collection: string;
  id: string;
}

const written = "seq, at, rid, writer, collection, id";

/** As many records as a seal has at most. */
const mostOfRange = 500;

/** The changes of one writer in a range of the log. The limit stands inside, so that the database follows the key alone. */
export function listWriterChanges(db: Reader, writer: number, { first, last }: WriterRange): Promise<WrittenChange[]> {
  const { log } = db.dialect;
  const range = log.between(placeBefore(first), last);
  return db.all<WrittenChange>(
    `SELECT ${written}, tx FROM (SELECT ${written}, ${log.tx} AS tx FROM changes WHERE ${range.sql}
       ORDER BY ${log.order} LIMIT ?) AS counted WHERE writer = ?`,
    [...range.params, mostOfRange, writer],
  );
}

/** The next changes after a place, of all writers. */
export function listAllChanges(db: Reader, after: Place, limit: number): Promise<WrittenChange[]> {
  const { log } = db.dialect;
  const from = log.after(after);
  return db.all<WrittenChange>(
    `SELECT ${written}, ${log.tx} AS tx FROM changes WHERE ${from.sql} ORDER BY ${log.order} LIMIT ?`,
    [...from.params, limit],
  );
}
