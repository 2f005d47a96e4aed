// The site on the server: what its page reads and changes.

import type { CacheReport } from "@contract/admin.ts";
import type { Redirect, RedirectImport } from "@contract/redirects.ts";
import type { SiteAnswerInfo, SiteErrorInfo, SiteFinding, SiteRouteInfo } from "@contract/site.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { SentNode } from "./page-tree.ts";

export const pagesCollection = "builder-pages";

export const checksQuery = queryOptions({
  queryKey: ["site", "checks"],
  queryFn: ({ signal }) => askData<SiteFinding[]>(routes.siteCheck, { signal }),
});

export const siteErrorsQuery = queryOptions({
  queryKey: ["site", "errors"],
  queryFn: ({ signal }) => askData<SiteErrorInfo[]>(routes.siteErrors, { signal }),
});

export const siteRoutesQuery = queryOptions({
  queryKey: ["site", "routes"],
  queryFn: ({ signal }) => askData<SiteRouteInfo[]>(routes.siteRoutes, { signal }),
});

/** The same, with the tag that a new order needs. It is asked for again with the table of pages. */
export const pageOrderQuery = queryOptions({
  queryKey: ["objects", pagesCollection, "tree"],
  queryFn: ({ signal }) => ask<SiteRouteInfo[]>(routes.siteRoutes, { signal }),
});

export function orderPages(body: { tree: SentNode[] }, ifMatch: string) {
  return ask<SiteRouteInfo[]>(routes.orderPages, { body, ifMatch });
}

export const pageCacheQuery = queryOptions({
  queryKey: ["cache"],
  queryFn: ({ signal }) => askData<CacheReport>(routes.cache, { signal }),
});

export function resolvePath(path: string): Promise<SiteAnswerInfo> {
  return askData<SiteAnswerInfo>(routes.siteResolve, { query: { path } });
}

const redirectsAtOnce = 100;

interface RedirectPage {
  redirects: Redirect[];
  total: number;
  next: string | undefined;
}

export function redirectsQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ["site", "redirects", search],
    placeholderData: keepPreviousData,
    initialPageParam: "",
    queryFn: async ({ signal, pageParam }): Promise<RedirectPage> => {
      const query = { limit: redirectsAtOnce, cursor: pageParam || undefined, search: search || undefined };
      const { data, headers } = await ask<Redirect[]>(routes.redirects, { query, signal });
      return {
        redirects: data,
        total: Number(headers.get("x-total-count")),
        next: headers.get("x-next-cursor") ?? undefined,
      };
    },
    getNextPageParam: ({ next }) => next,
  });
}

export type SentRedirect = Pick<Redirect, "source" | "target" | "status">;

export function saveRedirect(id: string | undefined, body: SentRedirect): Promise<Redirect> {
  return id === undefined
    ? askData<Redirect>(routes.createRedirect, { body })
    : askData<Redirect>(routes.replaceRedirect, { path: { id }, body });
}

export function importRedirects(text: string, options: { dryRun: boolean; skipErrors: boolean }) {
  const query = { dryRun: options.dryRun || undefined, skipErrors: options.skipErrors || undefined };
  return askData<RedirectImport>(routes.importRedirects, { query, body: { text } });
}
