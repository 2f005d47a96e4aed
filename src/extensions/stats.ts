// Counts of calls by extension, since the start of this process.

import type { ExtensionRecord } from "#contract/extensions.ts";

/** Times of the last calls, for the 95th percentile. */
const kept = 50;

export interface CallStats {
  count(id: string, call: { kind: string; name: string }, ms: number, outcome?: "refused" | "failed"): void;
  crash(id: string): void;
  of(id: string): ExtensionRecord["stats"];
}

interface Counts {
  calls: number;
  errors: number;
  crashes: number;
  times: number[];
}

export function createStats(): CallStats {
  const counts = new Map<string, Counts>();
  const countsOf = (id: string) => {
    const known = counts.get(id) ?? { calls: 0, errors: 0, crashes: 0, times: [] };
    counts.set(id, known);
    return known;
  };
  return {
    count(id, _call, ms, outcome) {
      const known = countsOf(id);
      known.times[known.calls % kept] = ms;
      known.calls += 1;
      if (outcome === "failed") known.errors += 1;
    },
    crash(id) {
      countsOf(id).crashes += 1;
    },
    of(id) {
      const { calls, errors, crashes, times } = countsOf(id);
      const sorted = [...times].sort((a, b) => a - b);
      const p95 = sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
      return { calls, errors, crashes, p95: Math.round(p95 * 10) / 10 };
    },
  };
}
