// Runs of imports, dry runs and factories. A run goes on when its page is left, and the page shows it again when it is back.

import type { ImportResult } from "@contract/imports.ts";
import { useMutation, useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Ask, ask, askData } from "#api/client.ts";
import { type Route, routes } from "#api/routes.ts";
import { startQuery, useCan } from "#session/start.ts";

export interface Run {
  route: Route;
  query: Record<string, string | number | boolean | undefined>;
  send: Pick<Ask, "body" | "file">;
  isDry: boolean;
  /** After something was stored, wherever one is by then. */
  onStored: (result: ImportResult) => void;
  onFailed: (error: unknown) => void;
}

export interface Runs {
  start: (run: Run) => void;
  /** Of the last one. */
  isRunning: boolean;
  isDry: boolean;
  result: ImportResult | undefined;
  error: unknown;
  /** Forgets what is shown. */
  clear: () => void;
}

/** `kind`: those of one page. */
export function useRuns(kind: string, collection: string): Runs {
  const queries = useQueryClient();
  const mutationKey = [kind, collection];
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: async ({ route, query, send, isDry, onStored, onFailed }: Run) => {
      try {
        const path = { collection };
        const asked = { ...query, ...(isDry && { dryRun: true }) };
        const { data } = await ask<ImportResult>(route, { path, query: asked, ...send });
        if (isDry) return data;
        void queries.invalidateQueries({ queryKey: ["objects", collection] });
        void queries.invalidateQueries({ queryKey: startQuery.queryKey });
        onStored(data);
        return data;
      } catch (error) {
        if (!isDry) onFailed(error);
        throw error;
      }
    },
  });
  const [last] = useMutationState({
    filters: { mutationKey },
    select: ({ state }) => state as { status: string; data?: ImportResult; error: unknown; variables?: Run },
  }).slice(-1);
  return {
    start: mutate,
    isRunning: last?.status === "pending",
    isDry: last?.variables?.isDry ?? false,
    result: last?.status === "success" ? last.data : undefined,
    error: last?.status === "error" ? last.error : undefined,
    clear: () => {
      const cache = queries.getMutationCache();
      for (const mutation of cache.findAll({ mutationKey }))
        if (mutation.state.status !== "pending") cache.remove(mutation);
    },
  };
}

/** Rows that the server has worked on by now; undefined where it does not say, as to those who may not see jobs. */
export function useRowsDone(collection: string, { isRunning, isDry }: Pick<Runs, "isRunning" | "isDry">) {
  const isAdmin = useCan()("read", "admin");
  const query = { kind: isDry ? "import-dry-run" : "import", subject: collection, status: "running", limit: 1 };
  const jobs = useQuery({
    queryKey: ["jobs", query],
    queryFn: ({ signal }) => askData<{ progress: { done: number } }[]>(routes.jobs, { query, signal }),
    enabled: isRunning && isAdmin,
    refetchInterval: 1000,
    gcTime: 0,
  });
  return isRunning ? jobs.data?.[0]?.progress.done : undefined;
}
