// The collection that a record of the log belongs to. A collection that was deleted has another one of its id in its place at
// most: what the log has of the former one is not shown with the rights for the new one.

import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import type { App } from "#context.ts";
import { isOwnNumber } from "#storage/log/own-numbers.ts";
import type { ChangeRow } from "#storage/tables/history/changes.ts";

/** Undefined: it is gone, whatever has its id now. */
export async function findHolder(
  app: App,
  { collection: id, rid }: Pick<ChangeRow, "collection" | "rid">,
): Promise<Collection | undefined> {
  const found = await findStored(app, id);
  return found && isOwnNumber(found.numbers, rid) ? found : undefined;
}

/** A reserved collection that nobody has written to is not there. */
export async function findStored(app: App, id: string): Promise<Collection | undefined> {
  const found = await findCollection(app, id);
  return found?.isVirtual ? undefined : found;
}
