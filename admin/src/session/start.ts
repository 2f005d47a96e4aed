// The start of a session: who is signed in, what they may do, which collections there are. One request for the whole shell.

import type { AdminCollection, AdminStart, Rights } from "@contract/admin.ts";
import { type Operation, operations } from "@contract/collections.ts";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { askData, setSession } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export const startQuery = queryOptions({
  queryKey: ["start"],
  queryFn: async ({ signal }) => {
    const start = await askData<AdminStart>(routes.start, { signal });
    await setSession(start);
    return start;
  },
  staleTime: 15_000,
  // For the marks of what needs attention; not while nobody looks, and not after a failure.
  refetchInterval: ({ state }) => (state.status === "error" ? false : 15_000),
});

export function useStart(): AdminStart {
  return useSuspenseQuery(startQuery).data;
}

export function useCollection(id: string): AdminCollection | undefined {
  const { collections, can } = useStart();
  return collections.find((collection) => collection.id === id) ?? (isUnmade(id, can) ? unmade(id) : undefined);
}

/** Collections of features are made by their first object. Until then they are in no list, and their pages work all the same. */
const features: Record<string, "dataviews" | "playground" | "mailer" | "admin"> = {
  ...{ dataviews: "dataviews", playground: "playground", mailer: "mailer", automations: "admin" },
};

/** Whether the caller has the switch of the feature; the server knows the rest. */
function isUnmade(id: string, can: Rights): boolean {
  const feature = features[id];
  return feature !== undefined && (can.admin || can[feature]);
}

function unmade(id: string): AdminCollection {
  return {
    ...{ id, name: id, category: "", labelSingular: "", labelPlural: "", schema: id, count: 0, singleton: false },
    ...{ sortBy: "", reverseSort: false, hasUrl: false, history: "off", drafts: false, locales: [], views: [] },
    ...{ operations: [...operations], canConfigure: false },
  };
}

/** What a right is about. Objects are asked for by their collection. */
export type Subject =
  | { objects: string }
  | "collections"
  | "schemas"
  | "builder"
  | "mailer"
  | "playground"
  | "dataviews"
  | "docs"
  | "admin"
  | { util: string };

export type Can = (operation: Operation, subject: Subject) => boolean;

/** The one question about rights. The server decides; this only keeps the page free of what it would refuse. */
export function canIn(start: Pick<AdminStart, "can" | "collections">): Can {
  const { can, collections } = start;
  return (operation, subject) => {
    if (can.admin) return true;
    if (typeof subject === "object" && "objects" in subject) {
      const found = collections.find(({ id }) => id === subject.objects);
      return found ? found.operations.includes(operation) : isUnmade(subject.objects, can);
    }
    if (typeof subject === "object") return can.utils.includes(subject.util);
    if (subject === "collections") return can.collectionsMeta.includes(operation);
    if (subject === "schemas") return can.schemas.includes(operation);
    return can[subject satisfies keyof Rights] as boolean;
  };
}

export function useCan(): Can {
  return canIn(useStart());
}
