// The order of a collection on the website where a page names none.

import type { Collection } from "#content/collections/collection.ts";

/** By id when its setting names a property that the schema has no more. */
export function usualSort({ settings, schema }: Pick<Collection, "settings" | "schema">): string {
  const { sortBy } = settings;
  return schema.properties.has(sortBy) || sortBy === "created" || sortBy === "modified" ? sortBy : "id";
}
