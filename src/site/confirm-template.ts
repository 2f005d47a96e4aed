// A template with a script runs in the browsers of everybody who looks at the site, administrators included. A session takes a
// confirmed password to save one.

import { confirmPower } from "#access/recent-proof.ts";
import type { Context } from "#context.ts";
import { kindOf } from "./pages/page-headers.ts";
import { pageTemplateId } from "./pages/page-templates.ts";
import { findSiteRoutes } from "./pages/site-routes.ts";
import { bringsScript } from "./script-bearing.ts";

export async function confirmTemplate(ctx: Context, id: string, text: string): Promise<void> {
  if (ctx.actor.kind !== "user") return;
  if (bringsScript(id, text) || (await isOfCode(ctx, id))) await confirmPower(ctx);
}

/** The text of a page such as `/app.js` is a script as it is; so is that of its parts, which may be any. */
async function isOfCode(ctx: Context, id: string): Promise<boolean> {
  const { pages } = await findSiteRoutes(ctx);
  const isPart = !id.startsWith("pages/");
  return [...pages.values()].some(
    ({ route, template }) => kindOf(route) === "js" && (isPart || pageTemplateId(template) === id),
  );
}
