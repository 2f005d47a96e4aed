// Waiting that has an end: for what may take long, and must not keep anybody for ever.

import { setTimeout as sleep } from "node:timers/promises";

/** When all have ended, one way or the other, or after so long. */
export async function settleWithin(work: Iterable<Promise<unknown>>, ms: number): Promise<void> {
  const patience = new AbortController();
  const late = sleep(ms, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([Promise.allSettled(work), late]);
  patience.abort();
}
