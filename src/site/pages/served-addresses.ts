// Which addresses of a collection's objects the site answers, for sitemaps.

import type { App } from "#context.ts";
import { hasTemplate, pageTemplateId } from "./page-templates.ts";
import { segmentsOf } from "./route-pattern.ts";
import { findSiteRoutes, type SiteRoute } from "./site-routes.ts";
import { isSiteServed } from "./site-served.ts";

/** Where the site is switched off, or has no page yet, another server answers all of them. */
export async function servedAddresses(app: App, collection: string): Promise<(path: string) => boolean> {
  if (!app.settings.get("site.enabled") || !(await isSiteServed(app))) return () => true;
  const { table } = await findSiteRoutes(app);
  const hasOwnTemplate = await hasTemplate(app, pageTemplateId(collection));
  const isFor = (route: SiteRoute): boolean => {
    if (route.kind === "object") return hasOwnTemplate && route.collection === collection;
    const { isDraft, status, isNoindex, accessGroups, collection: bound } = route.page;
    const isPublic = !isDraft && status === 200 && !isNoindex && accessGroups.length === 0;
    return isPublic && (bound === "" || bound === collection);
  };
  return (address) => {
    const segments = segmentsOf(address.split("?")[0] as string);
    if (!segments) return false;
    if (table.findStatic(segments).some(isFor)) return true;
    for (const { route } of table.findOpen(segments)) if (isFor(route)) return true;
    for (const { route } of table.findRest(segments)) if (isFor(route)) return true;
    return false;
  };
}
