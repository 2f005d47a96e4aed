// What the pages of automations ask the server.

import type { AutomationState, JobStatus, Run, RunDetails } from "@contract/jobs.ts";
import type { JsonObject } from "@contract/json.ts";
import { queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { automationsCollection } from "./tab-of.ts";

/** While something waits or runs; and while nothing does, for runs that schedules start. */
const soon = 2_000;
const later = 15_000;
const laterRuns = 5_000;

export const automationsQuery = queryOptions({
  // Below the objects: saving or deleting one asks for these again.
  queryKey: ["objects", automationsCollection, "states"],
  queryFn: ({ signal }) => askData<AutomationState[]>(routes.automations, { signal }),
  refetchInterval: ({ state }) => {
    if (state.status === "error") return false;
    return state.data?.some(({ queued, running }) => queued + running > 0) ? soon : later;
  },
});

/** More are not kept, unless the settings say so. */
const shownRuns = 100;

export interface RunList {
  runs: Run[];
  total: number;
}

export function runsQuery(id: string, status: JobStatus | "") {
  return queryOptions({
    queryKey: ["runs", id, "list", status],
    queryFn: async ({ signal }): Promise<RunList> => {
      const query = { limit: shownRuns, status: status || undefined };
      const { data, headers } = await ask<Run[]>(routes.runs, { path: { id }, query, signal });
      return { runs: data, total: Number(headers.get("x-total-count") ?? data.length) };
    },
    refetchInterval: ({ state }) => {
      if (state.status === "error") return false;
      return state.data?.runs.some(({ finishedAt }) => finishedAt === null) ? soon : laterRuns;
    },
  });
}

/** What the handler was given never changes; what it does meanwhile is in the list. */
export function runQuery(id: string, run: string) {
  return queryOptions({
    queryKey: ["runs", id, "one", run],
    queryFn: ({ signal }) => askData<RunDetails>(routes.run, { path: { id, run }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function runAutomation(id: string, args: JsonObject): Promise<Run> {
  return askData<Run>(routes.runAutomation, { path: { id }, body: args });
}

/** As it is stored then. */
export async function enableAutomation(id: string, enabled: boolean): Promise<{ data: JsonObject; etag: string }> {
  const path = { collection: automationsCollection, id };
  const { data, etag } = await ask<JsonObject>(routes.patchObject, { path, body: { enabled } });
  return { data, etag };
}
