// The files of a property: deleted, moved, and the images derived from them cleared. The row changes before a file goes, and
// after a copy is made: it never names a file that is not there.

import { fail } from "#base/errors.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { openProperty } from "#content/objects/properties.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import { readFolder } from "#files/file-names.ts";
import { clearImages } from "#files/image-cache.ts";
import { findInDepot, removeEntry } from "#schemas/values/depot-tree.ts";
import { listOf } from "#schemas/values/file-values.ts";
import { type FileRef, type FilledPlace, findEntry, listEntries, resolvePlace } from "#schemas/values/resolve-file.ts";
import {
  changeFiles,
  cleanUpAfterFailure,
  type FilesChange,
  getRow,
  type OpenFiles,
  objectOf,
  openFiles,
  wholeKey,
} from "./open-files.ts";

/** Copies files and names the copies; the originals are deleted with the change of the row. */
export async function relocate(
  ctx: Context,
  files: OpenFiles,
  pairs: readonly (readonly [from: string, to: string])[],
  change: FilesChange,
): Promise<ObjectAnswer> {
  const copied: string[] = [];
  try {
    for (const [from, to] of pairs) {
      copied.push(to);
      await ctx.files.copy(wholeKey(files, from), wholeKey(files, to));
    }
    return await changeFiles(ctx, files, change);
  } catch (error) {
    await cleanUpAfterFailure(ctx, files, copied);
    throw error;
  }
}

export interface FileChoice extends Precondition {
  /** The folder of a depot that the path starts in. */
  folder?: string | undefined;
}

/** One file of a list, a folder with everything in it, or the file of a child. */
export async function deleteFile(
  ctx: Context,
  ref: FileRef,
  { folder = "", ifMatch }: FileChoice = {},
): Promise<ObjectAnswer> {
  const files = await openFiles(ctx, ref);
  const path = [...readFolder(folder), ...files.rest];
  return withObjectFilesLock(ctx, objectOf(files), () =>
    changeFiles(ctx, files, { ifMatch, next: (value) => withoutFile(files, value, path) }),
  );
}

function withoutFile({ property, rest }: OpenFiles, value: Json | undefined, path: string[]): Json | undefined {
  if (property.kind.type === "depot") return removeEntry(value, path);
  if (property.kind.type === "gallery") {
    const images = listOf(value);
    const others = images.filter((item) => !isNamed(item, path.join("/")));
    return others.length < images.length ? others : noFile(path);
  }
  const isMeant = isJsonObject(value) && (rest.length === 0 || value.name === rest.join("/"));
  return isMeant ? undefined : noFile(path);
}

function isNamed(item: Json, name: string): boolean {
  return isJsonObject(item) && item.name === name;
}

/** Derived images of a property, of one of its files, or of a child; the number removed. */
export async function clearCache(ctx: Context, { path, ...object }: FileRef): Promise<{ deleted: number }> {
  const [name = "", ...below] = path;
  const { collection, property } = await openProperty(ctx, { ...object, property: name });
  const { schema } = collection;
  const place = resolvePlace(schema, storedDocument(ctx, schema, await getRow(ctx, object)), path);
  const entry = place && findEntry(place);
  const isThere = place && (place.rest.length === 0 || entry !== undefined || isFolderOf(place));
  // No value names the uploads of an editor.
  if (below.length > 0 && (place ? !isThere : property.item)) noFile(below);
  const isOne = place !== undefined && place.rest.length > 0 && entry !== undefined;
  // Those of files that are not moved since their property was renamed lie beside them.
  const elsewhere = place && !isOne ? listEntries(place).map(({ stored }) => stored) : [];
  const isBelow = (stored: string[]) => path.every((each, at) => stored[at] === each);
  const folders = isOne ? [entry.stored] : [path, ...elsewhere.filter((stored) => !isBelow(stored))];
  let deleted = 0;
  for (const folder of folders)
    deleted += await clearImages(ctx.imageCache, [object.collection, object.id, ...folder].join("/"));
  return { deleted };
}

function isFolderOf({ property, value, rest }: FilledPlace): boolean {
  return property.kind.type === "depot" && findInDepot(value, rest) !== undefined;
}

function noFile(path: readonly string[]): never {
  fail("not-found", `There is no file "${path.join("/")}".`);
}
