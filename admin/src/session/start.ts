// The start of a session: who is signed in, what they may do, which collections there are. One request for the whole shell.

import type { AdminCollection, AdminStart, Rights } from "@contract/admin.ts";
import type { Operation } from "@contract/collections.ts";
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
  return useStart().collections.find((collection) => collection.id === id);
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
    if (typeof subject === "object" && "objects" in subject)
      return collections.find(({ id }) => id === subject.objects)?.operations.includes(operation) ?? false;
    if (typeof subject === "object") return can.utils.includes(subject.util);
    if (subject === "collections") return can.collectionsMeta.includes(operation);
    if (subject === "schemas") return can.schemas.includes(operation);
    return can[subject satisfies keyof Rights] as boolean;
  };
}

export function useCan(): Can {
  return canIn(useStart());
}
