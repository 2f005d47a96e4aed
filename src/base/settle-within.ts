// Waits for work that may take long, with a deadline.

import { setTimeout as sleep } from "node:timers/promises";

/** Resolves when all have settled, or after the deadline. */
export async function settleWithin(work: Iterable<Promise<unknown>>, ms: number): Promise<void> {
  const patience = new AbortController();
  const late = sleep(ms, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([Promise.allSettled(work), late]);
  patience.abort();
}
