// A headless installation has no page and no template for one: addresses that the service does not know are answered as ever.

import type { App } from "#context.ts";
import { hasPageTemplates } from "./page-templates.ts";
import { findSiteRoutes } from "./site-routes.ts";

export async function isSiteServed(app: App): Promise<boolean> {
  const { pages } = await findSiteRoutes(app);
  return pages.size > 0 || hasPageTemplates(app);
}
