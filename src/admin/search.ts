// Search over all collections that the caller may read, and what was changed last in them.
// Both ask each collection by its own index, with the time limit of one query for the whole request. A collection that is
// empty is not asked.

import { parseDuration } from "#base/durations.ts";
import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { listOpenCollections } from "#content/collections/collection-cache.ts";
import { findEntries } from "#content/query/lists.ts";
import { type Params, refuse } from "#content/query/parameters.ts";
import { anyOf, searchEach } from "#content/query/search-everywhere.ts";
import type { Context } from "#context.ts";
import type { FoundObject } from "#contract/admin.ts";
import { listCounters } from "#storage/tables/collections.ts";
import { withAuthors } from "./recent-authors.ts";
import { presentFound, shownProperties } from "./titles.ts";

/** Collections that `findRecent` looks into: those that changed last. */
const mostAsked = 100;
const askedAtOnce = 2;
const maxQueryLength = 1_000;

export interface SearchRequest {
  query: string;
  limit: number;
  /** Only these; undefined: all that the caller may read. */
  collections?: string[] | undefined;
}

/** When no object has all the words, those that have any of them. */
export async function searchEverywhere(ctx: Context, request: SearchRequest): Promise<FoundObject[]> {
  refuseStrangers(ctx);
  const { query, limit, collections: named } = request;
  if (query.length > maxQueryLength) refuse("q", `q must not be longer than ${maxQueryLength} characters.`);
  const collections = await filledCollections(ctx, named);
  const deadline = createDeadline(ctx);
  const find = (search: string) =>
    searchEach(collections, async (collection) => {
      deadline.check();
      return findIn(ctx, collection, { search, limit: String(limit) });
    });
  const all = await find(query);
  const alternatives = all.length === 0 ? anyOf(query) : undefined;
  return (alternatives === undefined ? all : await find(alternatives)).slice(0, limit);
}

/**
 * Newest first. A collection knows when it last changed: once enough objects are found that are newer than that, it and all
 * after it are left out.
 */
export async function findRecent(ctx: Context, limit: number): Promise<FoundObject[]> {
  refuseStrangers(ctx);
  const collections = await filledCollections(ctx);
  const counters = await listCounters(ctx.storage);
  const changed = ({ id }: Collection) => counters.get(id)?.lastUpdated ?? "";
  const waiting = collections.sort((a, b) => newer(changed(a), changed(b))).slice(0, mostAsked);
  const deadline = createDeadline(ctx);
  let found: FoundObject[] = [];
  while (waiting.length > 0) {
    const oldest = found.length < limit ? "" : (found.at(-1)?.modified ?? "");
    const next = waiting.splice(0, askedAtOnce).filter((collection) => changed(collection) >= oldest);
    if (next.length === 0) break;
    deadline.check();
    const pages = await Promise.all(
      next.map((collection) => findIn(ctx, collection, { sort: "-modified", limit: String(limit) })),
    );
    found = [...found, ...pages.flat()].sort((a, b) => newer(a.modified, b.modified)).slice(0, limit);
  }
  return withAuthors(ctx, collections, found);
}

/** The public searches in one collection at a time. */
function refuseStrangers({ actor }: Context): void {
  if (actor.kind === "anonymous") fail("unauthenticated");
}

async function findIn(ctx: Context, collection: Collection, params: Params): Promise<FoundObject[]> {
  const include = shownProperties(collection.schema).join(",");
  const entries = await findEntries(ctx, collection, { ...params, include });
  return entries.map((entry) => presentFound(collection, entry));
}

function newer(a: string, b: string): number {
  return a === b ? 0 : a > b ? -1 : 1;
}

async function filledCollections(ctx: Context, named?: string[]): Promise<Collection[]> {
  const open = await listOpenCollections(ctx, "read");
  const missing = named?.find((id) => !open.some((collection) => collection.id === id));
  if (missing !== undefined) refuse("collections", `There is no collection "${missing}" that you may read.`);
  const counters = await listCounters(ctx.storage);
  return open.filter(({ id }) => (!named || named.includes(id)) && (counters.get(id)?.totalObjects ?? 0) > 0);
}

/** Each query has its own time limit; all of one request together have the same. */
function createDeadline({ settings, clock }: Context): { check(): void } {
  const ms = parseDuration(settings.get("queryTimeout")) ?? 0;
  const end = ms === 0 ? Number.POSITIVE_INFINITY : clock.now() + ms;
  return {
    check() {
      if (clock.now() > end)
        fail("query-too-long", "The search took too long. Name the collections to search in with `collections`.");
    },
  };
}
