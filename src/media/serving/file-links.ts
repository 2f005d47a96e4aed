// Links to protected files: a link opens the file until the password changes or the link expires.

import { parseDuration } from "#base/durations.ts";
import { fail } from "#base/errors.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { noObject } from "#content/objects/stored-document.ts";
import type { Context } from "#context.ts";
import { type FileRef, findEntry, listEntries, resolvePlace } from "#schemas/values/resolve-file.ts";
import { findServedObject } from "./file-owner-cache.ts";
import { isPasswordOf, lockOf, makePwd } from "./protection.ts";

export interface FileLink {
  pwd: string;
  /** Addresses from the site's root. */
  download: string;
  stream: string;
  /** The password opens the file; one that is set later may make it so. */
  isRight: boolean;
}

/** Without a name the link is for all files of the property. */
export async function makeFileLink(
  ctx: Context,
  target: FileRef,
  { password, expires }: { password: string; expires?: string | undefined },
): Promise<FileLink> {
  const collection = await openCollection(ctx, "update", target.collection, target.id);
  const object = (await findServedObject(ctx, collection, target.id)) ?? noObject(target.collection, target.id);
  const place = resolvePlace(collection.schema, object.document, target.path);
  const named = place && findEntry(place);
  const [first] = place ? listEntries(place) : [];
  const entry = named ?? (place?.rest.length === 0 ? first : undefined) ?? fail("not-found", "There is no such file.");
  const { groups } = collection.settings;
  const lock = lockOf({ ...target, groups }, entry, { secrets: object.secrets, isProtectedByDefault: true });
  const duration = expires === undefined ? undefined : (parseDuration(expires) ?? noDuration());
  const pwd = makePwd(ctx, target, {
    password,
    ...(duration !== undefined && { expires: ctx.clock.now() + duration }),
  });
  const address = [target.collection, target.id, ...target.path].map(encodeURIComponent).join("/");
  return {
    pwd,
    download: `/download/${address}?pwd=${pwd}`,
    stream: `/stream/${address}?pwd=${pwd}`,
    isRight: lock.hash === undefined || (await isPasswordOf(lock.hash, password)),
  };
}

function noDuration(): never {
  fail("invalid", "The end of the link is a duration such as P7D or PT12H.", { expires: ["must be a duration"] });
}
