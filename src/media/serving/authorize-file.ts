// The file that an address means, and who may see it: one verdict for download, stream and imageworks.
// Who may not read the object learns nothing of what there is, but for files that wait for a password.

import { isPublishedKey } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import { CairnError, fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { catchUp } from "#content/read-barrier.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import type { Property } from "#schemas/types.ts";
import type { FileEntry } from "#schemas/values/resolve-file.ts";
import { findServedObject, forgetServedObject, type ServedObject } from "./file-owner-cache.ts";
import { isMarked, isOpenToAll, lockIn, mayUpdate } from "./file-rights.ts";
import { hasPass, isLocked, isMember, type Lock, opens, type Pass } from "./protection.ts";

export interface ObjectFiles {
  collection: string;
  id: string;
  pass: Pass;
}

export interface Located {
  entry: FileEntry;
  property: Property;
  /** Of an upload of the editor, which no value describes. */
  uploadMime?: string;
}

/** Finds a file of the object; who may see it is decided afterwards. */
export type Locate<T extends Located> = (
  collection: Collection,
  object: ServedObject,
) => T | undefined | Promise<T | undefined>;

export type Found<T extends Located = Located> = T & {
  key: string;
  rid: number;
  /** Of the field, as they hold for this object. */
  settings: JsonObject;
  lock: Lock;
  /** Everybody may see it, so shared caches may keep it. */
  isShared: boolean;
  /** The field has a watermark, and the caller may not change the object: the stored bytes are not for them. */
  isForEditors: boolean;
};

/** Throws not-found; for those who may not know, unauthenticated or forbidden. */
export async function findFile<T extends Located>(
  ctx: Context,
  target: ObjectFiles,
  locate: Locate<T>,
): Promise<Found<T>> {
  const { actor } = ctx;
  const heard = catchUp(ctx);
  if (heard !== undefined) await heard;
  const collection = await findCollection(ctx, target.collection);
  // By a right of their own, not only because the public may.
  const hasRight = isAllowed(actor, "read", {
    kind: "objects",
    collection: target.collection,
    publicOperations: [],
    id: target.id,
  });
  const isOpen = collection !== undefined && isOpenToAll(collection);
  const sees = hasRight || isOpen;
  const found = collection && (await look(ctx, collection, { ...target, hasRight, isOpen }, locate));
  if (!found && sees) return noFile();
  // Who is in a group that gets protected files gets them, whatever else they may read.
  if (found && (sees || found.lock.groups.length > 0) && (await isMember(ctx, found.lock, hasRight))) return found;
  if (found && (await opens(ctx, found.lock, target.pass))) return found;
  if (actor.kind === "key" && !hasRight) fail("invalid-key");
  const isMembersOnly = (collection?.settings.groups.length ?? 0) > 0;
  if (hasPass(target.pass) || found?.lock.hash !== undefined) return fail("password-required");
  return fail(actor.kind !== "anonymous" || sees || isMembersOnly ? "forbidden" : "unauthenticated");
}

/** Finds and opens; what is replaced, renamed or moved in between is found anew. */
export async function findAndOpen<T extends Located, O>(
  ctx: Context,
  target: ObjectFiles,
  locate: Locate<T>,
  open: (found: Found<T>) => Promise<O>,
): Promise<O> {
  for (let tries = 0; ; tries += 1) {
    const found = await findFile(ctx, target, locate);
    try {
      return await open(found);
    } catch (error) {
      if (tries === 3 || !(error instanceof CairnError) || error.word !== "not-found") throw error;
      const collection = await findCollection(ctx, target.collection);
      if (collection) forgetServedObject(ctx, collection, target.id);
    }
  }
}

async function look<T extends Located>(
  ctx: Context,
  collection: Collection,
  { id, hasRight, isOpen }: { id: string; hasRight: boolean; isOpen: boolean },
  locate: Locate<T>,
): Promise<Found<T> | undefined> {
  const object = await findServedObject(ctx, collection, id);
  if (!object || (object.isDraft && (!hasRight || isPublishedKey(ctx.actor)))) return undefined;
  const located = await locate(collection, object);
  if (!located) return undefined;
  const { entry, property } = located;
  const settings = fieldSettings(collection.settings, id, property);
  const lock = lockIn(collection, { id, secrets: object.secrets, settings }, located);
  const isShared = isOpen && !object.isDraft && !isLocked(lock) && isForCaches(collection, located);
  const key = [collection.id, id, ...entry.stored].join("/");
  const isForEditors = isMarked(ctx, located, settings) && !mayUpdate(ctx, collection, id);
  return { ...located, key, rid: object.rid, settings, lock, isShared, isForEditors };
}

/** Files and depots that the public may read with their objects are for whoever asks, but not for caches on the way. */
function isForCaches({ settings }: Collection, { property, uploadMime = "" }: Located): boolean {
  const { type } = property.kind;
  return settings.publicFiles === true || type === "image" || type === "gallery" || uploadMime.startsWith("image/");
}

function noFile(): never {
  fail("not-found", "There is no such file.");
}
