// Reads the log by its writers, for undo: which writers an id stands for, and what each of them changed. Everything
// is found by an index, page by page.

import type { Reader } from "#storage/port.ts";
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

export interface WrittenChange {
  seq: number;
  /** Milliseconds. */
  at: number;
  rid: number;
  collection: string;
  id: string;
}

/** The changes of one writer, newest first, below a number. */
export function listWriterChanges(
  db: Reader,
  writer: number,
  { before, limit }: { before: number; limit: number },
): Promise<WrittenChange[]> {
  return db.all<WrittenChange>(
    "SELECT seq, at, rid, collection, id FROM changes WHERE writer = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
    [writer, before, limit],
  );
}
