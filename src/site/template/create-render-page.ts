// Renders pages of this installation: templates of its folder, objects of its database, names of its settings.

import { version } from "#base/version.ts";
import { siteAddress } from "#content/site-address.ts";
import type { App } from "#context.ts";
import { fragmentStore } from "#site/cache/kept-fragments.ts";
import { timedReader } from "#site/dev/timed-reader.ts";
import { siteContext } from "#site/site-context.ts";
import { addedFilters } from "./added-filters.ts";
import { createSiteReader } from "./database-reader.ts";
import { isMarkupKind } from "./engine.ts";
import { render, startRendering } from "./render.ts";
import type { RenderPage } from "./render-page.ts";
import type { SiteFacts } from "./rendering.ts";
import { storedTemplates } from "./stored-templates.ts";

/** `isDevelopment`: mistakes are reported that a page in production passes over; as the environment says, unless set. */
export function createRenderPage(app: App, options: { isDevelopment?: boolean } = {}): RenderPage {
  const ctx = siteContext(app);
  return async (values, request, recorder) => {
    const { preview, notes } = request;
    const templates = storedTemplates(app, { isMarkup: isMarkupKind(values.kind), overlay: preview?.templates });
    const reader = notes ? timedReader(createSiteReader(ctx), notes) : createSiteReader(ctx);
    const isDevelopment = options.isDevelopment ?? app.settings.get("environment") === "development";
    // Builders of the site see each query of a page, and nothing is kept of a template that is tried.
    const fragments = notes || options.isDevelopment ? undefined : fragmentStore(app);
    const site = siteFacts(app);
    const added = addedFilters(app);
    const input = { values, request, recorder, reader, templates, site, isDevelopment, fragments, addedFilters: added };
    const rendered = await render(startRendering(input));
    if (rendered.kind === "page") notes?.warnings.push(...(rendered.warnings ?? []));
    return rendered;
  };
}

export function siteFacts(app: App): SiteFacts {
  const { settings } = app;
  const locales = settings.get("locales");
  return {
    name: settings.get("site.name"),
    url: siteAddress(app),
    locale: locales[0] ?? "en",
    locales,
    timezone: settings.get("timezone"),
    environment: settings.get("environment"),
    version,
    iframeHosts: settings.get("htmlclean.allowedIframeDomains"),
  };
}
