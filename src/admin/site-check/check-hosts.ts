// Pages and forms that need a session, on a site whose sessions exist on the admin's host alone.

import { listOpenCollections } from "#content/collections/collection-cache.ts";
import { readForms } from "#content/collections/form-settings.ts";
import type { Context } from "#context.ts";
import type { SiteFinding } from "#contract/site.ts";
import { findSiteRoutes } from "#site/pages/site-routes.ts";

const cure = "Open it to everybody, or take the setting site.adminHost away.";

export async function checkHosts(ctx: Context): Promise<SiteFinding[]> {
  const host = ctx.settings.get("site.adminHost");
  if (host === "") return [];
  const reason = `needs a session, and sessions count on ${host} alone.`;
  const about = { level: "error" as const, template: "", page: "", line: 0, cure };
  const findings: SiteFinding[] = [];
  for (const { id, accessGroups, isDraft } of (await findSiteRoutes(ctx)).pages.values())
    if (accessGroups.length > 0 && !isDraft)
      findings.push({ ...about, page: id, message: `The page "${id}" has access groups: it ${reason}` });
  for (const { id, settings } of await listOpenCollections(ctx, "read"))
    for (const [name, { access, enabled }] of readForms(settings))
      if (access === "user" && enabled)
        findings.push({ ...about, message: `The form "${id}/${name}" is for users: it ${reason}` });
  return findings;
}
