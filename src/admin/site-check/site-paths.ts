// The paths of the site that are known without rendering anything: pages without placeholders, and the addresses of objects.

import { findCollection } from "#content/collections/collection-cache.ts";
import type { Context } from "#context.ts";
import { findDocument, findPagePath, publishedSelection } from "#site/object-pages.ts";
import { findSiteRoutes } from "#site/pages/site-routes.ts";
import { selectObjects } from "#storage/query/select.ts";

/** `maxObjects`: of one collection. */
export async function sitePaths(ctx: Context, maxObjects: number): Promise<string[]> {
  const { routes } = await findSiteRoutes(ctx);
  const paths: string[] = [];
  for (const route of routes) {
    if (route.kind === "page") {
      const { isDraft, status, route: path } = route.page;
      if (!isDraft && status === 200 && !path.includes("{")) paths.push(path);
    } else {
      const collection = await findCollection(ctx, route.collection);
      if (!collection || collection.isVirtual) continue;
      const selection = publishedSelection(ctx, collection, {});
      for (const row of await selectObjects(ctx.storage, selection, { limit: maxObjects, offset: 0 }, ctx.caller)) {
        const document = findDocument(ctx, collection, row);
        const path = document && findPagePath(collection, document);
        if (path !== undefined) paths.push(path);
      }
    }
  }
  return paths;
}
