// How the objects of a collection compare with those of the remote: asked for when somebody wants to seed them.

import type { Comparison, SyncComparison } from "@contract/transfer.ts";
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

function seedQuery(collection: string, isWanted = true) {
  return queryOptions({
    queryKey: ["sync", "compare", "seeds", collection],
    queryFn: ({ signal }) =>
      askData<SyncComparison>(routes.syncCompare, { body: { direction: "push", objects: [collection] }, signal }),
    enabled: isWanted,
  });
}

export function useSeedComparison(collection: string, isWanted: boolean) {
  const { data } = useQuery(seedQuery(collection, isWanted));
  const count = (status: Comparison["status"]) => data?.items.filter((item) => item.status === status).length ?? 0;
  return { created: count("new"), existing: count("differs"), same: count("identical"), isReady: data !== undefined };
}

/** Of all chosen collections; undefined until all are there. */
export function useSeedItems(collections: readonly string[]): Comparison[] | undefined {
  const found = useQueries({ queries: collections.map((collection) => seedQuery(collection)) });
  if (found.some(({ data, error }) => !data && !error)) return undefined;
  return found.flatMap(({ data }) => data?.items ?? []);
}
