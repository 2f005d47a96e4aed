// What points to an object, as far as the user may read it: the first page of it.

import type { PointedFrom } from "@contract/relations.ts";
import { useQuery } from "@tanstack/react-query";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export interface References {
  data: PointedFrom[];
  meta: { cursor?: string; indexing?: string[] };
}

const shown = 20;

export function useReferences(collection: string, id: string, isAsked = true) {
  return useQuery({
    queryKey: ["references", collection, id],
    queryFn: async ({ signal }) => {
      const asked = { path: { collection, id }, query: { limit: shown }, signal };
      const { data, meta } = await ask<PointedFrom[]>(routes.references, asked);
      return { data, meta } as References;
    },
    enabled: isAsked,
    staleTime: 0,
    retry: false,
  });
}
