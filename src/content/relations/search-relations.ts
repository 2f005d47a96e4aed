// `filter[author][search]=ada`: objects by the words of what they refer to. The words are looked for in the collection of the
// relation, by the caller's rights; the best matches stand in the filter as ids. So a list costs a search more, and no index
// holds words of other objects (decision 031).

import type { Collection } from "#content/collections/collection.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { isFilterText, isNested } from "#content/query/filter-groups.ts";
import { findEntries } from "#content/query/lists.ts";
import { checkText, type Params, refuse, shown } from "#content/query/parameters.ts";
import type { Context } from "#context.ts";
import { relationsOf } from "#schemas/relations.ts";
import { findReadable, shownSchema } from "./expand-plan.ts";

const maxSearches = 3;
/** As many as a filter takes. */
const maxFound = 100;
/** No object has this id. */
const nothing = "-";

/** The same parameters where no relation is searched. */
export async function searchRelations(ctx: Context, collectionId: string, params: Params): Promise<Params> {
  const { filter } = params;
  if (filter === undefined || !mentionsSearch(filter)) return params;
  const root = isFilterText(filter) ? parsed(String(filter)) : filter;
  if (!isNested(root)) return params;
  const collection = await openCollection(ctx, "read", collectionId);
  return { ...params, filter: await groupOf({ ctx, collection, count: 0 }, root) };
}

function mentionsSearch(filter: unknown): boolean {
  return (typeof filter === "string" ? filter : JSON.stringify(filter)).includes('search"');
}

/** What is no JSON is refused where filters are read. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Searching {
  ctx: Context;
  collection: Collection;
  count: number;
}

/** Groups, lists of groups and conditions, as they were but for searches. Their form is checked where filters are read. */
async function groupOf(searching: Searching, group: Record<string, unknown>, depth = 0): Promise<object> {
  const made: Record<string, unknown> = {};
  for (const [name, asked] of Object.entries(group)) made[name] = await partOf(searching, name, { asked, depth });
  return made;
}

async function partOf(
  searching: Searching,
  name: string,
  { asked, depth }: { asked: unknown; depth: number },
): Promise<unknown> {
  // Deeper than any filter may be.
  if (depth > 12) return asked;
  if (Array.isArray(asked)) {
    const parts: unknown[] = [];
    for (const one of asked) parts.push(isNested(one) ? await groupOf(searching, one, depth + 1) : one);
    return parts;
  }
  if (!isNested(asked)) return asked;
  const relation = Object.hasOwn(asked, "search") ? findRelation(searching, name) : undefined;
  if (!relation) return groupOf(searching, asked, depth + 1);
  const { search, ...others } = asked;
  if (others.in !== undefined) refuse("filter", `Ask for search or for in of ${shown(name)}, not for both.`);
  searching.count += 1;
  if (searching.count > maxSearches) refuse("filter", `At most ${maxSearches} relations can be searched at once.`);
  return { ...others, in: await findIds(searching.ctx, relation.target, checkText("filter", search)) };
}

function findRelation({ ctx, collection }: Searching, name: string) {
  return relationsOf(shownSchema(ctx, collection)).find((relation) => relation.name === name);
}

async function findIds(ctx: Context, target: string, search: string): Promise<string[]> {
  if (search.trim() === "") refuse("filter", "search needs at least one word.");
  const found = await findReadable(ctx, target);
  if (!found || found.reach === "own") return [nothing];
  const entries = await findEntries(ctx, found.target, { search, include: "id", limit: String(maxFound) });
  return entries.length === 0 ? [nothing] : entries.map(({ id }) => String(id));
}
