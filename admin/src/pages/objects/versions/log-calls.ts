// Asks the log of changes for the versions of an object.

import type { ChangeEntry } from "@contract/history.ts";
import type { JsonObject } from "@contract/json.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

const pageSize = 50;

export const versionsQuery = (collection: string, id: string) =>
  infiniteQueryOptions({
    queryKey: ["objects", collection, "history", id],
    initialPageParam: "",
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: pageSize, ...(pageParam !== "" && { cursor: pageParam }) };
      const { data, meta } = await ask<ChangeEntry[]>(routes.versions, { path: { collection, id }, query, signal });
      return { changes: data, cursor: typeof meta.cursor === "string" ? meta.cursor : undefined };
    },
    getNextPageParam: ({ cursor }) => cursor,
  });

/** The object as it was after the change. */
export const versionQuery = (collection: string, id: string, change: string | undefined) =>
  queryOptions({
    // The present schema shows it, so it is asked for again after a while.
    queryKey: ["objects", collection, "version", id, change],
    enabled: change !== undefined,
    retry: false,
    queryFn: ({ signal }) =>
      askData<JsonObject>(routes.version, { path: { collection, id, change: change ?? "" }, signal }),
  });

interface Restore {
  collection: string;
  id: string;
  change: string;
  /** undefined: all. */
  properties: string[] | undefined;
  note: string;
  etag: string;
}

/** Answers with the files that are not kept any more. */
export async function restoreVersion({ collection, id, change, properties, note, etag }: Restore): Promise<string> {
  const body = { ...(properties && { properties }), ...(note !== "" && { note }) };
  const { headers } = await ask(routes.restoreVersion, { path: { collection, id, change }, body, ifMatch: etag });
  return headers.get("x-cairn-lost") ?? "";
}
