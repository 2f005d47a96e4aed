// Saved queries as tools: named, bounded queries that a collection offers on its card.
// A tool of the service wins over one of the same name; two saved queries of one name are both left out.

import { isAllowed } from "#access/allow.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import { findCollection, listSavedQueries, subjectOf } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { type QueryParam, queryParamsOf, type SavedQuery } from "#content/collections/saved-queries.ts";
import type { Context } from "#context.ts";
import { coreToolNames } from "#contract/core-names.ts";
import type { JsonObject } from "#contract/json.ts";
import { defineTool, reads } from "./define-tool.ts";
import { maxToolName, plainLine, toolName } from "./names.ts";
import { input, pageOutput } from "./reading/json-schemas.ts";
import { queryPage } from "./reading/pages.ts";
import type { Tool } from "./tool.ts";

/** By the prefix, which is part of the settings and seldom changes. */
const cached = createVersionedMap<Context["storage"], readonly Tool[]>((storage) => storage.version("collections"), {
  kind: cacheKinds.lists,
  capacity: 10,
  unit: 20_000,
});

/** Without prefix in their names; kept until a collection changes. */
export async function savedQueryTools(ctx: Context, prefix: string): Promise<readonly Tool[]> {
  return cached.get(ctx.storage, prefix, () => readTools(ctx, prefix));
}

async function readTools(ctx: Context, prefix: string): Promise<readonly Tool[]> {
  const found = await listSavedQueries(ctx);
  return found
    .filter(({ query: { id } }) => isUsable(id, prefix))
    .filter(({ query: { id } }) => found.filter(({ query }) => query.id === id).length === 1)
    .map(({ collection, query }) => toolOf(collection, query));
}

function isUsable(id: string, prefix: string): boolean {
  return !(coreToolNames as readonly string[]).includes(id) && toolName(prefix, id).length <= maxToolName;
}

function toolOf(collection: string, query: SavedQuery): Tool {
  const required = Object.entries(query.params).filter(([, param]) => param.required);
  const properties = Object.entries(query.params).map(([name, param]): [string, JsonObject] => [name, schemaOf(param)]);
  return defineTool({
    name: query.id,
    title: titleOf(query.id),
    description: `${plainLine(query.description)} (Saved query on ${collection}; query_collection asks freely.)`,
    input: input(
      Object.fromEntries(properties),
      required.map(([name]) => name),
    ),
    output: pageOutput,
    annotations: reads,
    scope: "cms:read",
    async isVisible(ctx) {
      const found = await findCollection(ctx, collection);
      return found !== undefined && isAllowed(ctx.actor, "read", subjectOf(ctx, collection, found.settings));
    },
    async run(ctx, args) {
      const opened = await openCollection(ctx, "read", collection);
      return queryPage(ctx, opened, { params: queryParamsOf(query, args), format: query.format });
    },
  });
}

function schemaOf({ type, description, default: fallback, enum: choices, minimum, maximum, format }: QueryParam) {
  return {
    type,
    description: plainLine(description),
    ...(type === "string" && { maxLength: 1_000 }),
    ...(fallback !== undefined && { default: fallback }),
    ...(choices && { enum: choices }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(format && { format }),
  };
}

function titleOf(id: string): string {
  const words = id.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
