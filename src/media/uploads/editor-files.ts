// Files of the rich-text editor: they lie in the folder of the text's property, and the text links to them; no value names
// them. On a property that holds files itself this is another door to those, which answers a link instead of the object.

import { fail } from "#base/errors.ts";
import { type ObjectKey, removeFiles } from "#content/file-removal.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { openProperty } from "#content/objects/properties.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { cleanFolder } from "#files/file-names.ts";
import { type FileTarget, findFreeName, findHolder, getDocument, getRow, type Holder } from "#media/file-targets.ts";
import { deleteFile, objectOf } from "#media/property-files.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { type FilePlace, findEntry, findPlace, listEntries } from "#schemas/values/resolve-file.ts";
import { type ListedFile, linkToEntry, linkToUpload, listedFile } from "./editor-links.ts";
import { inspectUpload } from "./upload-gate.ts";
import { type FormPart, openUpload, receiveForm, uploadForm } from "./uploads.ts";

const noFileSent = "No file found for upload";

/** What the upload is for; asked before a byte is read. */
export interface EditorUpload {
  receive(parts: AsyncIterable<FormPart>): Promise<{ link: string } | undefined>;
}

export async function openEditorUpload(ctx: Context, sent: FileTarget): Promise<EditorUpload> {
  const target = { ...sent, path: cleanFolder(sent.path.join("/")) };
  const { object, folder, key, holder, settings } = await openPlace(ctx, target);
  const entrance = { fields: ["file"], place: `editor/${folder}`, missing: noFileSent };
  if (holder) {
    const upload = { ...(await openUpload(ctx, target)), entrance };
    return {
      async receive(parts) {
        const saved = await uploadForm(ctx, upload, parts);
        return saved && { link: linkTo(holder, JSON.parse(saved.answer.text), saved.path) };
      },
    };
  }
  return {
    receive: (parts) =>
      receiveForm(ctx, entrance, parts, async (arrived) => {
        const { staged, name: wanted } = await inspectUpload(ctx, arrived, { takes: "links", settings });
        try {
          return await withObjectFilesLock(ctx, object, async () => {
            await getRow(ctx, object);
            const name = await findFreeName(ctx, folder, wanted);
            await ctx.files.publish(staged, `${folder}/${name}`);
            return { link: linkToUpload(object, `${key}/${name}`) };
          });
        } finally {
          await ctx.staging.discard(staged);
        }
      }),
  };
}

export async function getEditorLink(ctx: Context, target: FileTarget): Promise<{ link: string }> {
  const { object, folder, key, holder } = await openPlace(ctx, target);
  if (holder) return { link: linkTo(holder, await getDocument(ctx, holder), [...holder.way, ...holder.rest]) };
  if (!(await ctx.files.find(folder))) return noFile(key);
  return { link: linkToUpload(object, key) };
}

export async function listEditorFiles(ctx: Context, target: FileTarget): Promise<{ files: ListedFile[] }> {
  const { object, folder, key, holder } = await openPlace(ctx, target);
  if (holder) {
    const place = findPlace(holder.collection.schema, await getDocument(ctx, holder), [...holder.way, ...holder.rest]);
    const entries = place ? listEntries(place).filter(({ path }) => path.join("/").startsWith(`${key}/`)) : [];
    return {
      files: entries.map((entry) => listedFile(entry.value.name, linkToEntry(object, place as FilePlace, entry))),
    };
  }
  const files: ListedFile[] = [];
  for await (const found of ctx.files.list(folder)) {
    const below = key + found.key.slice(folder.length);
    files.push(listedFile(below.slice(below.lastIndexOf("/") + 1), linkToUpload(object, below)));
  }
  return { files };
}

export async function deleteEditorFile(ctx: Context, target: FileTarget): Promise<{ status: true }> {
  const { object, folder, key, holder } = await openPlace(ctx, target);
  if (holder) await deleteFile(ctx, target);
  else {
    await withObjectFilesLock(ctx, object, async () => {
      if (!(await ctx.files.find(folder))) noFile(key);
      await removeFiles(ctx, object, [key]);
    });
  }
  return { status: true };
}

interface Place {
  object: ObjectKey;
  /** Below the object's key, and whole; of a folder, or of one file. */
  key: string;
  folder: string;
  settings: JsonObject;
  /** When the property, or the child that the path leads to, holds files itself. */
  holder: Holder | undefined;
}

/** For whoever may change the object; any property of its schema will do. */
async function openPlace(ctx: Context, { path, ...target }: FileTarget): Promise<Place> {
  const { collection, property } = await openProperty(ctx, target);
  const object = { collection: target.collection, id: target.id };
  await getRow(ctx, object);
  const key = [target.property, ...path].join("/");
  const found = findHolder(collection.schema, [target.property, ...path]);
  return {
    object,
    key,
    folder: `${object.collection}/${object.id}/${key}`,
    settings: fieldSettings(collection.settings, target.id, property),
    holder: found && { collection, id: target.id, ...found },
  };
}

/** The path names a file: one that stands alone is not meant by its property. */
function linkTo(holder: Holder, document: JsonObject, path: string[]): string {
  const place = findPlace(holder.collection.schema, document, path);
  const entry = place && place.rest.length > 0 ? findEntry(place) : undefined;
  return entry ? linkToEntry(objectOf(holder), place as FilePlace, entry) : noFile(path.join("/"));
}

function noFile(key: string): never {
  fail("not-found", `There is no file "${key}".`);
}
