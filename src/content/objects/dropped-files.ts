// Files that a change has taken out of an object. They are taken away after the commit, under the lock of the object's files.

import { getCollection } from "#content/collections/collection-cache.ts";
import { type DroppedFile, type ObjectKey, removeFiles } from "#content/file-removal.ts";
import { contentOf, isLocked, placeOf } from "#content/history/attic.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import type { App, Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { filesIn } from "#schemas/values/file-values.ts";
import { findObject } from "#storage/tables/objects.ts";
import type { ObjectState } from "./change.ts";
import { storedDocument } from "./stored-document.ts";

/** The files that the object had and has no longer. `rid`: its number, where they are kept. */
export function droppedFiles(
  schema: FlatSchema,
  { before, after, rid }: { before: ObjectState; after: JsonObject; rid: number | undefined },
): DroppedFile[] {
  const files = filesIn(schema, before.document);
  if (files.size === 0) return [];
  const kept = filesIn(schema, after);
  const dropped = [...files].filter(([key]) => !kept.has(key));
  if (rid === undefined || dropped.length === 0) return dropped.map(([key]) => ({ key }));
  const contents = new Set([...kept.values()].map(contentOf));
  // One that is there under another name needs no second place.
  return dropped.map(([key, file]) =>
    contents.has(contentOf(file)) ? { key } : { key, at: placeOf(rid, file, isLocked(before.secrets, file)) },
  );
}

/** Until the lock is free another upload may bring a file of the same name: that one stays. */
export async function removeDropped(ctx: Context, object: ObjectKey, dropped: readonly DroppedFile[]): Promise<void> {
  if (dropped.length === 0) return;
  await withObjectFilesLock(ctx, object, () => removeUnnamed(ctx, object, dropped)).catch((error) => {
    ctx.log.error({ err: error, ...object }, "files that nothing names any more could not be removed");
  });
}

/** Takes away those that the object does not name. For callers that have the lock. */
export async function removeUnnamed(ctx: App, object: ObjectKey, dropped: readonly DroppedFile[]): Promise<void> {
  if (dropped.length === 0) return;
  const row = await findObject(ctx.storage, object.collection, object.id);
  const schema = row && (await getCollection(ctx, object.collection)).schema;
  const named = schema && filesIn(schema, storedDocument(ctx, schema, row));
  await removeFiles(
    ctx,
    object,
    dropped.filter(({ key }) => !named?.has(key)),
  );
}
