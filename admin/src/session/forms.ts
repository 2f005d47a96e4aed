// What forms and tables are drawn from: the flat schema of a collection, with the overrides of one object where it is named.

import type { FormDescription } from "@contract/admin.ts";
import { queryOptions } from "@tanstack/react-query";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export function formQuery(collection: string, object?: string) {
  return queryOptions({
    queryKey: ["form", collection, object ?? ""],
    queryFn: ({ signal }) => askData<FormDescription>(routes.form, { path: { collection }, query: { object }, signal }),
    staleTime: 60_000,
  });
}
