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

interface GrowthParts {
  storage: Storage;
  log: Logger;
}

/** To be called again and again, by one process of an installation. What it starts goes on beside the caller. */
export function createGrowthWatch({ storage, log }: GrowthParts, signal: AbortSignal): () => Promise<void> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Objects by collection, at most so many as the statistics know. */
  let known: Map<string, number> | undefined;
  let isRefreshing = false;

  async function isOutdated(totals: ReadonlyMap<string, number>): Promise<boolean> {
    if (!known) return (await countUnanalyzed(storage)) >= least;
    return [...totals].some(([id, total]) => total >= least && total >= growth * (known?.get(id) ?? 0));
  }

  async function refresh(): Promise<void> {
    isRefreshing = true;
    try {
      await refreshStatistics(storage);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, "the database server's statistics could not be refreshed; new collections may be slow");
    } finally {
      isRefreshing = false;
    }
  }

  return async () => {
    const now = performance.now();
    if (isRefreshing || now - lookedAt < lookMs) return;
    lookedAt = now;
    const totals = await listStoredTotals(storage);
    const hasGrown = await isOutdated(totals);
    const before = known;
    // What has shrunk, or went and came again, grows from there.
    const lower = ([id, total]: [string, number]): [string, number] => [id, Math.min(total, before?.get(id) ?? 0)];
    known = new Map(hasGrown || !before ? totals : [...totals].map(lower));
    if (hasGrown) void refresh();
  };
}
