// Whether a caller may have the stored bytes of a file, for operations that are about more than one: a clone, a change of
// protection. Routes that send one file ask authorize-file.ts, which also takes passwords.

import { isInGroup } from "#access/accounts.ts";
import { isAdminPersona } from "#access/actor.ts";
import { hasCredentialFor, isAllowed } from "#access/allow.ts";
import { hasWatermarks } from "#access/edition.ts";
import { adminOnlyCollections } from "#access/permissions.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { App, Context } from "#context.ts";
import type { Operation } from "#contract/collections.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { FileEntry } from "#schemas/values/resolve-file.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { type Lock, lockOf } from "./protection.ts";

/** Of one caller, for the files of one object. */
export interface FileRights {
  isAdmin: boolean;
  /** May read the object by a right of their own, not only because the public may. */
  hasRight: boolean;
  /** Everybody may have files that nothing locks. */
  isOpen: boolean;
  /** In a group that gets protected files. */
  isInGroups: boolean;
  mayUpdate: boolean;
  /** By a right of their own. */
  mayUpdateByRight: boolean;
}

export async function fileRights(ctx: Context, collection: Collection, id: string): Promise<FileRights> {
  const { actor } = ctx;
  const { groups } = collection.settings;
  return {
    isAdmin: isAdminPersona(actor),
    hasRight: mayByRight(ctx, "read", collection, id),
    isOpen: isOpenToAll(collection),
    isInGroups: groups.length > 0 && (await isInGroup(ctx, actor, groups)),
    mayUpdate: mayUpdate(ctx, collection, id),
    mayUpdateByRight: mayByRight(ctx, "update", collection, id),
  };
}

/** Without a password: such an operation takes none. */
export function mayFetch(rights: FileRights, { hash, groups }: Lock): boolean {
  const { isAdmin, hasRight, isOpen, isInGroups } = rights;
  if (isAdmin) return true;
  if (hash !== undefined && !hasRight) return false;
  return groups.length > 0 ? isInGroups : hasRight || isOpen;
}

export function isOpenToAll({ id, settings }: Collection): boolean {
  return !adminOnlyCollections.has(id) && (settings.publicFiles ?? settings.publicOperations.includes("read"));
}

export function mayUpdate({ actor }: Context, { id: collection, settings }: Collection, id: string): boolean {
  const { publicOperations } = settings;
  // A key or token for reading alone changes nothing, whatever it is allowed.
  return (
    hasCredentialFor(actor, "update") &&
    isAllowed(actor, "update", { kind: "objects", collection, publicOperations, id })
  );
}

function mayByRight({ actor }: Context, operation: Operation, { id: collection }: Collection, id: string): boolean {
  return isAllowed(actor, operation, { kind: "objects", collection, publicOperations: [], id });
}

/** `settings`: of the field, as they hold for this object. */
export function lockIn(
  { id: collection, settings: { groups } }: Collection,
  { id, secrets, settings }: { id: string; secrets: ObjectSecrets; settings: JsonObject },
  entry: FileEntry,
): Lock {
  const isProtected = isProtectedByDefault(entry, settings);
  return lockOf({ collection, id, groups }, entry, { secrets, isProtectedByDefault: isProtected });
}

/** Uploads of the editor are judged by their type, not by the route. */
export function isProtectedByDefault(
  { property, uploadMime }: Pick<FileEntry, "property" | "uploadMime">,
  settings: JsonObject,
): boolean {
  const { type } = property.kind;
  if (uploadMime === undefined) {
    return (type === "file" || type === "depot") && settings.protectedByCollection !== false;
  }
  if (uploadMime.startsWith("image/")) return false;
  const isMedia = uploadMime.startsWith("video/") || uploadMime.startsWith("audio/");
  return settings[isMedia ? "videoProtectedByCollection" : "fileProtectedByCollection"] === true;
}

/** A picture that is shown with the field's watermark: its stored bytes, which have none, are for callers that may change it. */
export function isMarked(
  app: Pick<App, "settings">,
  { value, uploadMime }: Pick<FileEntry, "value" | "uploadMime">,
  { watermark }: JsonObject,
): boolean {
  if (!isJsonObject(watermark) || (watermark.mark === undefined && watermark.marktext === undefined)) return false;
  return String(uploadMime ?? value.mime).startsWith("image/") && hasWatermarks(app);
}
