// Detects changes of a collection by any process, for subscribers. Imports send no notices.

import { openCollection, seesDrafts } from "#content/collections/open-collection.ts";
import type { App, Context } from "#context.ts";
import { readLastChange } from "#storage/tables/collections.ts";
import { queryObjects } from "./lists.ts";

export interface CollectionChange {
  /** Different after each change. */
  mark: string;
  /** Milliseconds since 1970. */
  at: number;
  isImport: boolean;
}

/** Undefined: there is no such collection. */
export async function lastChange(app: Pick<App, "storage">, id: string): Promise<CollectionChange | undefined> {
  const change = await readLastChange(app.storage, id);
  if (!change) return undefined;
  const { count, totalObjects, writes, lastUpdated, imported } = change;
  const mark = `${lastUpdated} ${count} ${totalObjects} ${writes}`;
  return { mark, at: Date.parse(lastUpdated), isImport: imported === lastUpdated };
}

/**
 * For callers that must not learn of drafts: moves only with changes they can see.
 * Undefined: they see every change.
 */
export async function visibleMark(ctx: Context, id: string): Promise<string | undefined> {
  const { schema } = await openCollection(ctx, "read", id);
  if (!schema.properties.has("draft") || seesDrafts(ctx, "read", id)) return undefined;
  const { total, text } = await queryObjects(ctx, id, { sort: "-modified", limit: "1", include: "id,modified" });
  return `${total} ${text}`;
}
