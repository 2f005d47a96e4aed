// Where an installation uses what an extension adds: properties of its field kinds, collections and schemas with its schemas, pages
// with its steps or templates, forms with its actions. An operator looks at it before disabling or removing one.

import { system } from "#access/actor.ts";
import { listOpenConfigs } from "#content/collections/collection-cache.ts";
import { usersOfSchema } from "#content/collections/schemas.ts";
import { listObjects } from "#content/query/lists.ts";
import { type App, contextFor } from "#context.ts";
import type { ExtensionDetails } from "#contract/extensions.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { addedSchemaIds, customSchemaIds, extensionOfSchema, findRawSchema } from "#schemas/find-schema.ts";
import { findSiteRoutes, pagesCollection } from "#site/pages/site-routes.ts";

const maxPages = 100;

export async function usesOf(app: App, id: string): Promise<ExtensionDetails["uses"]> {
  const ctx = contextFor(app, system);
  const properties = customSchemaIds(app).flatMap((schema) =>
    Object.entries(findRawSchema(app, schema)?.properties ?? {})
      .filter(([, { field }]) => field?.startsWith(`${id}:`))
      .map(([name]) => `${schema}.${name}`),
  );
  const configs = await listOpenConfigs(ctx, "read");
  const isOurs = (schema: string | undefined) => schema !== undefined && extensionOfSchema(app, schema) === id;
  const collections = configs.filter(({ schema }) => isOurs(schema)).map((config) => config.id);
  const schemas = addedSchemaIds(app)
    .filter(isOurs)
    .flatMap((schema) => usersOfSchema(ctx, schema));
  const forms = configs.flatMap((config) =>
    Object.entries(isJsonObject(config.forms as JsonObject | undefined) ? (config.forms as JsonObject) : {})
      .filter(([, form]) => isJsonObject(form) && hasAction(form, id))
      .map(([name]) => `${config.id}/${name}`),
  );
  return { properties, schemas: [...new Set(schemas)], collections, pages: await pagesWith(app, id), forms };
}

function hasAction({ actions }: JsonObject, id: string): boolean {
  return Array.isArray(actions) && actions.some((action) => isJsonObject(action) && action.extension === id);
}

async function pagesWith(app: App, id: string): Promise<string[]> {
  const { pages } = await findSiteRoutes(app);
  if (pages.size === 0) return [];
  const byTemplate = [...pages.values()].filter(({ template }) => template.startsWith(`ext/${id}/`));
  const filter = { middleware: { contains: `${id}:` } };
  const found = await listObjects(contextFor(app, system), pagesCollection, { filter, limit: String(maxPages) });
  const byStep = (JSON.parse(found.bytes.toString()) as JsonObject[]).map((page) => String(page.id));
  return [...new Set([...byTemplate.map((page) => page.id), ...byStep])].slice(0, maxPages);
}
