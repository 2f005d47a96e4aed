// Who made the last change of each object of a short list: one record of the log for each, found by key.

import { isAllowed } from "#access/allow.ts";
import type { Collection } from "#content/collections/collection.ts";
import { subjectOf } from "#content/collections/collection-cache.ts";
import { authorsOf } from "#content/history/entries.ts";
import { historyMode } from "#content/history/mode.ts";
import type { Context } from "#context.ts";
import type { FoundObject } from "#contract/admin.ts";
import { type ChangeRow, listObjectChanges } from "#storage/tables/history/changes.ts";
import { findDocument } from "#storage/tables/objects.ts";

/** Of objects that the caller may change, in collections that keep a history; the others stay as they are. */
export async function withAuthors(
  ctx: Context,
  collections: readonly Collection[],
  found: readonly FoundObject[],
): Promise<FoundObject[]> {
  const open = new Set(collections.filter((collection) => isTold(ctx, collection)).map(({ id }) => id));
  const rows = await Promise.all(
    found.map(({ collection, id }) => (open.has(collection) ? lastChange(ctx, collection, id) : undefined)),
  );
  const authors = await authorsOf(
    ctx.storage,
    rows.filter((row) => row !== undefined),
  );
  return found.map((object, at) => {
    const by = authors.get(rows[at]?.writer ?? 0);
    return by ? { ...object, by } : object;
  });
}

function isTold(ctx: Context, collection: Collection): boolean {
  const subject = { ...subjectOf(ctx, collection.id, collection.settings), publicOperations: [] };
  return historyMode(ctx, collection) !== "off" && isAllowed(ctx.actor, "update", subject);
}

async function lastChange({ storage }: Context, collection: string, id: string): Promise<ChangeRow | undefined> {
  const stored = await findDocument(storage, collection, id);
  return stored && (await listObjectChanges(storage, stored.rid, { limit: 1 }))[0];
}
