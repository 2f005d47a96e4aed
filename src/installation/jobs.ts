// Jobs for the admin persona: queued, running with progress, failed. Never their payload, which may contain
// mails and passwords. Index rebuilds have no row of their own and are listed with the others.

import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { isOwnJob } from "#content/bulk/bulk-job.ts";
import { reindexProgress } from "#content/collections/reindex.ts";
import { retryOnTakenId } from "#content/objects/unique.ts";
import type { Context } from "#context.ts";
import type { JobAnswer } from "#contract/jobs.ts";
import type { Json } from "#contract/json.ts";
import type { Tx } from "#storage/port.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import {
  askJobs,
  cancelQueuedJob,
  cancelRunningJob,
  countQueueRows,
  deleteFinished,
  findJobRow,
  type JobFilter,
  type JobRow,
  lockJobRow,
  type QueueRow,
  requeueJob,
} from "#storage/tables/jobs.ts";

const indexKind = "index";

export type JobQuery = JobFilter & { limit: number; offset: number };

/** Newest first; running rebuilds come before. */
export async function listJobs(ctx: Context, query: JobQuery): Promise<{ jobs: JobAnswer[]; total: number }> {
  allow(ctx, "read", { kind: "jobs" });
  const rebuilds = (await listRebuilds(ctx)).filter((job) => matches(job, query));
  const { limit, offset, ...filter } = query;
  const shown = rebuilds.slice(offset, offset + limit);
  const page = { limit: limit - shown.length, offset: Math.max(0, offset - rebuilds.length), caller: ctx.caller };
  const stored = await askJobs(ctx.storage, filter, page);
  return { jobs: [...shown, ...stored.rows.map((row) => presentJob(ctx, row))], total: rebuilds.length + stored.total };
}

export type QueueLength = Omit<QueueRow, "due"> & { delaySeconds: number };

/** Every kind that this process handles, and every other kind with queued jobs. */
export async function countQueue(ctx: Context): Promise<QueueLength[]> {
  allow(ctx, "read", { kind: "metrics" });
  const rows = new Map((await countQueueRows(ctx.storage)).map((row) => [row.kind, row]));
  const kinds = new Set([...ctx.jobs.kinds(), ...rows.keys()]);
  return [...kinds].sort().map((kind) => {
    const { waiting = 0, running = 0, due } = rows.get(kind) ?? {};
    const lateMs = due ? ctx.clock.now() - Date.parse(due) : 0;
    return { kind, waiting, running, delaySeconds: Math.max(0, lateMs / 1_000) };
  });
}

/** Also for the author of a bulk change or an undo. */
export async function getJob(ctx: Context, id: string): Promise<JobAnswer> {
  const row = await findJobRow(ctx.storage, id);
  if (row && isOwnJob(ctx, row)) return presentJob(ctx, row);
  allow(ctx, "read", { kind: "jobs" });
  const rebuild = (await listRebuilds(ctx)).find((job) => job.id === id);
  return rebuild ?? (row ? presentJob(ctx, row) : noJob());
}

/** Queues a failed job again, now, with all its attempts. */
export async function retryJob(ctx: Context, id: string): Promise<JobAnswer> {
  allow(ctx, "update", { kind: "jobs" });
  // A job of the same key may be queued at the same moment: then the second attempt finds it.
  await retryOnTakenId(() => ctx.storage.write((tx) => requeueFailed(ctx, tx, id)));
  return getJob(ctx, id);
}

async function requeueFailed({ clock }: Context, tx: Tx, id: string): Promise<void> {
  const row = (await lockJobRow(tx, id)) ?? noJob();
  if (row.status !== "failed") fail("invalid", `Only a failed job can be retried; this one is ${row.status}.`);
  if (!(await requeueJob(tx, id, { runAt: clock.iso(), error: null, attempts: 0 })))
    fail("exists", "A job of the same kind and key is queued already.");
}

/**
 * A job that waits ends at once, one that runs after the step that it is at; what is done stays done. Also for the author of
 * a bulk change or an undo. Both are failed then, and can be retried.
 */
export async function cancelJob(ctx: Context, id: string): Promise<JobAnswer> {
  const row = await findJobRow(ctx.storage, id);
  if (!row || !isOwnJob(ctx, row)) allow(ctx, "update", { kind: "jobs" });
  await ctx.storage.write(async (tx) => {
    const now = (await lockJobRow(tx, id)) ?? noJob();
    const problem = cancelProblem(ctx, now);
    if (problem !== undefined) fail("invalid", problem);
    const at = ctx.clock.iso();
    if (now.status === "running") await cancelRunningJob(tx, id, at);
    else await cancelQueuedJob(tx, id, { at, error: "Cancelled before it started." });
  });
  ctx.jobs.noticeCancelled();
  return getJob(ctx, id);
}

function cancelProblem({ jobs }: Pick<Context, "jobs">, { kind, status, cancelled }: JobRow): string | undefined {
  if (status !== "queued" && status !== "running")
    return `Only a job that waits or runs can be cancelled; this one has ${status}.`;
  if (cancelled !== null) return "The job is cancelled already. It stops after the step that it is at.";
  const cancels = jobs.cancels(kind);
  if (cancels === "none") return `Jobs of the kind "${kind}" cannot be cancelled.`;
  if (status === "running" && cancels !== "running")
    return `A job of the kind "${kind}" cannot be cancelled while it runs.`;
  return undefined;
}

/** Removes finished jobs; queued and running ones stay. */
export async function clearJobs(ctx: Context, filter: JobFilter): Promise<{ cleared: number }> {
  allow(ctx, "delete", { kind: "jobs" });
  if (filter.status === "queued" || filter.status === "running")
    fail("invalid", "Only finished jobs can be cleared.", { status: ["Must be succeeded or failed."] });
  return { cleared: await deleteFinished(ctx.storage, filter) };
}

async function listRebuilds(ctx: Context): Promise<JobAnswer[]> {
  const rows = (await listCollectionRows(ctx.storage)).filter((row) => !row.isDeleting);
  return rows.flatMap((row) => {
    const { state, done, total } = reindexProgress(ctx, row);
    if (state === "ready") return [];
    const times = { createdAt: null, runAt: null, startedAt: null, finishedAt: null, cancelledAt: null };
    const job = { id: `${indexKind}:${row.id}`, kind: indexKind, subject: row.id, status: "running" as const };
    const rest = { attempts: 1, maxAttempts: 1, canCancel: false, result: null, error: null };
    return [{ ...job, ...times, ...rest, progress: { done, total } }];
  });
}

function matches(job: JobAnswer, { kind, subject, status }: JobFilter): boolean {
  return (
    (kind === undefined || kind === job.kind) &&
    (subject === undefined || subject === job.subject) &&
    (status === undefined || status === job.status)
  );
}

function presentJob(ctx: Context, row: JobRow): JobAnswer {
  const { id, kind, subject, status, attempts, maxAttempts } = row;
  return {
    id,
    kind,
    subject,
    status,
    attempts,
    maxAttempts,
    createdAt: row.created,
    runAt: row.runAt,
    startedAt: row.started,
    finishedAt: row.finished,
    // One that was done before it could stop has succeeded.
    cancelledAt: status === "succeeded" ? null : row.cancelled,
    canCancel: cancelProblem(ctx, row) === undefined,
    progress: { done: row.done, total: row.total },
    result: row.result === null ? null : (JSON.parse(row.result) as Json),
    error: row.error,
  };
}

function noJob(): never {
  fail("not-found", "There is no such job.");
}
