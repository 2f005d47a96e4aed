// How much of one kind of work a caller has under way, over all processes. What a process that died had under way counts
// until the window ends.

import { rateLimited } from "#base/errors.ts";
import type { Context } from "#context.ts";
import { addToCounter, findCounter } from "#storage/tables/counters.ts";
import { counterName } from "./counters.ts";

const windowMs = 60_000;
const waitMs = 2_000;

export interface Slots {
  kind: string;
  /** How many at once. */
  limit: number;
  /** Why one more has to wait. */
  message: string;
}

/** Runs the work, unless the caller has as many under way as may be. */
export async function inSlot<T>(ctx: Context, { kind, limit, message }: Slots, work: () => Promise<T>): Promise<T> {
  const { storage, clock, caller } = ctx;
  const name = counterName(kind, caller.name);
  const now = clock.now();
  const known = await findCounter(storage, name, now);
  if (known && known.count >= limit) throw rateLimited(waitMs, message);
  const { count, expires } = await storage.write((tx) => addToCounter(tx, name, { amount: 1, now, windowMs }));
  try {
    if (count > limit) throw rateLimited(waitMs, message);
    return await work();
  } finally {
    await storage.write(async (tx) => {
      const at = clock.now();
      // A later window has a count of its own.
      if ((await findCounter(tx, name, at))?.expires === expires)
        await addToCounter(tx, name, { amount: -1, now: at, windowMs });
    });
  }
}
