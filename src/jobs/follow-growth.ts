// Statistics of the database server follow the growth of collections (decision 055). Its planner takes a collection that it has
// never seen for one row, and may go through all of it for each row that it looks up. The server itself looks again only when a
// tenth of all rows has changed.

import type { Logger } from "pino";
import type { Storage } from "#storage/port.ts";
import { countUnanalyzed, listStoredTotals, refreshStatistics } from "#storage/query/statistics.ts";

const lookMs = 1_000;
/** However they are planned, queries of fewer objects cost little. */
const least = 500;
const growth = 2;
/** Callers can fill and empty a collection again and again: taking statistics has this part of the time at most. */
const share = 1 / 10;
const afterFailureMs = 60_000;

interface GrowthParts {
  storage: Storage;
  log: Logger;
}

/** To be called again and again, by one process of an installation. The work goes on beside the caller. */
export function createGrowthWatch({ storage, log }: GrowthParts, signal: AbortSignal): () => void {
  let next = Number.NEGATIVE_INFINITY;
  /** Objects by collection, at most so many as the statistics know. */
  let known: Map<string, number> | undefined;
  let isBusy = false;

  async function isOutdated(totals: ReadonlyMap<string, number>): Promise<boolean> {
    if (!known) return (await countUnanalyzed(storage)) >= least;
    return [...totals].some(([id, total]) => total >= least && total >= growth * (known?.get(id) ?? 0));
  }

  /** Returns how long statistics were taken, in milliseconds, without the waiting for index builds. */
  async function look(): Promise<number> {
    const totals = await listStoredTotals(storage);
    if (await isOutdated(totals)) {
      const ms = await refreshStatistics(storage);
      known = totals;
      return ms;
    }
    const before = known ?? totals;
    // What has shrunk, or went and came again, grows from there.
    known = new Map([...totals].map(([id, total]) => [id, Math.min(total, before.get(id) ?? 0)]));
    return 0;
  }

  async function run(): Promise<void> {
    isBusy = true;
    try {
      next = performance.now() + Math.max(lookMs, (await look()) / share);
    } catch (error) {
      next = performance.now() + afterFailureMs;
      if (!signal.aborted)
        log.warn({ err: error }, "the database server's statistics were not refreshed; new collections may be slow");
    } finally {
      isBusy = false;
    }
  }

  return () => {
    if (!isBusy && performance.now() >= next) void run();
  };
}
