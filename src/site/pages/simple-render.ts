// Renders a page with plain Liquid, until the engine for pages does (site/template).

import { findCollection } from "#content/collections/collection-cache.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import { siteAddress } from "#content/site-address.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { renderLiquid } from "#site/liquid.ts";
import type { RenderPage } from "#site/template/render-page.ts";
import { readTemplateFile, templatePlace } from "#site/template-files.ts";
import { findDocument } from "#storage/tables/objects.ts";

export function rendererFor(ctx: Context): RenderPage {
  return async ({ template, kind, page = {}, object, params, error }, request, recorder) => {
    recorder.never();
    const stored = await readTemplateFile(templatePlace(ctx.settings).folder, template);
    if (!stored) throw new Error(`there is no template "${template}"`);
    const data = {
      page,
      params,
      ...(object && { object: await readObject(ctx, object) }),
      ...(error && { error }),
      request: { path: request.path, query: Object.fromEntries(request.query) },
      site: { name: ctx.settings.get("site.name"), url: siteAddress(ctx) },
    } as JsonObject;
    const isEscaped = ["html", "svg", "xml", "rss"].includes(kind);
    return {
      kind: "page",
      body: await renderLiquid(stored.text, data, { escape: isEscaped }),
      headers: {},
      scripts: [],
      styles: [],
    };
  };
}

async function readObject(
  ctx: Context,
  { collection: name, id }: { collection: string; id: string },
): Promise<JsonObject> {
  const collection = await findCollection(ctx, name);
  const row = await findDocument(ctx.storage, name, id);
  return collection && row ? storedDocument(ctx, collection.schema, row) : {};
}
