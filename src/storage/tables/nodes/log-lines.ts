// Lines of the logs of all nodes, found by time. Their numbers rise in the order of commits: no line appears later with a lower
// number than one that was read.

import { lockName } from "#storage/name-locks.ts";
import type { Reader, Tx, Value } from "#storage/port.ts";

export interface LogLineRow {
  seq: number;
  at: string;
  line: string;
}

export interface NewLogLine {
  log: string;
  at: string;
  line: string;
}

type Place = Pick<LogLineRow, "seq" | "at">;

export interface LogPart {
  log: string;
  /** Newest first, from before this place; else oldest first, from after `from`. */
  before?: Place | undefined;
  from?: Place | undefined;
  isOldestFirst?: boolean;
  since?: string | undefined;
  until?: string | undefined;
  /** Only lines that were stored after this one. */
  after?: number | undefined;
  limit: number;
}

export async function insertLogLines(tx: Tx, lines: readonly NewLogLine[]): Promise<void> {
  await lockName(tx, "log lines");
  await tx.run(
    `INSERT INTO log_lines (log, at, line) VALUES ${lines.map(() => "(?, ?, ?)").join(", ")}`,
    lines.flatMap(({ log, at, line }) => [log, at, line]),
  );
}

export function listLogLines(db: Reader, part: LogPart): Promise<LogLineRow[]> {
  const { log, before, from, since, until, after, limit, isOldestFirst = false } = part;
  const conditions: [sql: string, values: Value[]][] = [["log = ?", [log]]];
  if (before) conditions.push(["(at, seq) < (?, ?)", [before.at, before.seq]]);
  if (from) conditions.push(["(at, seq) > (?, ?)", [from.at, from.seq]]);
  if (since !== undefined) conditions.push(["at >= ?", [since]]);
  if (until !== undefined) conditions.push(["at <= ?", [until]]);
  if (after !== undefined) conditions.push(["seq > ?", [after]]);
  const order = isOldestFirst ? "at, seq" : "at DESC, seq DESC";
  return db.all<LogLineRow>(
    `SELECT seq, at, line FROM log_lines WHERE ${conditions.map(([sql]) => sql).join(" AND ")} ORDER BY ${order} LIMIT ?`,
    [...conditions.flatMap(([, values]) => values), limit],
  );
}

/** Of those before a time the oldest, at most so many. Resolves to how many there were. */
export function deleteLogLinesBefore(tx: Tx, log: string, before: string, most: number): Promise<number> {
  return tx.run(
    "DELETE FROM log_lines WHERE seq IN (SELECT seq FROM log_lines WHERE log = ? AND at < ? ORDER BY at, seq LIMIT ?)",
    [log, before, most],
  );
}
