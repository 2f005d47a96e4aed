// Links to protected files: a link opens the file until the password changes or the link expires. It opens it for everybody
// who has it, so only callers that may fetch the file make one.

import { allowTarget } from "#access/allow.ts";
import { parseDuration } from "#base/durations.ts";
import { fail } from "#base/errors.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { noObject } from "#content/objects/stored-document.ts";
import type { Context } from "#context.ts";
import type { FileLink } from "#contract/admin.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { type FileRef, listEntries, resolvePlace } from "#schemas/values/resolve-file.ts";
import { findServedObject } from "./file-owner-cache.ts";
import { readFileRef } from "./file-refs.ts";
import { fileRights, lockIn, mayFetch } from "./file-rights.ts";
import { isPasswordOf, makePwd } from "./protection.ts";

/** The body is a `FileLinkRequest`. */
export async function requestFileLink(ctx: Context, sent: Json): Promise<FileLink> {
  if (ctx.actor.kind === "anonymous") fail("unauthenticated");
  const target = readFileRef(sent);
  allowTarget(ctx, target.collection);
  const { password, expires } = isJsonObject(sent) ? sent : {};
  if (typeof password !== "string" || password === "")
    return fail("invalid", "The body needs the password of the file.", { password: ["is required"] });
  if (expires !== undefined && expires !== null && typeof expires !== "string") return noDuration();
  return makeFileLink(ctx, target, { password, expires: expires ?? undefined });
}

/** For a file, or for all files of a folder or property. */
export async function makeFileLink(
  ctx: Context,
  target: FileRef,
  { password, expires }: { password: string; expires?: string | undefined },
): Promise<FileLink> {
  const collection = await openCollection(ctx, "update", target.collection, target.id);
  const rights = await fileRights(ctx, collection, target.id);
  const object = (await findServedObject(ctx, collection, target.id)) ?? noObject(target.collection, target.id);
  const place = resolvePlace(collection.schema, object.document, target.path);
  const locks = (place ? listEntries(place) : [])
    .filter(({ path }) => target.path.every((name, at) => path[at] === name))
    .map((entry) => {
      const settings = fieldSettings(collection.settings, target.id, entry.property);
      return lockIn(collection, { id: target.id, secrets: object.secrets, settings }, entry);
    });
  const [lock = fail("not-found", "There is no such file.")] = locks;
  if (!rights.isAdmin && !(rights.mayUpdateByRight && locks.every((one) => mayFetch(rights, one)))) {
    fail("forbidden", "A link to a file is made only by callers who may fetch the file.");
  }
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
