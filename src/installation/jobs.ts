// Jobs for the admin persona: queued, running with progress, failed. Never their payload, which may contain
// mails and passwords. Index rebuilds have no row of their own and are listed with the others.

import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { isBulkOf } from "#content/bulk/bulk-job.ts";
import { reindexProgress } from "#content/collections/reindex.ts";
import { retryOnTakenId } from "#content/objects/unique.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import type { Tx } from "#storage/port.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import {
  askJobs,
  countQueueRows,
  deleteFinished,
  findJobRow,
  type JobFilter,
  type JobRow,
  type JobStatus,
  lockJobRow,
  type QueueRow,
  requeueJob,
} from "#storage/tables/jobs.ts";

export interface JobAnswer {
  id: string;
  kind: string;
  subject: string;
  status: JobStatus;
  attempts: number;
  maxAttempts: number;
  createdAt: string | null;
  runAt: string | null;
  startedAt: string | null;
  finishedAt: string | null;
  progress: { done: number; total: number };
  result: Json;
  error: string | null;
}

const indexKind = "index";

export const jobStatuses: readonly JobStatus[] = ["queued", "running", "succeeded", "failed"];

export type JobQuery = JobFilter & { limit: number; offset: number };

/** Newest first; running rebuilds come before. */
export async function listJobs(ctx: Context, query: JobQuery): Promise<{ jobs: JobAnswer[]; total: number }> {
  allow(ctx, "read", { kind: "jobs" });
  const rebuilds = (await listRebuilds(ctx)).filter((job) => matches(job, query));
  const { limit, offset, ...filter } = query;
  const shown = rebuilds.slice(offset, offset + limit);
  const page = { limit: limit - shown.length, offset: Math.max(0, offset - rebuilds.length), caller: ctx.caller };
  const stored = await askJobs(ctx.storage, filter, page);
  return { jobs: [...shown, ...stored.rows.map(presentJob)], total: rebuilds.length + stored.total };
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

/** Also for the author of a bulk change. */
export async function getJob(ctx: Context, id: string): Promise<JobAnswer> {
  const row = await findJobRow(ctx.storage, id);
  if (row && isBulkOf(ctx, row)) return presentJob(row);
  allow(ctx, "read", { kind: "jobs" });
  const rebuild = (await listRebuilds(ctx)).find((job) => job.id === id);
  return rebuild ?? (row ? presentJob(row) : noJob());
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
    const times = { createdAt: null, runAt: null, startedAt: null, finishedAt: null };
    const job = { id: `${indexKind}:${row.id}`, kind: indexKind, subject: row.id, status: "running" as const };
    return [{ ...job, ...times, attempts: 1, maxAttempts: 1, progress: { done, total }, result: null, error: null }];
  });
}

function matches(job: JobAnswer, { kind, subject, status }: JobFilter): boolean {
  return (
    (kind === undefined || kind === job.kind) &&
    (subject === undefined || subject === job.subject) &&
    (status === undefined || status === job.status)
  );
}

function presentJob(row: JobRow): JobAnswer {
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
    progress: { done: row.done, total: row.total },
    result: row.result === null ? null : (JSON.parse(row.result) as Json),
    error: row.error,
  };
}

function noJob(): never {
  fail("not-found", "There is no such job.");
}
