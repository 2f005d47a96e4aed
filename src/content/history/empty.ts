// Takes contents out of the log, the one way for all that does so: the hash of what was there stands in its place.

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "#context.ts";
import type { Tx } from "#storage/port.ts";
import { type ContentChange, changeContents, type KeptContent, lengthOf } from "#storage/tables/history/contents.ts";
import { type Hasher, hasherOf } from "./seal-hash.ts";

/** Milliseconds. */
const [leastPause, longestPause] = [10, 1_000];

/** Between two parts of long work: as long as the last part took, so that writers have half of the time to themselves. */
export function pauseWork(began: number): Promise<void> {
  return sleep(Math.min(longestPause, Math.max(leastPause, performance.now() - began)));
}

/** Of the whole content, also where a part of it was taken out before. */
export function wholeHash(hasher: Hasher, row: KeptContent): string {
  return row.contentHash?.split(".")[0] ?? hasher.content(row);
}

export function emptied(hasher: Hasher, row: KeptContent): ContentChange {
  const { seq, rid, contentHash } = row;
  return { seq, rid, contentHash, hash: wholeHash(hasher, row), bytes: lengthOf(row) };
}

/** Whatever was sealed or not. */
export async function emptyAtOnce(app: Pick<App, "settings">, tx: Tx, rows: readonly KeptContent[]): Promise<number> {
  const hasher = hasherOf(app);
  return changeContents(
    tx,
    rows.map((row) => emptied(hasher, row)),
    false,
  );
}
