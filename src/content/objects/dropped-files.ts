// Files that a change has taken out of an object. They are removed after the commit, under the lock of the object's files.

import { getCollection } from "#content/collections/collection-cache.ts";
import { type ObjectKey, removeFiles } from "#content/file-removal.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { filesIn } from "#schemas/values/file-values.ts";
import { findObject } from "#storage/tables/objects.ts";
import { storedDocument } from "./stored-document.ts";

/** The keys of files that the object had and has no longer. */
export function droppedFiles(schema: FlatSchema, before: JsonObject, after: JsonObject): string[] {
  const files = filesIn(schema, before);
  if (files.size === 0) return [];
  const kept = filesIn(schema, after);
  return [...files.keys()].filter((key) => !kept.has(key));
}

/** Until the lock is free another upload may bring a file of the same name: that one stays. */
export async function removeDropped(ctx: Context, object: ObjectKey, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await withObjectFilesLock(ctx, object, () => removeUnnamed(ctx, object, keys)).catch((error) => {
    ctx.log.error({ err: error, ...object }, "files that nothing names any more could not be removed");
  });
}

/** Removes those that the object does not name. For callers that have the lock. */
export async function removeUnnamed(ctx: Context, object: ObjectKey, keys: readonly string[]): Promise<void> {
  const row = await findObject(ctx.storage, object.collection, object.id);
  const schema = row && (await getCollection(ctx, object.collection)).schema;
  const named = schema && filesIn(schema, storedDocument(ctx, schema, row));
  await removeFiles(
    ctx,
    object,
    keys.filter((key) => !named?.has(key)),
  );
}
