// Opens a property with files for callers that may change the object, and changes its value. The service vouches for such a
// change: the files that it names are in the store.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { openCollection, seesDrafts } from "#content/collections/open-collection.ts";
import type { ObjectKey } from "#content/file-removal.ts";
import { changeObject } from "#content/objects/change-object.ts";
import { removeUnnamed } from "#content/objects/dropped-files.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { complain, type PropertyTarget } from "#content/objects/properties.ts";
import { isDraft, noObject, storedDocument } from "#content/objects/stored-document.ts";
import type { Precondition } from "#content/preconditions.ts";
import { checkProperty } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { readFolder } from "#files/file-names.ts";
import { valueAt, withValueAt } from "#schemas/values/file-values.ts";
import { type FilePlace, type FileRef, findPlace } from "#schemas/values/resolve-file.ts";
import type { ObjectRow } from "#storage/tables/object-row.ts";
import { findObject } from "#storage/tables/objects.ts";

/** From the parts of an address. Fails for a path that would leave the property. */
export function fileRef({ collection, id, property }: PropertyTarget, path = ""): FileRef {
  return { collection, id, path: [property, ...readFolder(path)] };
}

/** A property with files, opened for changes. */
export interface OpenFiles extends FilePlace {
  collection: Collection;
  id: string;
}

/** For callers that may change the object. */
export async function openFiles(ctx: Context, { collection: collectionId, id, path }: FileRef): Promise<OpenFiles> {
  const [property = ""] = path;
  const collection = await openCollection(ctx, "update", collectionId, id);
  checkProperty(ctx, collectionId, property);
  const place = findPlace(collection.schema, path);
  if (place) return { collection, id, ...place };
  const first = collection.schema.properties.get(property);
  return first && !(first.item && path.length > 1)
    ? complain(property, "This property takes no files.")
    : noProperty(path);
}

export function noProperty(path: readonly string[]): never {
  fail("not-found", `There is no property "${path.join("/")}".`);
}

/** The object that the files belong to, as it is now. */
export async function getDocument(ctx: Context, files: OpenFiles): Promise<JsonObject> {
  const document = storedDocument(ctx, files.collection.schema, await getRow(ctx, objectOf(files)));
  checkItems(document, files.items);
  return document;
}

/** Drafts are not there for callers that only the public's rights let in. */
export async function getRow(ctx: Context, { collection, id }: ObjectKey): Promise<ObjectRow> {
  const row = await findObject(ctx.storage, collection, id);
  return row && (seesDrafts(ctx, "update", collection) || !isDraft(row)) ? row : noObject(collection, id);
}

function checkItems(document: JsonObject, items: string[][]): void {
  for (const path of items) {
    if (valueAt(document, path) === undefined) fail("not-found", `There is no deck item "${path.at(-1)}".`);
  }
}

export interface FilesChange extends Precondition {
  /** From the stored value to the new one; undefined removes it. May fail(). */
  next(value: Json | undefined): Json | undefined;
  /** From the paths of files and folders to their new ones: passwords go with them. */
  moved?: ReadonlyMap<string, string>;
}

export async function changeFiles(ctx: Context, files: OpenFiles, change: FilesChange): Promise<ObjectAnswer> {
  const { id, path, items } = files;
  // Looked up again: the schema may have changed while the files were sent.
  const collection = await getCollection(ctx, files.collection.id);
  return changeObject(
    ctx,
    { collection, id, ifMatch: change.ifMatch },
    {
      sent: {},
      hasFilesLock: true,
      change(current) {
        checkItems(current, items);
        const input = withValueAt(current, path, change.next(valueAt(current, path))) as JsonObject;
        const changed = new Set([path[0] as string]);
        return { input, changed, isOwn: true, ...(change.moved && { moved: change.moved }) };
      },
    },
  );
}

export function objectOf({ collection, id }: OpenFiles): ObjectKey {
  return { collection: collection.id, id };
}

/** The key below the object's of what is in the property under a path. */
export function keyOf({ path }: OpenFiles, rest: readonly string[]): string {
  return [...path, ...rest].join("/");
}

/** The whole key of a file; `below` is its key below the object's. */
export function wholeKey({ collection, id }: OpenFiles, below: string): string {
  return `${collection.id}/${id}/${below}`;
}

/** After a failure whose outcome may be unknown. */
export async function cleanUpAfterFailure(ctx: Context, files: OpenFiles, keys: readonly string[]): Promise<void> {
  const object = objectOf(files);
  try {
    await removeUnnamed(
      ctx,
      object,
      keys.map((key) => ({ key })),
    );
  } catch (error) {
    ctx.log.error({ err: error, ...object }, "files of a failed change were left behind");
  }
}
