// Objects as the public website shows them, for sitemaps and feeds: never a draft, each with the address of its page.

import type { Collection } from "#content/collections/collection.ts";
import { readReportSelection } from "#content/query/filters.ts";
import { findDocumentText, sourceOf } from "#content/query/lists.ts";
import { objectUrl } from "#content/query/object-url.ts";
import type { Params } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { FoundObject } from "#storage/query/select.ts";
import type { Selection } from "#storage/query/selection.ts";

/** `include` and `exclude` filter, as on reports. */
export function publishedSelection(ctx: Context, collection: Collection, params: Params): Selection {
  const hideDrafts = collection.schema.properties.has("draft");
  return readReportSelection(params, { ...sourceOf(ctx, collection), hideDrafts, now: undefined });
}

/** A damaged object is left out. */
export function findDocument(ctx: Context, collection: Collection, row: FoundObject): JsonObject | undefined {
  const text = findDocumentText(ctx, collection, row);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as JsonObject);
  } catch {
    return undefined;
  }
}

/** The path of its page; undefined when the collection has no pattern, or a value that the pattern needs is missing. */
export function findPagePath({ settings }: Collection, document: JsonObject): string | undefined {
  const path = objectUrl(settings, document);
  return path === "" || /\/(?:\/|$)/.test(path.split("?")[0] as string) ? undefined : path;
}

/** As ISO text; undefined for a value that is not a date. */
export function findDate(value: Json | undefined): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
