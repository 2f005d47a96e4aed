// The collections of the sidebar, by category. Pure.

import type { AdminCollection } from "@contract/admin.ts";

/** Collections that have pages of their own, or stand in another group of the sidebar. */
const elsewhere = new Set(["auth", "automations", "dataviews", "mailer", "playground", "builder-pages", "mcp-prompt"]);

export interface Category {
  /** Empty for those without one, which come first. */
  name: string;
  collections: AdminCollection[];
}

/** The collections that hold content. */
export function contentCollections(collections: readonly AdminCollection[]): AdminCollection[] {
  return collections.filter(({ id }) => !elsewhere.has(id));
}

/** In the order of their names; `filter` keeps those whose name, id or category has it. */
export function byCategory(collections: readonly AdminCollection[], filter = ""): Category[] {
  const wanted = filter.trim().toLowerCase();
  const categories = new Map<string, AdminCollection[]>();
  for (const collection of collections) {
    const words = `${collection.name} ${collection.id} ${collection.category}`.toLowerCase();
    if (!words.includes(wanted)) continue;
    const list = categories.get(collection.category) ?? [];
    list.push(collection);
    categories.set(collection.category, list);
  }
  return [...categories]
    .map(([name, list]) => ({ name, collections: list }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
