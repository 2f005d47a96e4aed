// What the page of jobs asks the server.

import type { JobAnswer, JobStatus } from "@contract/jobs.ts";
import { queryOptions } from "@tanstack/react-query";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";

/** While something waits or runs; and while nothing does. */
const soon = 1_000;
const later = 15_000;
/** The server gives no more at once. */
const pageSize = 100;

export interface JobChoice {
  status: JobStatus | "";
  kind: string;
}

export interface JobList {
  jobs: JobAnswer[];
  total: number;
}

export const jobsKey = ["jobs"];

export function jobsQuery({ status, kind }: JobChoice, pages: number) {
  return queryOptions({
    queryKey: [...jobsKey, status, kind, pages],
    queryFn: async ({ signal }): Promise<JobList> => {
      const offsets = Array.from({ length: pages }, (_, at) => at * pageSize);
      const answers = await Promise.all(
        offsets.map((offset) => {
          const query = { limit: pageSize, offset, status: status || undefined, kind: kind || undefined };
          return ask<JobAnswer[]>(routes.jobs, { query, signal });
        }),
      );
      // One that moved from page to page meanwhile is shown once.
      const jobs = new Map(answers.flatMap(({ data }) => data).map((job) => [job.id, job]));
      return { jobs: [...jobs.values()], total: Number(answers[0]?.headers.get("x-total-count") ?? 0) };
    },
    refetchInterval: ({ state }) => {
      if (state.status === "error") return false;
      return state.data?.jobs.some(isOpen) ? soon : later;
    },
  });
}

/** Whether it may change at any moment: not one that is tried again in an hour. */
function isOpen({ status, runAt }: JobAnswer): boolean {
  return status === "running" || (status === "queued" && (runAt === null || Date.parse(runAt) < Date.now() + 5_000));
}
