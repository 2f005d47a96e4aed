// Views of a collection that everybody sees: the query of a table's address, under a name. Pure.

import type { CollectionConfig, SavedView } from "#contract/collections.ts";
import { isJsonObject, type Json } from "#contract/json.ts";

const maxViews = 50;
const maxNameLength = 100;
const maxQueryLength = 4_000;

export function readViews(value: Json): { value: Json } | { problem: string } {
  if (!Array.isArray(value)) return { problem: "must be a list of {name, query}" };
  if (value.length > maxViews) return { problem: `must not have more than ${maxViews} views` };
  const views = new Map<string, SavedView>();
  for (const [at, entry] of value.entries()) {
    const view = readView(entry);
    if (typeof view === "string") return { problem: `${at}: ${view}` };
    if (views.has(view.name)) return { problem: `${at}: another view has the name of this one` };
    views.set(view.name, view);
  }
  return { value: [...views.values()] };
}

/** A text says what is wrong. */
function readView(entry: Json): SavedView | string {
  if (!isJsonObject(entry)) return "must be an object with name and query";
  const { name, query } = entry;
  if (typeof name !== "string" || name.trim() === "" || name.length > maxNameLength)
    return `name must be text of 1 to ${maxNameLength} characters`;
  if (typeof query !== "string" || query.length > maxQueryLength)
    return `query must be text of at most ${maxQueryLength} characters`;
  return { name: name.trim(), query };
}

/** Settings from before there were views may hold anything under this name. */
export function viewsOf({ views }: Pick<CollectionConfig, "views">): SavedView[] {
  const read = views === undefined ? undefined : readViews(views);
  return read && "value" in read ? (read.value as SavedView[]) : [];
}
