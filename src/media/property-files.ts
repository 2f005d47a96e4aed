// The files of a property: saved, deleted, moved. Bytes first, then the row that names them; what no row names any more
// goes last. So whatever happens in between, a row never names a file that is not there.

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
import type { ImageFacts } from "#files/image-types.ts";
import type { StagedFile } from "#files/port.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { entriesAt, findEntry, removeEntry, withEntries } from "#schemas/values/depot-tree.ts";
import {
  imageUrl,
  isFolder,
  listOf,
  type NewFile,
  newFile,
  newImage,
  storedName,
  valueAt,
} from "#schemas/values/file-values.ts";
import { type FilePlace, findEntry as findFile, findPlace, listEntries } from "#schemas/values/resolve-file.ts";
import {
  changeFiles,
  cleanUpAfterFailure,
  type FilesChange,
  type FileTarget,
  findFreeName,
  getDocument,
  getRow,
  type Holder,
  openHolder,
  wholeKey,
} from "./file-targets.ts";
import { checkCount } from "./upload-rules.ts";

/** A file that has passed the gate. */
export interface Accepted {
  staged: StagedFile;
  name: string;
  mime: string;
  image?: ImageFacts | undefined;
}

export interface Saved {
  answer: ObjectAnswer;
  /** Of the file below its object, as its address has it. */
  path: string[];
}

/**
 * One image or file takes the place of the one before; galleries and depots get one more. The bytes go under a name that is
 * free, so no file is written over; a file that stands alone is called by the name it came with in any case.
 */
export function saveFile(
  ctx: Context,
  holder: Holder,
  accepted: Accepted,
  { ifMatch }: Precondition = {},
): Promise<Saved> {
  return withObjectFilesLock(ctx, objectOf(holder), async () => {
    const document = await getDocument(ctx, holder);
    const folder = holder.property.kind.type === "depot" ? holder.rest : [];
    const names = namesIn(holder, valueAt(document, holder.way), folder);
    const free = await findFreeName(ctx, wholeKey(holder, keyOf(holder, folder)), accepted.name, names);
    const key = keyOf(holder, [...folder, free]);
    const file = describeUpload(ctx, accepted, isList(holder) ? { name: free } : { name: accepted.name, stored: free });
    try {
      await ctx.files.publish(accepted.staged, wholeKey(holder, key));
      const answer = await changeFiles(ctx, holder, {
        ifMatch,
        next: (value) => withFile(holder, value, { file, key }),
      });
      return { answer, path: [...holder.way, ...folder, file.name] };
    } catch (error) {
      await cleanUpAfterFailure(ctx, holder, [key]);
      throw error;
    }
  });
}

function describeUpload(
  { clock }: Context,
  { staged, name: sentName, mime, image }: Accepted,
  { name, stored = name }: { name: string; stored?: string },
): NewFile {
  const { size, digest } = staged;
  const storedAs = stored === name ? undefined : stored;
  return { name, storedAs, sentName, size, digest, mime, image, uploadDate: clock.iso() };
}

function namesIn({ property }: Holder, value: Json | undefined, folder: string[]): string[] {
  const { type } = property.kind;
  if (type === "image" || type === "file") return isJsonObject(value) ? [storedName(value)] : [];
  const entries = type === "gallery" ? listOf(value) : entriesAt(value, folder);
  return entries.filter(isJsonObject).map(({ name }) => String(name));
}

function withFile(holder: Holder, value: Json | undefined, { file, key }: { file: NewFile; key: string }): Json {
  const { property, collection, id, rest } = holder;
  const settings = fieldSettings(collection.settings, id, property);
  const isProtected = settings.protectedByCollection !== false;
  const before = isJsonObject(value) ? value : {};
  const object = objectOf(holder);
  switch (property.kind.type) {
    case "image": {
      const item = newImage(file, before);
      return { ...item, url: imageUrl(object, key, { item, type: "image" }) };
    }
    case "gallery": {
      const images = listOf(value);
      checkCount(settings, images.length + 1);
      const item = newImage(file);
      return [...images, { ...item, url: imageUrl(object, key, { item, type: "gallery" }) }];
    }
    case "depot": {
      const depot = { protected: isProtected, files: [], ...before };
      checkCount(settings, countFiles(depot.files) + 1);
      return withEntries(depot, rest, (entries) => [...entries, newFile(file, {}, isProtected)], { isMaking: true });
    }
    default:
      return newFile(file, before, isProtected);
  }
}

function countFiles(entries: Json): number {
  return listOf(entries).reduce<number>((sum, entry) => sum + (isFolder(entry) ? countFiles(entry.files ?? []) : 1), 0);
}

/** Copies, names the copies, and lets the originals go with the change of the row. */
export async function relocate(
  ctx: Context,
  holder: Holder,
  pairs: readonly (readonly [from: string, to: string])[],
  change: FilesChange,
): Promise<ObjectAnswer> {
  const copied: string[] = [];
  try {
    for (const [from, to] of pairs) {
      copied.push(to);
      await ctx.files.copy(wholeKey(holder, from), wholeKey(holder, to));
    }
    return await changeFiles(ctx, holder, change);
  } catch (error) {
    await cleanUpAfterFailure(ctx, holder, copied);
    throw error;
  }
}

export interface FileChoice extends Precondition {
  /** The folder of a depot that the path starts in. */
  folder?: string | undefined;
}

/** One file of a list, a folder with all that is in it, or the file of a child. */
export async function deleteFile(
  ctx: Context,
  target: FileTarget,
  { folder = "", ifMatch }: FileChoice = {},
): Promise<ObjectAnswer> {
  const holder = await openHolder(ctx, target);
  const path = [...readFolder(folder), ...holder.rest];
  return withObjectFilesLock(ctx, objectOf(holder), () =>
    changeFiles(ctx, holder, { ifMatch, next: (value) => withoutFile(holder, value, path) }),
  );
}

function withoutFile({ property, rest }: Holder, value: Json | undefined, path: string[]): Json | undefined {
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
export async function clearCache(ctx: Context, { path, ...target }: FileTarget): Promise<{ deleted: number }> {
  const { collection, property } = await openProperty(ctx, target);
  const { schema } = collection;
  const whole = [target.property, ...path];
  const place = findPlace(schema, storedDocument(ctx, schema, await getRow(ctx, target)), whole);
  // What the editor of a text has uploaded stands in no value.
  if (path.length > 0 && (place ? !isThere(place) : property.item)) noFile(path);
  const file = place && place.rest.length > 0 ? findFile(place) : undefined;
  const prefix = [target.collection, target.id, ...(file?.stored ?? whole)].join("/");
  return { deleted: await clearImages(ctx.imageCache, prefix) };
}

/** The property itself, a folder of it, or one of its files. */
function isThere({ rest, ...place }: FilePlace): boolean {
  if (rest.length === 0) return true;
  if (place.property.kind.type === "depot") return findEntry(place.value, rest) !== undefined;
  return listEntries(place).some(({ value }) => value.name === rest.join("/"));
}

export function objectOf({ collection, id }: Holder): { collection: string; id: string } {
  return { collection: collection.id, id };
}

export function keyOf({ way }: Holder, path: readonly string[]): string {
  return [...way, ...path].join("/");
}

function isList({ property }: Holder): boolean {
  return property.kind.type === "gallery" || property.kind.type === "depot";
}

function noFile(path: readonly string[]): never {
  fail("not-found", `There is no file "${path.join("/")}".`);
}
