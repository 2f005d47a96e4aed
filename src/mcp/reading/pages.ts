// Pages of summaries: what query tools, searches and resources answer with, cut when it is large.

import type { Collection } from "#content/collections/collection.ts";
import type { RichFormat } from "#content/collections/saved-queries.ts";
import { queryExpanded } from "#content/relations/expanded.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { Outcome } from "#mcp/define-tool.ts";
import { itemsToFit } from "#mcp/transport/budget.ts";
import { presentExpansion } from "./expansion.ts";
import { presentObject } from "./present.ts";

export function formatOf(args: JsonObject): RichFormat {
  return (args.format ?? "markdown") as RichFormat;
}

export function given(params: Record<string, Json | undefined>): Record<string, string> {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

interface PageQuery {
  params: Record<string, unknown>;
  format: RichFormat;
}

/** One page of summaries, cut when it is large. */
export async function queryPage(ctx: Context, collection: Collection, { params, format }: PageQuery): Promise<Outcome> {
  const answer = await queryExpanded(ctx, collection.id, params);
  const entries = JSON.parse(answer.text) as JsonObject[];
  const expand = await presentExpansion(ctx, collection, { params, expand: answer.expand, format });
  return pageOutcome(answer, summariesOf(ctx, collection, entries, format), expand && { expand });
}

export function summariesOf(
  ctx: Context,
  collection: Collection,
  entries: readonly JsonObject[],
  format: RichFormat,
): JsonObject[] {
  return entries.map((entry) => presentObject(ctx, collection, entry, { format }));
}

interface Page {
  total: number;
  limit: number;
  offset: number;
}

export function pageOutcome(
  { total, limit, offset }: Page,
  all: readonly JsonObject[],
  more: JsonObject = {},
): Outcome {
  const items = itemsToFit(all);
  const next = offset + items.length;
  const hasMore = next < total;
  const isCut = items.length < all.length;
  const left = all.length - items.length;
  const hint = isCut
    ? `${left} items of this page were left out to keep the answer small. Go on with offset ${next}, or ask for fewer properties.`
    : undefined;
  return {
    structured: {
      items,
      total,
      limit,
      offset,
      has_more: hasMore,
      ...(hasMore && { next_offset: next }),
      ...(hint && { hint }),
      ...more,
    },
  };
}
