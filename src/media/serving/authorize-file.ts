// Access to a file: one verdict for download, stream and imageworks. A request goes three steps: find the owner of the file
// (findOwner), find the file in it (the caller), judge (authorizeFile). Callers that may not read the object learn nothing of
// what there is, except that a file waits for a password.

import { isPublishedKey } from "#access/actor.ts";
import { isAllowed } from "#access/allow.ts";
import { CairnError, fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import type { ObjectKey } from "#content/file-removal.ts";
import { catchUp } from "#content/read-barrier.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import type { FileEntry } from "#schemas/values/resolve-file.ts";
import { findServedObject, forgetServedObject, type ServedObject } from "./file-owner-cache.ts";
import { isMarked, isOpenToAll, lockIn, mayUpdate } from "./file-rights.ts";
import { hasPass, isLocked, isMember, type Lock, opens, type Pass } from "./protection.ts";

/** The object that a file belongs to, as the caller may know it. */
export interface FileOwner {
  id: string;
  collection: Collection | undefined;
  /** Undefined: there is none, or it is a draft that the caller may not see. */
  object: ServedObject | undefined;
  /** The caller may read it by a right of their own, not only because the public may. */
  hasRight: boolean;
  /** Everybody may have files of the collection that nothing locks. */
  isOpen: boolean;
}

/** A file that the caller may have. */
export interface ServedFile {
  entry: FileEntry;
  key: string;
  collection: string;
  rid: number;
  /** Of the field, as they hold for this object. */
  settings: JsonObject;
  lock: Lock;
  /** Everybody may see it, so shared caches may keep it. */
  isShared: boolean;
  /** The field has a watermark, and the caller may not change the object: the stored bytes are not for them. */
  isForEditors: boolean;
}

/** `seesDraft`: of this object, beyond the caller's rights: by a preview of the site. */
export async function findOwner(
  ctx: Context,
  { collection: collectionId, id }: ObjectKey,
  seesDraft = false,
): Promise<FileOwner> {
  const { actor } = ctx;
  const caughtUp = catchUp(ctx);
  if (caughtUp !== undefined) await caughtUp;
  const collection = await findCollection(ctx, collectionId);
  const hasRight = isAllowed(actor, "read", { kind: "objects", collection: collectionId, publicOperations: [], id });
  const isOpen = collection !== undefined && isOpenToAll(collection);
  const object = collection && (await findServedObject(ctx, collection, id));
  const isHidden = object?.isDraft === true && !seesDraft && (!hasRight || isPublishedKey(actor));
  return { id, collection, object: isHidden ? undefined : object, hasRight, isOpen };
}

/** `entry`: what was found in the owner. Throws not-found; for callers that may not know, unauthenticated or forbidden. */
export async function authorizeFile(
  ctx: Context,
  owner: FileOwner,
  entry: FileEntry | undefined,
  pass: Pass,
): Promise<ServedFile> {
  const { actor } = ctx;
  const { collection, hasRight, isOpen } = owner;
  const sees = hasRight || isOpen;
  const file = entry && describe(ctx, owner, entry);
  if (!file && sees) return noFile();
  // Members of a group that gets protected files get them, whatever else they may read.
  if (file && (sees || file.lock.groups.length > 0) && (await isMember(ctx, file.lock, hasRight))) return file;
  if (file && (await opens(ctx, file.lock, pass))) return file;
  if (actor.kind === "key" && !hasRight) fail("invalid-key");
  const isMembersOnly = (collection?.settings.groups.length ?? 0) > 0;
  if (hasPass(pass) || file?.lock.hash !== undefined) return fail("password-required");
  return fail(actor.kind !== "anonymous" || sees || isMembersOnly ? "forbidden" : "unauthenticated");
}

function describe(
  ctx: Context,
  { id, collection, object, isOpen }: FileOwner,
  entry: FileEntry,
): ServedFile | undefined {
  if (!collection || !object) return undefined;
  const settings = fieldSettings(collection.settings, id, entry.property);
  const lock = lockIn(collection, { id, secrets: object.secrets, settings }, entry);
  return {
    entry,
    key: [collection.id, id, ...entry.stored].join("/"),
    collection: collection.id,
    rid: object.rid,
    settings,
    lock,
    isShared: isOpen && !object.isDraft && !isLocked(lock) && isForCaches(collection, entry),
    isForEditors: isMarked(ctx, entry, settings) && !mayUpdate(ctx, collection, id),
  };
}

/** Files and depots that the public may read with their objects are for every caller, but not for caches on the way. */
function isForCaches({ settings }: Collection, { property, uploadMime = "" }: FileEntry): boolean {
  const { type } = property.kind;
  return settings.publicFiles === true || type === "image" || type === "gallery" || uploadMime.startsWith("image/");
}

const maxTries = 4;

/**
 * After an authorized file could not be opened. A file that was replaced, renamed or moved in between is not there any more:
 * then the owner is forgotten and the caller looks again. Any other error is thrown, and the last one.
 */
export function lookAgain(ctx: Context, { collection, id }: FileOwner, error: unknown, tries: number): void {
  if (tries >= maxTries || !(error instanceof CairnError) || error.word !== "not-found") throw error;
  if (collection) forgetServedObject(ctx, collection, id);
}

function noFile(): never {
  fail("not-found", "There is no such file.");
}
