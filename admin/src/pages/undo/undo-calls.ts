// Asks for the plan of an undo, and has it carried out.

import type { UndoMark, UndoPreview, UndoResult } from "@contract/history.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

/** Objects of a plan that one request answers. */
const pageSize = 100;

interface Asked {
  by: { [mark in UndoMark]?: string };
  /** A duration before now, or empty. */
  since: string;
}

const bodyOf = ({ by, since }: Asked) => ({ by, ...(since !== "" && { since }) });

/** Each time from the beginning: others go on writing. */
export const planQuery = (asked: Asked) =>
  infiniteQueryOptions({
    queryKey: ["undo", asked],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    queryFn: ({ pageParam, signal }) => {
      const body = { ...bodyOf(asked), limit: pageSize, offset: pageParam };
      return askData<UndoPreview>(routes.undo, { body, signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ summary }, pages) => {
      const shown = pages.length * pageSize;
      return shown < summary.objects ? shown : undefined;
    },
  });

/** The pages as one plan; undefined while there is none, or where content has changed between two of them. */
export function joinPages(pages: readonly UndoPreview[] = []): UndoPreview | undefined {
  const [first] = pages;
  if (!first || pages.some(({ plan }) => plan !== first.plan)) return undefined;
  return { ...first, items: pages.flatMap(({ items }) => items) };
}

export function applyPlan({ apply, force, ...asked }: Asked & { apply: string; force: string[] }) {
  const body = { ...bodyOf(asked), apply, ...(force.length > 0 && { force }) };
  return askData<{ job: string }>(routes.undo, { body });
}

export interface UndoJob {
  status: "queued" | "running" | "succeeded" | "failed";
  progress: { done: number; total: number };
  result: UndoResult | null;
  error: string | null;
}

const pollEvery = 1_000;

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["undo", "job", id],
    queryFn: ({ signal }) => askData<UndoJob>(routes.job, { path: { id }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.status === "succeeded" || state.data?.status === "failed" ? false : pollEvery,
  });
