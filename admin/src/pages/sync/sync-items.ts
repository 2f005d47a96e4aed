// What the sync manager shows and sends: groups of compared items, the order for what is chosen, and what it will do. Pure.

import type { Comparison, ItemRef, Side, SyncCategory, SyncDirection, SyncRequest } from "@contract/transfer.ts";
import { syncCategories } from "@contract/transfer.ts";

const categoryOfCollection: { [collection: string]: SyncCategory } = {
  "builder-pages": "pages",
  dataviews: "dataviews",
  mailer: "mailer",
  "mcp-prompt": "mcp-prompts",
  automations: "automations",
};

/** Their objects are not seeded: users, features of the site, media, the scratchpad. */
const notSeeded = new Set([
  "auth",
  "image",
  "gallery",
  "file",
  "depot",
  "playground",
  ...Object.keys(categoryOfCollection),
]);

export function canSeed(collection: string): boolean {
  return !notSeeded.has(collection);
}

/** Undefined for objects that are seeded. */
export function categoryOf({ kind, collection = "" }: ItemRef): SyncCategory | undefined {
  if (kind === "redirect") return undefined;
  return kind === "object" ? categoryOfCollection[collection] : `${kind}s`;
}

/** The word for its kind; the key of the nouns. */
export function nounOf(
  item: ItemRef,
): Exclude<SyncCategory, "schemas" | "collections" | "templates"> | ItemRef["kind"] {
  const category = categoryOf(item);
  if (item.kind !== "object" || category === undefined) return item.kind;
  return category as Exclude<SyncCategory, "schemas" | "collections" | "templates">;
}

export function keyOf({ kind, collection = "", id }: ItemRef): string {
  return `${kind}/${collection}/${id}`;
}

export function receiverOf(direction: SyncDirection): Side {
  return direction === "push" ? "remote" : "local";
}

export interface Group {
  category: SyncCategory;
  items: Comparison[];
}

/** Without identical items, unless they are asked for. */
export function groupsOf(items: readonly Comparison[], withIdentical: boolean): Group[] {
  return syncCategories
    .map((category) => ({
      category,
      items: items.filter((item) => categoryOf(item) === category && (withIdentical || item.status !== "identical")),
    }))
    .filter((group) => group.items.length > 0);
}

/** What a transfer would change. */
export function isOffered({ status }: Comparison): boolean {
  return status === undefined || status === "new" || status === "differs";
}

/** The receiver has the newer copy. */
export function isOlder(item: Comparison, direction: SyncDirection): boolean {
  return item.status === "differs" && item.newer === receiverOf(direction);
}

export interface Outlook {
  created: Comparison[];
  replaced: Comparison[];
  skipped: Comparison[];
}

/** What will happen to the chosen items. */
export function outlookOf(
  items: readonly Comparison[],
  { direction, overwritesNewer }: { direction: SyncDirection; overwritesNewer: boolean },
): Outlook {
  const outlook: Outlook = { created: [], replaced: [], skipped: [] };
  for (const item of items) {
    if (item.status === "new") outlook.created.push(item);
    else if (isOlder(item, direction) && !overwritesNewer) outlook.skipped.push(item);
    else outlook.replaced.push(item);
  }
  return outlook;
}

/** The same for objects that are seeded. */
export function seedOutlook(items: readonly Comparison[], overwrites: boolean): Outlook {
  return {
    created: items.filter(({ status }) => status === "new"),
    replaced: overwrites ? items.filter(({ status }) => status === "differs") : [],
    skipped: overwrites ? [] : items.filter(({ status }) => status === "differs"),
  };
}

/** Undefined: there is nothing to send. */
export function orderOf(
  items: readonly ItemRef[],
  { seeds, overwrite, keepNewer }: { seeds: readonly string[]; overwrite: boolean; keepNewer: boolean },
): SyncRequest | undefined {
  if (items.length === 0 && seeds.length === 0) return undefined;
  const selection: { [category in SyncCategory]?: string[] } = {};
  for (const item of items) {
    const category = categoryOf(item);
    if (category) selection[category] = [...(selection[category] ?? []), item.id];
  }
  return {
    ...(items.length > 0 && { selection }),
    ...(seeds.length > 0 && { objects: [...seeds], overwrite }),
    ...(keepNewer && { keepNewer }),
  };
}
