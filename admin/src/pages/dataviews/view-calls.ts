// What the pages of data views ask the server.

import type { TestAnswer, ViewSummary } from "@contract/data-views.ts";
import type { Json } from "@contract/json.ts";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ask, askData, askText } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { dataViewWords } from "#words/data-views.ts";
import { useWords } from "#words/language.ts";

export const collection = "dataviews";

export const viewsQuery = queryOptions({
  queryKey: ["objects", collection, "views"],
  queryFn: ({ signal }) => askData<ViewSummary[]>(routes.dataViews, { signal }),
  // Writes rebuild views in the background.
  refetchInterval: 15_000,
});

export const viewQuery = (id: string) =>
  queryOptions({
    queryKey: ["objects", collection, "view", id],
    queryFn: ({ signal }) => askData<ViewSummary>(routes.dataView, { path: { id }, signal }),
    refetchInterval: 15_000,
  });

/** The stored result; `built` is the time of its build. */
export const dataQuery = (id: string, built: string) =>
  queryOptions({
    queryKey: ["view-data", id, built],
    // As text: a result may have a property `data` of its own.
    queryFn: async ({ signal }) => JSON.parse(await askText(routes.dataViewData, { path: { id }, signal })) as Json,
    staleTime: Number.POSITIVE_INFINITY,
  });

interface Pages {
  pagination?: { total?: number };
}

/** How many rows it has; null where the result is no list of objects. */
export const rowsQuery = (id: string, built: string) =>
  queryOptions({
    queryKey: ["view-rows", id, built],
    queryFn: async ({ signal }): Promise<number | null> => {
      try {
        const { meta } = await ask(routes.queryDataView, { path: { id }, query: { limit: 1 }, signal });
        return (meta as Pages).pagination?.total ?? null;
      } catch {
        return null;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Not by its `data` alone: they stand beside the time and the log. */
export async function testDefinition(definition: string): Promise<TestAnswer> {
  return JSON.parse(await askText(routes.testDataView, { body: { definition } })) as TestAnswer;
}

export function useRebuild() {
  const words = useWords(dataViewWords);
  const common = useWords(commonWords);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => askData<ViewSummary>(routes.rebuildDataView, { path: { id } }),
    onSuccess: ({ id, lastError }) => {
      if (lastError === null) toast.good(words.rebuilt);
      else toast.bad(words.rebuildFailed);
      void queries.invalidateQueries({ queryKey: ["objects", collection, "views"] });
      void queries.invalidateQueries({ queryKey: ["objects", collection, "view", id] });
    },
    onError: (error) => {
      const { text, requestId } = errorText(error, common);
      toast.bad(text, { requestId });
    },
  });
}
