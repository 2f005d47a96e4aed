// Follows the log of changes from a command: all changes in the order of commits, as they become known.

import { setTimeout as sleep } from "node:timers/promises";
import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { cursorText, isLost, parseCursor } from "#content/history/cursor.ts";
import { changeEntry } from "#content/history/entry.ts";
import type { Context } from "#context.ts";
import type { ChangeEntry } from "#contract/history.ts";
import type { Place } from "#storage/port.ts";
import { findLastPlace, firstPlace, type LogState, readLog, readTail } from "#storage/tables/history/feed.ts";
import { follow, pageSize } from "./tail.ts";

const lookMs = 250;

export type CursoredChange = { cursor: string } & ChangeEntry;

interface FollowOptions {
  /** Without it: what happens from now on. */
  after?: string | undefined;
  /** Ends there instead of waiting. */
  isUntilEnd?: boolean | undefined;
}

export async function* followChanges(
  ctx: Context,
  { after, isUntilEnd = false }: FollowOptions,
): AsyncIterable<CursoredChange> {
  allow(ctx, "read", { kind: "audit" });
  const { storage } = ctx;
  const log = await readLog(storage);
  let place = after === undefined ? ((await findLastPlace(storage)) ?? firstPlace) : placeAfter(after, log);
  for (;;) {
    const { rows, isOpen } = await readTail(storage, place, pageSize);
    for (const { row, writer } of await follow(ctx, rows)) {
      place = { tx: row.tx, seq: row.seq };
      yield { cursor: cursorText(log, place), ...changeEntry(row, writer) };
    }
    if (rows.length === 0 && isUntilEnd && !isOpen) return;
    if (rows.length === 0) await sleep(lookMs);
  }
}

function placeAfter(text: string, log: LogState): Place {
  const cursor = parseCursor(text) ?? fail("invalid", "--after must be a cursor.");
  if (isLost(cursor, log)) fail("invalid", "The log does not reach back to this cursor: read everything again.");
  return cursor.place;
}
