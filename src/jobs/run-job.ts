// Runs one job under its lease, and stores how it ended: done, failed, or queued again.

import type { Logger } from "pino";
import type { Clock } from "#base/clock.ts";
import { noteOperation } from "#base/loop-guard.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import { type Storage, UniqueViolation } from "#storage/port.ts";
import * as rows from "#storage/tables/jobs.ts";
import { enqueue } from "./enqueue.ts";
import { countOf, type JobHandler, type JobOutcome, type Kind } from "./job.ts";
import type { Held, LeaseHolder } from "./job-lease.ts";

const defaultKeep = 1_000;
/** Pauses before the next attempt of a handler that threw. */
const retryMs = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];
/** How long to wait for open transactions that found this job queued. */
const settleMs = 3_000;

export interface RunParts {
  storage: Storage;
  clock: Clock;
  log: Logger;
  holder: LeaseHolder;
  /** Called before each job: no request has reloaded settings and schemas. */
  prepare(): void;
}

/** `stored`: the row of the job is being written meanwhile. */
export async function runJob(parts: RunParts, kind: Kind, held: Held, stored?: Promise<void>): Promise<JobOutcome> {
  const { job } = held;
  let outcome: JobOutcome;
  try {
    parts.prepare();
    noteOperation(`job ${kind.name}`);
    const [result] = await Promise.all([kind.handler(job, held), stored]);
    outcome = { job, status: "succeeded", result: result ?? null, error: null };
  } catch (thrown) {
    outcome = { job, status: "failed", result: null, error: messageOf(thrown), thrown };
  }
  try {
    await stored;
    if (held.signal.aborted) {
      // Given up because the server stops: the next process takes the job over.
      if (!parts.holder.isAbandoned) await giveBack(parts, held);
      return outcome;
    }
    if (outcome.status === "failed" && held.cancelled.aborted)
      outcome = { ...outcome, error: cancelledText(held), isCancelled: true };
    else if (outcome.status === "failed" && kind.options.retriesOnError && job.attempts < job.maxAttempts) {
      if (await requeue(parts, held, outcome)) return outcome;
    }
    if (await storeEnd(parts, kind, { held, outcome })) await reportEnd(parts, kind, outcome);
    return outcome;
  } finally {
    parts.holder.release(job.id);
  }
}

/**
 * Writers that find a job of the key queued add none, and may not have committed yet: the handler waits until their
 * changes are visible. For transactions that take too long another job is queued.
 */
export function afterOpenWrites({ storage, clock }: RunParts, handler: JobHandler, key: string): JobHandler {
  return async (job, run) => {
    if (!(await storage.settle(settleMs))) {
      const runAt = new Date(clock.now() + settleMs).toISOString();
      await storage.write((tx) => enqueue(tx, { ...job, key, runAt }));
    }
    return handler(job, run);
  };
}

/** False when another job of the key is queued: it does the work of both. */
function requeue(parts: RunParts, held: Held, { job, error }: JobOutcome): Promise<boolean> {
  const pause = retryMs[Math.min(job.attempts, retryMs.length) - 1] as number;
  return putBack(parts, held, { runAt: new Date(parts.clock.now() + pause).toISOString(), error });
}

/**
 * The lease could not be renewed in time. Unless another process has taken the job over, it starts again at once: its process
 * lives, so that the attempt does not count. One that was cancelled meanwhile stays, and ends with its next attempt.
 */
async function giveBack(parts: RunParts, held: Held): Promise<void> {
  const { attempts, maxAttempts } = held.job;
  if (attempts >= maxAttempts || held.cancelled.aborted) return;
  await putBack(parts, held, { runAt: parts.clock.iso(), error: null, attempts: attempts - 1 });
}

/** False when the job is no longer ours, or another job of the key is queued. */
async function putBack(
  { storage, holder }: RunParts,
  { job, done, total }: Held,
  at: { runAt: string; error: string | null; attempts?: number },
): Promise<boolean> {
  try {
    return await unclaimed(() =>
      storage.write(async (tx) => {
        const isOurs = await rows.renewLease(tx, job.id, { ...holder.lease(), done, total });
        return isOurs && rows.requeueJob(tx, job.id, at);
      }),
    );
  } catch (thrown) {
    // Queued at the same moment.
    if (thrown instanceof UniqueViolation) return false;
    throw thrown;
  }
}

/** False when the lease was lost meanwhile. */
function storeEnd(
  { storage, clock, holder }: RunParts,
  kind: Kind,
  { held, outcome }: { held: Held; outcome: JobOutcome },
): Promise<boolean> {
  const { job, status, error } = outcome;
  const { done, total } = held;
  const result = JSON.stringify(outcome.result);
  return unclaimed(() =>
    storage.write(async (tx) => {
      const row = { status, finished: clock.iso(), result, error, log: held.text(), done, total };
      const isOurs = await rows.finishJob(tx, job.id, holder.owner, row);
      if (isOurs) await rows.deleteAllButNewest(tx, kind.name, job.subject, countOf(kind.options.keep ?? defaultKeep));
      return isOurs;
    }),
  );
}

export async function reportEnd({ log }: Pick<RunParts, "log">, kind: Kind, outcome: JobOutcome): Promise<void> {
  const { id } = outcome.job;
  if (outcome.status === "failed") log.warn({ job: id, kind: kind.name, error: outcome.error }, "a job failed");
  try {
    await kind.options.ended?.(outcome);
  } catch (error) {
    log.error({ err: error, job: id, kind: kind.name }, "the follow-up of a job failed");
  }
}

/** How far it came: what is done stays done. */
function cancelledText({ done, total }: Held): string {
  if (total > 0) return `Cancelled after ${done} of ${total}.`;
  return done > 0 ? `Cancelled after ${done}.` : "Cancelled while it ran.";
}

/** Without the one character that not every database can hold. */
function messageOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.replaceAll("\0", "").slice(0, 4_000);
}
