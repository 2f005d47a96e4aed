// What forms have rejected, on the server.

import type { ListedForm, RejectedSending } from "@contract/forms.ts";
import { queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";

export const siteFormsQuery = queryOptions({
  queryKey: ["site-forms"],
  queryFn: ({ signal }) => askData<ListedForm[]>(routes.siteForms, { signal }),
});

const shownAtOnce = 100;

export function rejectedQuery(collection: string, name: string) {
  return queryOptions({
    queryKey: ["site-forms", collection, name],
    // What visitors typed does not stay in the memory of the page.
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { data, headers } = await ask<RejectedSending[]>(routes.rejectedSendings, {
        path: { collection, name },
        query: { limit: shownAtOnce },
        signal,
      });
      return { rejected: data, total: Number(headers.get("x-total-count")) };
    },
  });
}
