// Counts with an end, shared by all processes of an installation: what limits are measured by.

import type { Reader, Tx } from "#storage/port.ts";

export interface CounterRow {
  name: string;
  count: number;
  /** Milliseconds since 1970. */
  expires: number;
}

/** Adds, starting again when the old count has expired; returns the counter after it. */
export async function addToCounter(
  tx: Tx,
  name: string,
  { amount, now, windowMs }: { amount: number; now: number; windowMs: number },
): Promise<CounterRow> {
  const row = await tx.one<CounterRow>(
    `INSERT INTO counters (name, count, expires) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET
       count = CASE WHEN counters.expires <= ? THEN excluded.count ELSE counters.count + excluded.count END,
       expires = CASE WHEN counters.expires <= ? THEN excluded.expires ELSE counters.expires END
     RETURNING name, count, expires`,
    [name, amount, now + windowMs, now, now],
  );
  return row as CounterRow;
}

/**
 * Counts what may happen once in a window: false where it has happened. Without RETURNING, which on the embedded engine makes the
 * full-text index write a segment.
 */
export async function countFirst(
  tx: Tx,
  name: string,
  { now, windowMs }: { now: number; windowMs: number },
): Promise<boolean> {
  const changed = await tx.run(
    `INSERT INTO counters (name, count, expires) VALUES (?, 1, ?)
     ON CONFLICT (name) DO UPDATE SET count = excluded.count, expires = excluded.expires WHERE counters.expires <= ?`,
    [name, now + windowMs, now],
  );
  return changed > 0;
}

export function findCounter(db: Reader, name: string, now: number): Promise<CounterRow | undefined> {
  return db.one<CounterRow>("SELECT name, count, expires FROM counters WHERE name = ? AND expires > ?", [name, now]);
}

export function deleteCounter(tx: Tx, name: string): Promise<number> {
  return tx.run("DELETE FROM counters WHERE name = ?", [name]);
}

/** At most so many: those that are being counted at this moment are left for the next time. */
export function deleteExpiredCounters(tx: Tx, now: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM counters WHERE name IN (
       SELECT name FROM counters WHERE expires <= ? ORDER BY expires LIMIT ? ${tx.dialect.skipLocked})`,
    [now, limit],
  );
}
