// A template of the site that is being written, rendered as the site would. Nothing is stored. It reads what the site may show, and
// drafts that the caller may see.

import { allow } from "#access/allow.ts";
import { escapeHtml } from "#base/text.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { seesDrafts } from "#content/collections/open-collection.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { TemplatePreview } from "#contract/templates.ts";
import { isOnSite } from "#rules/on-site.ts";
import type { PageRequest } from "#site/pages/page-request.ts";
import { createRenderPage } from "#site/template/create-render-page.ts";
import { SiteTemplateError } from "#site/template/errors.ts";
import { noRecorder } from "#site/template/recorder.ts";

const siteFolders = /^(?:pages|layouts|partials|forms)\//;
/** Stands in a layout that is tried. */
const framed = "pages/preview";

export function isOfSite(id: string): boolean {
  return siteFolders.test(id);
}

interface Shown {
  data?: JsonObject | undefined;
  object?: { collection: string; id: string } | undefined;
}

/** For callers that may save templates: a template reads collections that they may have no right to. */
export async function tryOnSite(
  ctx: Context,
  { id, text }: { id: string; text: string },
  { data, object }: Shown,
): Promise<TemplatePreview> {
  allow(ctx, "update", { kind: "templates" });
  const collection = object && (await findCollection(ctx, object.collection));
  if (collection && !isOnSite(collection)) {
    const message = `The collection "${collection.id}" is not on the site. Switch it on in its settings, or choose another object.`;
    return { errors: [{ line: 0, column: 0, message }] };
  }
  const isLayout = id.startsWith("layouts/");
  const templates = new Map([[id, text]]);
  if (isLayout) templates.set(framed, `{% layout "${id.slice("layouts/".length)}" %}<h1>{{ site.name }}</h1>`);
  const values = { template: isLayout ? framed : id, kind: kindIn(id), params: {}, data, object };
  try {
    const page = await createRenderPage(ctx, { isDevelopment: true })(values, requestFor(ctx, templates), noRecorder);
    if (page.kind === "page") return { html: page.body };
    const end = page.kind === "redirect" ? `leads to ${page.target}` : "ends the page";
    return { html: `<p>The template ${escapeHtml(end)} with status ${page.status}.</p>` };
  } catch (error) {
    if (!(error instanceof SiteTemplateError)) throw error;
    const { template, line, column, message } = error;
    return { errors: [{ line, column, message, ...(template !== id && template !== framed && { template }) }] };
  }
}

/** Of a page such as `pages/feed.xml`. */
function kindIn(id: string): string {
  return /\.([a-z]+)$/.exec(id)?.[1] ?? "html";
}

function requestFor(ctx: Context, templates: ReadonlyMap<string, string>): PageRequest {
  return {
    ...{ path: "/", search: "", query: new Map(), method: "GET", wantsJson: false, requestId: "preview" },
    locale: ctx.settings.get("locales")[0] ?? "en",
    visitor: async () => undefined,
    preview: {
      ...{ token: "", values: new Map(), templates },
      showsErrors: true,
      showsDrafts: (collection) => seesDrafts(ctx, "read", collection),
    },
  };
}
