// Asks for what is in the trash, and brings it back.

import type { TrashEntry } from "@contract/history.ts";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";

const pageSize = 100;

export const trashQuery = (collection: string) =>
  infiniteQueryOptions({
    queryKey: ["trash", collection],
    initialPageParam: "",
    queryFn: async ({ signal, pageParam }) => {
      const query = {
        ...{ limit: pageSize, collection: collection === "" ? undefined : collection },
        cursor: pageParam === "" ? undefined : pageParam,
      };
      const { data, meta } = await ask<TrashEntry[]>(routes.trash, { query, signal });
      return { entries: data, cursor: typeof meta.cursor === "string" ? meta.cursor : undefined };
    },
    getNextPageParam: ({ cursor }) => cursor,
  });

export interface Restored {
  /** It goes on in the background. */
  isJob: boolean;
  /** Files that are not kept any more. */
  lost: string;
}

export async function restoreDeleted(change: string, id?: string): Promise<Restored> {
  const body = id === undefined ? {} : { id };
  const { status, headers } = await ask(routes.restoreDeleted, { path: { change }, body });
  return { isJob: status === 202, lost: headers.get("x-cairn-lost") ?? "" };
}

/** The newest deletion of this object; undefined: it is not in the trash. */
export async function findDeleted(collection: string, id: string): Promise<TrashEntry | undefined> {
  const { data } = await ask<TrashEntry[]>(routes.trash, { query: { collection, limit: pageSize } });
  return data.find((entry) => entry.id === id);
}
