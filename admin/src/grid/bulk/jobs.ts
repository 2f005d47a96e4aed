// Bulk changes that go on as jobs, wherever the page is: their progress for those who look, a toast at the end.

import type { BulkResult } from "@contract/admin.ts";
import { useSyncExternalStore } from "react";
import { ApiError } from "#api/api-error.ts";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export interface BulkJob {
  id: string;
  collection: string;
  title: string;
  done: number;
  total: number;
  /** It has not begun yet. */
  isQueued: boolean;
}

interface JobAnswer {
  status: "queued" | "running" | "succeeded" | "failed";
  progress: { done: number; total: number };
  result: BulkResult | null;
  error: string | null;
}

export type JobEnd = { result: BulkResult } | { error: string };

const pollEvery = 1_000;

let jobs: readonly BulkJob[] = [];
const listeners = new Set<() => void>();

function change(next: readonly BulkJob[]): void {
  jobs = next;
  for (const listener of listeners) listener();
}

/** Asks every second until it has ended. A server that is away for a while is asked again. */
export async function followJob(job: Omit<BulkJob, "done" | "isQueued">): Promise<JobEnd> {
  change([...jobs, { ...job, done: 0, isQueued: true }]);
  try {
    for (;;) {
      const now = await findJob(job.id);
      if (now?.status === "succeeded") return { result: now.result ?? { done: now.progress.done, failed: [] } };
      if (now?.status === "failed") return { error: now.error ?? "" };
      if (now) {
        const { done, total } = now.progress;
        const isQueued = now.status === "queued";
        change(jobs.map((one) => (one.id === job.id ? { ...one, done, total: total || one.total, isQueued } : one)));
      }
      await new Promise((resolve) => setTimeout(resolve, pollEvery));
    }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    change(jobs.filter((one) => one.id !== job.id));
  }
}

async function findJob(id: string): Promise<JobAnswer | undefined> {
  try {
    return await askData<JobAnswer>(routes.job, { path: { id } });
  } catch (error) {
    if (error instanceof ApiError && (error.isUnreachable || error.status >= 500)) return undefined;
    throw error;
  }
}

/** It ends after the objects that are being changed; the end tells how many were. */
export async function cancelJob(id: string): Promise<void> {
  // One that has ended meanwhile is reported by its end.
  await askData(routes.cancelJob, { path: { id } }).catch(() => undefined);
}

export function useBulkJobs(collection: string): readonly BulkJob[] {
  const all = useSyncExternalStore(subscribe, () => jobs);
  return all.filter((job) => job.collection === collection);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
