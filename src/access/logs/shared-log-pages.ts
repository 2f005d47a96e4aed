// Reads the logs of all nodes from the database, in parts, in the shape of the files' reader (base/logs/log-files.ts). A place is
// that of a line as well: its time and its number.

import type { LogPiece } from "#base/logs/log-files.ts";
import type { AuditLog } from "#contract/audit.ts";
import type { Reader } from "#storage/port.ts";
import { type LogLineRow, listLogLines } from "#storage/tables/nodes/log-lines.ts";

const atOnce = 500;

interface Wanted {
  /** Only lines before this place. */
  before?: string | undefined;
  /** Only lines that were stored after this one. */
  after?: string | undefined;
  /** Milliseconds since 1970. */
  since?: number | undefined;
  until?: number | undefined;
}

/** The newest first. */
export async function* readSharedBack(db: Reader, log: AuditLog, wanted: Wanted): AsyncIterable<LogPiece> {
  const { after } = wanted;
  let before = wanted.before === undefined ? undefined : readPlace(wanted.before);
  const times = { since: timeText(wanted.since), until: timeText(wanted.until) };
  for (;;) {
    const rows = await listLogLines(db, {
      ...{ log, before, ...times, limit: atOnce },
      after: after === undefined ? undefined : readPlace(after).seq,
    });
    const lines = rows.map((row) => ({ text: row.line, place: writePlace(row) }));
    const last = lines.at(-1);
    if (!last) return;
    yield { lines, bytes: rows.reduce((sum, { line }) => sum + line.length, 0), place: last.place };
    if (rows.length < atOnce) return;
    before = rows.at(-1);
  }
}

/** The oldest first, from an ISO time on. */
export async function* readShared(db: Reader, log: AuditLog, since: string | undefined): AsyncIterable<string> {
  let from: LogLineRow | undefined;
  do {
    const rows: LogLineRow[] = await listLogLines(db, { log, since, from, isOldestFirst: true, limit: atOnce });
    for (const { line } of rows) yield line;
    from = rows.length < atOnce ? undefined : rows.at(-1);
  } while (from);
}

function writePlace({ at, seq }: LogLineRow): string {
  return `${Date.parse(at).toString(16).padStart(16, "0")}.${seq}`;
}

function readPlace(place: string): { at: string; seq: number } {
  const [time = "", seq] = place.split(".");
  return { at: timeText(Number.parseInt(time, 16)) ?? "", seq: Number(seq) };
}

/** Undefined for a time that no date has. */
function timeText(time: number | undefined): string | undefined {
  return time === undefined || !(Math.abs(time) <= 8.64e15) ? undefined : new Date(time).toISOString();
}
