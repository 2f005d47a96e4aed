// A cursor names a place in the log of changes: `{log}.{tx}.{seq}`. It leads nowhere in another log.

import type { Place } from "#storage/port.ts";
import { firstPlace, type LogState } from "#storage/tables/history/feed.ts";

export interface Cursor {
  log: string;
  place: Place;
}

const form = /^([0-9a-f]{16})\.(\d{1,18})\.(\d{1,15})$/;

export function cursorText({ id }: Pick<LogState, "id">, { tx, seq }: Place): string {
  return `${id}.${tx}.${seq}`;
}

/** Undefined: it is no cursor. */
export function parseCursor(text: string): Cursor | undefined {
  const [, log, tx, seq] = form.exec(text) ?? [];
  return log && tx && seq ? { log, place: { tx, seq: Number(seq) } } : undefined;
}

/** Records after it are gone, or it is of another log: everything must be read again. */
export function isLost({ log, place }: Cursor, { id, removed }: LogState): boolean {
  return log !== id || (isBefore(place, removed) && isBefore(firstPlace, removed));
}

export function isBefore(one: Place, other: Place): boolean {
  const [a, b] = [BigInt(one.tx), BigInt(other.tx)];
  return a < b || (a === b && one.seq < other.seq);
}
