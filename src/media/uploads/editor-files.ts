// Files of the rich-text editor: they are in the folder of the text's property, and the text links to them; no value names
// them. On a property that holds files itself these routes reach those files, and answer a link instead of the object.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { removeFiles } from "#content/file-removal.ts";
import { keepsFiles, placeByName } from "#content/history/attic.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { openProperty } from "#content/objects/properties.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { cleanFolder } from "#files/file-names.ts";
import { findFreeName } from "#files/free-name.ts";
import { getDocument, getRow, type OpenFiles } from "#media/open-files.ts";
import { deleteFile } from "#media/property-files.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { type FileRef, findPlace, listEntries, resolveFile, resolvePlace } from "#schemas/values/resolve-file.ts";
import { type ListedFile, linkToEntry, linkToUpload, listedFile } from "./editor-links.ts";
import { inspectUpload } from "./inspect-upload.ts";
import { type FormPart, receiveForm } from "./receive-form.ts";
import { openUpload, uploadForm } from "./uploads.ts";

/** What the upload is for; opened before a byte is read. */
export interface EditorUpload {
  receive(parts: AsyncIterable<FormPart>): Promise<{ link: string } | undefined>;
}

export async function openEditorUpload(ctx: Context, sent: FileRef): Promise<EditorUpload> {
  const [property = "", ...below] = sent.path;
  const ref = { ...sent, path: [property, ...cleanFolder(below.join("/"))] };
  const { key, files, collection, settings } = await openFolder(ctx, ref);
  const entrance = { fields: ["file"], place: `editor/${key}`, missing: "No file found for upload" };
  if (files) {
    const upload = { ...(await openUpload(ctx, ref)), entrance };
    return {
      async receive(parts) {
        const saved = await uploadForm(ctx, upload, parts);
        return saved && { link: linkIn(collection, JSON.parse(saved.answer.text), { ...ref, path: saved.path }) };
      },
    };
  }
  return {
    async receive(parts) {
      const received = await receiveForm(ctx, entrance, parts);
      if (!received) return undefined;
      try {
        const accepted = await inspectUpload(ctx, received, { takes: "links", settings });
        const link = await keepUpload(ctx, ref, accepted);
        await received.settle();
        return { link };
      } catch (error) {
        await received.settle(error);
        throw error;
      }
    },
  };
}

/** The staged file is gone afterwards. */
async function keepUpload(
  ctx: Context,
  ref: FileRef,
  { staged, name: wanted }: Awaited<ReturnType<typeof inspectUpload>>,
): Promise<string> {
  try {
    return await withObjectFilesLock(ctx, ref, async () => {
      await getRow(ctx, ref);
      const name = await findFreeName(ctx, keyOf(ref), wanted);
      await ctx.files.publish(staged, `${keyOf(ref)}/${name}`);
      return linkToUpload({ ...ref, path: [...ref.path, name] });
    });
  } finally {
    await ctx.staging.discard(staged);
  }
}

export async function getEditorLink(ctx: Context, ref: FileRef): Promise<{ link: string }> {
  const { key, files } = await openFolder(ctx, ref);
  if (files) return { link: linkIn(files.collection, await getDocument(ctx, files), ref) };
  if (!(await ctx.files.find(key))) return noFile(ref);
  return { link: linkToUpload(ref) };
}

export async function listEditorFiles(ctx: Context, ref: FileRef): Promise<{ files: ListedFile[] }> {
  const { key, files } = await openFolder(ctx, ref);
  if (files) {
    const place = resolvePlace(files.collection.schema, await getDocument(ctx, files), ref.path);
    const below = `${ref.path.join("/")}/`;
    const entries = place ? listEntries(place).filter(({ path }) => path.join("/").startsWith(below)) : [];
    return { files: entries.map((entry) => listedFile(entry.value.name, linkToEntry(ref, files.path, entry))) };
  }
  const listed: ListedFile[] = [];
  for await (const found of ctx.files.list(key)) {
    const [, , ...path] = found.key.split("/");
    listed.push(listedFile(path.at(-1) as string, linkToUpload({ ...ref, path })));
  }
  return { files: listed };
}

export async function deleteEditorFile(ctx: Context, ref: FileRef): Promise<{ status: true }> {
  const { key, files, collection } = await openFolder(ctx, ref);
  if (files) await deleteFile(ctx, ref);
  else {
    await withObjectFilesLock(ctx, ref, async () => {
      const { size } = (await ctx.files.find(key)) ?? noFile(ref);
      const { rid } = await getRow(ctx, ref);
      const below = ref.path.join("/");
      const at = placeByName(rid, below, { time: ctx.clock.now(), size });
      await removeFiles(ctx, ref, [keepsFiles(ctx, collection) ? { key: below, at } : { key: below }]);
    });
  }
  return { status: true };
}

interface Folder {
  collection: Collection;
  /** Of a folder, or of one file. */
  key: string;
  settings: JsonObject;
  /** When the property, or the child that the path leads to, holds files itself. */
  files: OpenFiles | undefined;
}

/** For callers that may change the object; any property of its schema will do. */
async function openFolder(ctx: Context, ref: FileRef): Promise<Folder> {
  const { id, path } = ref;
  const { collection, property } = await openProperty(ctx, { ...ref, property: path[0] as string });
  await getRow(ctx, ref);
  const place = findPlace(collection.schema, path);
  const settings = fieldSettings(collection.settings, id, property);
  return { collection, key: keyOf(ref), settings, files: place && { collection, id, ...place } };
}

function keyOf({ collection, id, path }: FileRef): string {
  return [collection, id, ...path].join("/");
}

/** The path names a file: one that stands alone is not meant by its property. */
function linkIn({ schema }: Collection, document: JsonObject, ref: FileRef): string {
  const place = findPlace(schema, ref.path);
  const entry = place && place.rest.length > 0 ? resolveFile(schema, document, ref.path) : undefined;
  return place && entry ? linkToEntry(ref, place.path, entry) : noFile(ref);
}

function noFile({ path }: FileRef): never {
  fail("not-found", `There is no file "${path.join("/")}".`);
}
