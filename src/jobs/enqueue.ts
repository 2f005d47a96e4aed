// Puts a job into the queue, in the transaction of the write that it is about.

import { systemClock } from "#base/clock.ts";
import { uuid } from "#base/ids.ts";
import type { Tx } from "#storage/port.ts";
import * as rows from "#storage/tables/jobs.ts";
import type { NewJob } from "./job.ts";

const defaultAttempts = 4;

/**
 * The id of the job, or of the queued one with the same kind and key. That one then runs after this transaction, so it
 * sees the changes that the job is about.
 */
export function enqueue(tx: Tx, job: NewJob): Promise<string> {
  return rows.insertJob(tx, toJobRow(job));
}

export function toJobRow({
  kind,
  key,
  subject = "",
  payload,
  runAt,
  maxAttempts = defaultAttempts,
}: NewJob): rows.NewJob {
  const created = systemClock.iso();
  const text = JSON.stringify(payload);
  return { id: uuid(), kind, key: key ?? null, subject, payload: text, maxAttempts, runAt: runAt ?? created, created };
}
