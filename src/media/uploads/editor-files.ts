// Files of the rich-text editor: they lie in the folder of the text's property, and the text links to them; no value names
// them. On a property that holds files itself this is another door to those, which answers a link instead of the object.

import { fail } from "#base/errors.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { type ObjectKey, removeFiles } from "#content/file-removal.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { openProperty } from "#content/objects/properties.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { cleanFolder } from "#files/file-names.ts";
import { type FileTarget, findFreeName, findHolder, getDocument, getRow, type Holder } from "#media/file-targets.ts";
import { deleteFile, keyOf } from "#media/property-files.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { filesIn, isImageName } from "#schemas/values/file-values.ts";
import { inspectUpload } from "./upload-gate.ts";
import { type FormPart, openUpload, receiveForm, uploadForm } from "./uploads.ts";

export interface ListedFile {
  name: string;
  /** Empty when the file is no image. */
  thumbnail: string;
  url: string;
}

const noFileSent = "No file found for upload";
const thumbnail = "w=200&h=200&fit=crop";

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
        return saved && { link: linkOf(holder, saved.key, JSON.parse(saved.answer.text)) ?? noFile(saved.key) };
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
            return { link: linkTo(object, `${key}/${name}`) };
          });
        } finally {
          await ctx.staging.discard(staged);
        }
      }),
  };
}

export async function getEditorLink(ctx: Context, target: FileTarget): Promise<{ link: string }> {
  const { object, folder, key, holder } = await openPlace(ctx, target);
  if (holder) return { link: linkOf(holder, key, await getDocument(ctx, holder)) ?? noFile(key) };
  if (!(await ctx.files.find(folder))) return noFile(key);
  return { link: linkTo(object, key) };
}

export async function listEditorFiles(ctx: Context, target: FileTarget): Promise<{ files: ListedFile[] }> {
  const { object, folder, key, holder } = await openPlace(ctx, target);
  const files: ListedFile[] = [];
  if (holder) {
    const document = await getDocument(ctx, holder);
    for (const found of filesIn(holder.collection.schema, document).keys()) {
      if (found.startsWith(`${key}/`)) files.push(listed(found, linkOf(holder, found, document) ?? ""));
    }
    return { files };
  }
  for await (const found of ctx.files.list(folder)) {
    const below = key + found.key.slice(folder.length);
    files.push(listed(below, linkTo(object, below)));
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
  const property = await openProperty(ctx, target);
  const collection = await openCollection(ctx, "update", target.collection, target.id);
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

/** To a file that no value names: shown, played or fetched by what its name says, which the gate has made true. */
function linkTo(object: ObjectKey, key: string): string {
  const door = isImageName(key) ? "imageworks" : isMediaName(key) ? "stream" : "download";
  return `/${door}/upload/${pathOf(object, key)}`;
}

/** To a file that a value names; images have theirs in the value. Undefined: it names none. */
function linkOf(holder: Holder, key: string, document: JsonObject): string | undefined {
  const found = filesIn(holder.collection.schema, document).get(key);
  if (!found || typeof found.item.url === "string") return found?.item.url as string | undefined;
  const door = isMediaName(key) ? "stream" : "download";
  const object = { collection: holder.collection.id, id: holder.id };
  if (found.type === "file") return `/${door}/${pathOf(object, holder.way.join("/"))}`;
  const folders = key.split("/").slice(holder.way.length, -1).join("/");
  const query = folders === "" ? "" : `?path=${encodeURIComponent(folders)}`;
  return `/${door}/${pathOf(object, keyOf(holder, [nameIn(key)]))}${query}`;
}

function pathOf({ collection, id }: ObjectKey, key: string): string {
  return [collection, id, ...key.split("/")].map(encodeURIComponent).join("/");
}

function isMediaName(name: string): boolean {
  return /\.(?:mp3|mpga|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|webm|ogv|mov)$/i.test(name);
}

function listed(key: string, url: string): ListedFile {
  const isImage = url.startsWith("/imageworks/");
  return { name: nameIn(key), thumbnail: isImage ? `${url}${url.includes("?") ? "&" : "?"}${thumbnail}` : "", url };
}

function nameIn(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

function noFile(key: string): never {
  fail("not-found", `There is no file "${key}".`);
}
