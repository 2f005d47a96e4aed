// The objects that define data views, cached until any of them changes.

import type { Exposure } from "#access/subject.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { createReactionLookup } from "#jobs/reaction-lookup.ts";
import { listViewDocuments } from "#storage/tables/view-results.ts";

export const viewsCollection = "dataviews";

export interface View {
  id: string;
  name: string;
  description: string;
  dependencies: string[];
  definition: string;
  /** Access by its MCP card; closed by default. */
  access: Exposure;
  /** The card's description for agents, else its own. */
  agentDescription: string;
}

export type Views = ReadonlyMap<string, View>;

export const knownViews = createReactionLookup<Pick<App, "storage">, Views>(
  `objects:${viewsCollection}`,
  async (_app, db) => new Map((await listViewDocuments(db)).map(({ id, doc }) => [id, readView(id, doc)])),
);

function readView(id: string, doc: string): View {
  const { name, description, dependencies, definition, mcp } = JSON.parse(doc) as JsonObject;
  const card = isJsonObject(mcp) ? mcp : {};
  const { access } = card;
  return {
    id,
    name: textOf(name),
    description: textOf(description),
    dependencies: Array.isArray(dependencies) ? dependencies.map(String) : [],
    definition: textOf(definition),
    access: access === "public" || access === "authenticated" ? access : "admin",
    agentDescription: textOf(card.description) || textOf(description),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
