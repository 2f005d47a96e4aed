// Resources: a collection as its newest summaries, an object by its id, and what other features offer (providers).
// A collection is offered only when its card says so, and only to callers that may read it.

import { isAllowed } from "#access/allow.ts";
import { CairnError } from "#base/errors.ts";
import { isObjectId } from "#base/ids.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection, listOpenCollections, subjectOf } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { getObject } from "#content/objects/objects.ts";
import { queryObjects } from "#content/query/lists.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { recordActivity } from "./activity.ts";
import { extensionResources, readExtensionResource } from "./extension-offers.ts";
import { plainLine } from "./names.ts";
import { resourceProviders } from "./providers.ts";
import { pageCap } from "./reading/json-schemas.ts";
import { summariesOf } from "./reading/pages.ts";
import { fitting, presentAnswer } from "./reading/present.ts";
import { mimeType, type Resource, type ResourceContents, type ResourceTemplate, scheme } from "./resource.ts";
import { describeCollection } from "./tools/collections.ts";
import { itemsToFit } from "./transport/budget.ts";

const maxUri = 500;

export interface Address {
  place: string;
  /** Empty: the place itself. */
  id: string;
}

/** Only the one spelling: no escapes, no dots, no query. */
export function readUri(uri: string): Address | undefined {
  if (uri.length > maxUri || !uri.startsWith(scheme)) return undefined;
  const [place = "", id, ...rest] = uri.slice(scheme.length).split("/");
  if (id === undefined || rest.length > 0 || !isObjectId(place) || (id !== "" && !isObjectId(id))) return undefined;
  return { place, id };
}

function isPublished({ settings }: Collection): boolean {
  return settings.mcp.resource === true;
}

export async function listResources(ctx: Context): Promise<Resource[]> {
  const collections = (await listOpenCollections(ctx, "read")).filter(isPublished).map(({ id, settings }) => ({
    uri: `${scheme}${id}/`,
    name: id,
    title: plainLine(settings.name, 200),
    description: describeCollection(settings),
    mimeType,
  }));
  const others = await Promise.all(resourceProviders.map((provider) => provider.list(ctx)));
  return [...collections, ...others.flat(), ...(await extensionResources(ctx)).fixed];
}

export async function listResourceTemplates(ctx: Context): Promise<ResourceTemplate[]> {
  const { templates } = await extensionResources(ctx);
  if (!(await listOpenCollections(ctx, "read")).some(isPublished)) return templates;
  return [
    {
      uriTemplate: `${scheme}{collection}/{id}`,
      name: "object",
      title: "Object",
      description: "One object of a collection that is a resource.",
      mimeType,
    },
    ...templates,
  ];
}

/** Undefined: unknown, or not for this caller; callers cannot distinguish the two. */
export async function readResource(ctx: Context, uri: string): Promise<ResourceContents | undefined> {
  const start = performance.now();
  const text = await findContent(ctx, uri);
  const contents = text === undefined ? await readOther(ctx, uri) : { uri, mimeType, text };
  const error = contents === undefined ? "not-found" : undefined;
  const durationMs = performance.now() - start;
  recordActivity(ctx, { method: "resources/read", name: uri, args: {}, durationMs, error });
  return contents;
}

async function findContent(ctx: Context, uri: string): Promise<string | undefined> {
  const address = readUri(uri);
  if (!address) return undefined;
  const provider = resourceProviders.find(({ word }) => word === address.place);
  try {
    if (provider) {
      const data = address.id === "" ? undefined : await provider.read(ctx, address.id);
      return data && fitting(data).text;
    }
    const collection = await openCollection(ctx, "read", address.place);
    if (!isPublished(collection)) return undefined;
    return address.id === ""
      ? await recentText(ctx, collection)
      : presentAnswer(ctx, collection, await getObject(ctx, collection.id, address.id), "markdown").text;
  } catch (error) {
    if (error instanceof CairnError && error.status < 500) return undefined;
    throw error;
  }
}

async function readOther(ctx: Context, uri: string): Promise<ResourceContents | undefined> {
  if (uri.length > maxUri) return undefined;
  try {
    return await readExtensionResource(ctx, uri);
  } catch (error) {
    if (error instanceof CairnError && error.status < 500) return undefined;
    throw error;
  }
}

async function recentText(ctx: Context, collection: Collection): Promise<string> {
  const answer = await queryObjects(ctx, collection.id, { sort: "-created", limit: String(pageCap) });
  const entries = JSON.parse(answer.text) as JsonObject[];
  const items = itemsToFit(summariesOf(ctx, collection, entries, "markdown"));
  const { id, settings } = collection;
  return JSON.stringify({ collection: id, description: describeCollection(settings), total: answer.total, items });
}

/** Collections and what providers list can be followed; single objects cannot. Asked for every receiver of a notice. */
export async function canSubscribe(ctx: Context, uri: string): Promise<boolean> {
  const address = readUri(uri);
  if (!address) return false;
  const provider = resourceProviders.find(({ word }) => word === address.place);
  if (provider) return (await provider.list(ctx)).some((resource) => resource.uri === uri);
  if (address.id !== "") return false;
  const found = await findCollection(ctx, address.place);
  return (
    found !== undefined && isPublished(found) && isAllowed(ctx.actor, "read", subjectOf(ctx, found.id, found.settings))
  );
}
