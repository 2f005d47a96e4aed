// Events that wait for reactions of extensions. A row goes when its reaction has ended.

import type { Reader, Tx } from "#storage/port.ts";

export interface EventRow {
  seq: number;
  reaction: string;
  /** Events of one subject are seen in order. */
  subject: string;
  /** JSON. */
  event: string;
  depth: number;
  attempts: number;
}

export async function insertEvent(
  tx: Tx,
  extension: string,
  row: Omit<EventRow, "seq" | "attempts">,
  now: string,
): Promise<void> {
  await tx.run(
    `INSERT INTO extension_events (extension, reaction, subject, event, depth, attempts, run_at)
     VALUES (?, ?, ?, ?, ?, 0, ?)`,
    [extension, row.reaction, row.subject, row.event, row.depth, now],
  );
}

/** The first that are due, without those whose subject waits for an earlier one. */
export function listDueEvents(db: Reader, extension: string, now: string, limit: number): Promise<EventRow[]> {
  return db.all<EventRow>(
    `SELECT seq, reaction, subject, event, depth, attempts FROM extension_events AS due
     WHERE extension = ? AND run_at <= ? AND NOT EXISTS (
       SELECT 1 FROM extension_events AS earlier WHERE earlier.extension = due.extension
         AND earlier.reaction = due.reaction AND earlier.subject = due.subject AND earlier.seq < due.seq
         AND earlier.run_at > ?)
     ORDER BY seq LIMIT ?`,
    [extension, now, now, limit],
  );
}

/** When the next one is due that is not due yet. */
export async function nextEventAt(db: Reader, extension: string): Promise<string | undefined> {
  const row = await db.one<{ at: string | null }>(
    "SELECT MIN(run_at) AS at FROM extension_events WHERE extension = ?",
    [extension],
  );
  return row?.at ?? undefined;
}

export async function deleteEvents(tx: Tx, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await tx.run(`DELETE FROM extension_events WHERE seq IN (${seqs.map(() => "?").join(", ")})`, [...seqs]);
}

export async function postponeEvent(tx: Tx, seq: number, runAt: string): Promise<void> {
  await tx.run("UPDATE extension_events SET attempts = attempts + 1, run_at = ? WHERE seq = ?", [runAt, seq]);
}

export async function deleteEventsOf(tx: Tx, extension: string): Promise<void> {
  await tx.run("DELETE FROM extension_events WHERE extension = ?", [extension]);
}
