// The rate limiter: counts by name in windows of a minute. The app has one, which all doors share.
// Counting is in memory and bounded. Where several servers share the storage, each adds its own counts to the database four
// times a second and learns the sum, so that a limit is overshot by what arrives in between and no more. Processes with a line
// to the one that writes add theirs to its counts instead.

import type { Logger } from "pino";
import type { Clock } from "#base/clock.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Storage } from "#storage/port.ts";
import { addToCounter } from "#storage/tables/counters.ts";
import { counterName } from "./counters.ts";

export interface Limiter {
  /** Counts one use under the name. The count never exceeds the limit by more than one. */
  count(name: string, limit: number): Use;
  /** One use that another process will count. */
  takeBack(name: string): void;
  /** When the present window ends, in milliseconds since 1970. */
  windowEnd(): number;
  /** Counts of another process, which has no limiter that others share; answers the sums. */
  add(shared: SharedCounts): number[];
}

/** What a process has counted in the window with this end. */
export interface SharedCounts {
  end: number;
  counts: [name: string, amount: number][];
}

export interface Use {
  /** How many more fit into this window; negative: this one did not. */
  remaining: number;
  /** When the window ends, in milliseconds since 1970. */
  reset: number;
}

interface Count {
  total: number;
  /** Of the total, what other processes do not know yet. */
  unshared: number;
}

type Batch = readonly [name: string, count: Count][];

const windowMs = 60_000;
const shareEveryMs = 250;
const sharedAtOnce = 1_000;
/** Two generations of this size: some 20 MB, from however many addresses requests come. */
const generationSize = 50_000;

export interface LimiterParts {
  storage: Storage;
  clock: Clock;
  log: Logger;
}

export function createLimiter({ storage, clock, log }: LimiterParts): Limiter {
  let end = 0;
  let young = new Map<string, Count>();
  let old = new Map<string, Count>();
  let unshared = new Map<string, Count>();
  let timer: NodeJS.Timeout | undefined;
  /** The last time the counts could not be shared. */
  let isApart = false;
  const isShared = storage.isShared || storage.line !== undefined;

  function windowEnd(): number {
    const now = clock.now();
    // A clock that was set back begins a new window as well.
    if (now >= end || now < end - windowMs) {
      end = now - (now % windowMs) + windowMs;
      young = new Map();
      old = new Map();
      unshared = new Map();
    }
    return end;
  }

  /** A count that was not used for a whole generation is dropped. */
  function countOf(name: string): Count {
    let found = young.get(name);
    if (found) return found;
    found = old.get(name) ?? { total: 0, unshared: 0 };
    if (young.size >= generationSize) {
      old = young;
      young = new Map();
    }
    young.set(name, found);
    return found;
  }

  async function share(): Promise<void> {
    timer = undefined;
    windowEnd();
    const ended = end;
    // In one order, so that processes do not wait for each other in a circle.
    const batch = [...unshared].slice(0, sharedAtOnce).sort(([a], [b]) => (a < b ? -1 : 1));
    const sent = batch.map(([, count]) => count.unshared);
    for (const [name, count] of batch) {
      unshared.delete(name);
      count.unshared = 0;
    }
    if (unshared.size > 0) schedule();
    if (batch.length === 0) return;
    const sums = await addToOthers(ended, batch, sent).catch((error) => {
      putBack(ended, batch, sent);
      throw error;
    });
    for (const [at, [, count]] of batch.entries()) count.total = (sums[at] as number) + count.unshared;
  }

  async function addToOthers(ended: number, batch: Batch, sent: readonly number[]): Promise<number[]> {
    return storage.line
      ? ((await storage.line.call("limits", sharedCounts(ended, batch, sent))) as number[])
      : addToDatabase(ended, batch, sent);
  }

  function putBack(ended: number, batch: Batch, sent: readonly number[]): void {
    if (windowEnd() !== ended) return;
    for (const [at, [name, count]] of batch.entries()) {
      const present = unshared.get(name) ?? count;
      present.unshared += sent[at] as number;
      unshared.set(name, present);
    }
    schedule();
  }

  function sharedCounts(ended: number, batch: Batch, sent: readonly number[]): SharedCounts {
    return { end: ended, counts: batch.map(([name], at) => [name, sent[at] as number]) };
  }

  function addToDatabase(ended: number, batch: Batch, sent: readonly number[]): Promise<number[]> {
    return unclaimed(() =>
      storage.write(async (tx) => {
        const found: number[] = [];
        for (const [at, [name]] of batch.entries()) {
          const counter = await addToCounter(tx, counterName("rate", `${ended / windowMs}:${name}`), {
            amount: sent[at] as number,
            now: clock.now(),
            windowMs: 2 * windowMs,
          });
          found.push(counter.count);
        }
        return found;
      }),
    );
  }

  function schedule(): void {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      share().then(
        () => {
          isApart = false;
        },
        (error) => {
          // Once, however often it is tried.
          if (!isApart) log.warn({ err: error }, "rate limits cannot be shared with other processes at present");
          isApart = true;
        },
      );
    }, shareEveryMs).unref();
  }

  function change(name: string, count: Count, amount: 1 | -1): void {
    count.total += amount;
    if (!isShared) return;
    count.unshared += amount;
    unshared.set(name, count);
    schedule();
  }

  return {
    windowEnd,
    takeBack(name) {
      windowEnd();
      const count = countOf(name);
      // A new window may have begun.
      if (count.total > 0) change(name, count, -1);
    },
    add({ end: ended, counts }) {
      // Of a window that is over here: it counts no more.
      if (ended !== windowEnd()) return counts.map(([, amount]) => amount);
      return counts.map(([name, amount]) => {
        const count = countOf(name);
        count.total += amount;
        return count.total;
      });
    },
    count(name, limit) {
      const reset = windowEnd();
      const count = countOf(name);
      if (count.total <= limit) change(name, count, 1);
      return { remaining: limit - count.total, reset };
    },
  };
}
