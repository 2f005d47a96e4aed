// Takes the next job of a kind under a lease: one that is due, or one whose process died.

import type { Clock } from "#base/clock.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import * as rows from "#storage/tables/jobs.ts";
import type { Job } from "./job.ts";
import type { LeaseHolder } from "./job-lease.ts";

/** How long the lease of a lost first, second or third attempt must be over before the next attempt. */
const patienceMs = [0, 5_000, 30_000];

export interface Claim {
  row: rows.JobRow | undefined;
  /** Jobs whose last attempt ended with its process; they are stored as failed. */
  exhausted: rows.JobRow[];
}

export function claimJob(
  storage: Storage,
  kind: string,
  { clock, holder }: { clock: Clock; holder: LeaseHolder },
): Promise<Claim> {
  const now = clock.now();
  const lapsed = patienceMs.map((ms) => new Date(now - ms).toISOString());
  return storage.write(async (tx) => {
    const exhausted: rows.JobRow[] = [];
    for (;;) {
      const abandoned = await rows.lockAbandoned(tx, kind, lapsed);
      if (!abandoned) return { row: await rows.claimDue(tx, kind, holder.lease()), exhausted };
      // Its process is this one, which stood still for a while.
      if (await holder.keep(tx, abandoned)) continue;
      if (abandoned.attempts < abandoned.maxAttempts)
        return { row: await rows.takeOver(tx, abandoned.seq, holder.lease()), exhausted };
      const error = "The process ended while the job ran.";
      const end = { status: "failed" as const, result: null, error, log: abandoned.log, finished: clock.iso() };
      await rows.finishJob(tx, abandoned.id, abandoned.owner as string, { ...abandoned, ...end });
      exhausted.push({ ...abandoned, error });
    }
  });
}

export function toJob(row: rows.JobRow): Job {
  const { id, kind, subject, attempts, maxAttempts, created } = row;
  return { id, kind, subject, payload: JSON.parse(row.payload) as JsonObject, attempts, maxAttempts, created };
}
