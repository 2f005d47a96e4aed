// Exact counts of tries and uses, in the database: all processes share them, and a restart does not reset them.
// A name is a kind and a hash: neither accounts nor addresses can be read from what is stored.
// Requests by the minute are counted in memory (rate-limiter.ts).

import { hash } from "node:crypto";
import type { Context } from "#context.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Tx } from "#storage/port.ts";
import { addToCounter, deleteCounter, findCounter } from "#storage/tables/counters.ts";

type Parts = Pick<Context, "storage" | "clock">;

export interface Counter {
  name: string;
  limit: number;
}

export interface OverLimit {
  counter: Counter;
  /** Until the count starts again. */
  waitMs: number;
  /** The first use over the limit in this window. */
  isFirst: boolean;
}

export function counterName(kind: string, what: string): string {
  return `${kind}:${hash("sha256", what, "hex").slice(0, 32)}`;
}

/**
 * Counts one use for each counter, up to the first that is over its limit. Many uses at the same moment are counted
 * one after the other, so no more than the limit are within it. Undefined: all are within their limits.
 */
export async function hit(app: Parts, counters: readonly Counter[], windowMs: number): Promise<OverLimit | undefined> {
  const now = app.clock.now();
  for (const counter of counters) {
    const known = await findCounter(app.storage, counter.name, now);
    if (known && known.count > counter.limit) return { counter, waitMs: known.expires - now, isFirst: false };
  }
  if (counters.length === 0) return undefined;
  return write(app, async (tx) => {
    for (const counter of counters) {
      const { count, expires } = await addToCounter(tx, counter.name, { amount: 1, now, windowMs });
      if (count > counter.limit) return { counter, waitMs: expires - now, isFirst: count === counter.limit + 1 };
    }
    return undefined;
  });
}

/** Counting is no part of what a request asks for. */
function write<T>({ storage }: Pick<Parts, "storage">, work: (tx: Tx) => Promise<T>): Promise<T> {
  return unclaimed(() => storage.write(work));
}

/** Takes one use back from some counters, and clears others. */
export async function unhit(
  { storage, clock }: Parts,
  { takeBack, clear = [] }: { takeBack: readonly Counter[]; clear?: readonly Counter[] },
): Promise<void> {
  const now = clock.now();
  await write({ storage }, async (tx) => {
    for (const { name } of clear) await deleteCounter(tx, name);
    for (const { name } of takeBack)
      if (await findCounter(tx, name, now)) await addToCounter(tx, name, { amount: -1, now, windowMs: 0 });
  });
}
