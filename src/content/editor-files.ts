// Files of the rich-text editor: they lie in the folder of the text's property, and the text links to them; no value names
// them. On a property that holds files itself this is another door to those, which answers a link instead of the object.

import { fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { freeName } from "#files/file-names.ts";
import { openCollection } from "./access.ts";
import { fieldSettings } from "./field-settings.ts";
import { type ObjectKey, removeFiles } from "./file-removal.ts";
import { type FileTarget, findHolder, getDocument, getRow, type Holder } from "./file-targets.ts";
import { inTurn } from "./file-turns.ts";
import { filesIn, isImageName } from "./file-values.ts";
import { openProperty } from "./properties.ts";
import { deleteFile, keyOf } from "./property-files.ts";
import { passGate } from "./upload-gate.ts";
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

export async function openEditorUpload(ctx: Context, target: FileTarget): Promise<EditorUpload> {
  const { object, key, holder, gate } = await openPlace(ctx, target);
  const entrance = { fields: ["file"], place: `editor/${object.collection}/${object.id}/${key}`, missing: noFileSent };
  if (holder) {
    const upload = { ...(await openUpload(ctx, target)), entrance };
    return {
      async receive(parts) {
        const saved = await uploadForm(ctx, upload, parts);
        return saved && { link: (await findLink(ctx, upload.holder, saved.key)) ?? noFile(saved.key) };
      },
    };
  }
  return {
    receive: (parts) =>
      receiveForm(ctx, entrance, parts, async (arrived) => {
        const accepted = await passGate(ctx, arrived, gate);
        try {
          return await inTurn(ctx, object, async () => {
            await getRow(ctx, object);
            const name = await chooseName(ctx, `${object.collection}/${object.id}/${key}`, accepted.name);
            await ctx.files.publish(accepted.staged, `${object.collection}/${object.id}/${key}/${name}`);
            return { link: linkTo(object, `${key}/${name}`) };
          });
        } finally {
          await ctx.staging.discard(accepted.staged);
        }
      }),
  };
}

export async function getEditorLink(ctx: Context, target: FileTarget): Promise<{ link: string }> {
  const { object, key, holder } = await openPlace(ctx, target);
  if (holder) return { link: (await findLink(ctx, holder, key)) ?? noFile(key) };
  if (!(await ctx.files.find(`${object.collection}/${object.id}/${key}`))) return noFile(key);
  return { link: linkTo(object, key) };
}

export async function listEditorFiles(ctx: Context, target: FileTarget): Promise<{ files: ListedFile[] }> {
  const { object, key, holder } = await openPlace(ctx, target);
  if (holder) {
    const keys = [...filesIn(holder.collection.schema, await getDocument(ctx, holder)).keys()];
    const own = keys.filter((found) => found.startsWith(`${key}/`));
    const links = await Promise.all(own.map(async (found) => [found, await findLink(ctx, holder, found)] as const));
    return { files: links.map(([found, link = ""]) => listed(found, link)) };
  }
  const files: ListedFile[] = [];
  const prefix = `${object.collection}/${object.id}/`;
  for await (const found of ctx.files.list(prefix + key)) {
    const below = found.key.slice(prefix.length);
    files.push(listed(below, linkTo(object, below)));
  }
  return { files };
}

export async function deleteEditorFile(ctx: Context, target: FileTarget): Promise<{ status: true }> {
  const { object, key, holder } = await openPlace(ctx, target);
  if (holder) await deleteFile(ctx, target);
  else {
    await inTurn(ctx, object, async () => {
      if (!(await ctx.files.find(`${object.collection}/${object.id}/${key}`))) noFile(key);
      await removeFiles(ctx, object, [key]);
    });
  }
  return { status: true };
}

/** For whoever may change the object; any property of its schema will do. */
async function openPlace(ctx: Context, { path, ...target }: FileTarget) {
  const property = await openProperty(ctx, target);
  const collection = await openCollection(ctx, "update", target.collection, target.id);
  const object: ObjectKey = { collection: target.collection, id: target.id };
  const key = [target.property, ...path].join("/");
  const found = findHolder(collection.schema, [target.property, ...path]);
  const holder: Holder | undefined = found && { collection, id: target.id, ...found };
  const gate = { takes: "links", settings: fieldSettings(collection.settings, target.id, property) } as const;
  await getRow(ctx, object);
  return { object, key, holder, gate };
}

async function chooseName(ctx: Context, folder: string, wanted: string): Promise<string> {
  const taken = new Set<string>();
  for (;;) {
    const name = freeName(wanted, (candidate) => taken.has(candidate));
    if (!(await ctx.files.find(`${folder}/${name}`))) return name;
    taken.add(name);
  }
}

/** By what the file is: shown, played, or fetched. */
function linkTo({ collection, id }: ObjectKey, key: string, folder = "upload/"): string {
  return `/${doorOf(key)}/${folder}${[collection, id, ...key.split("/")].map(encodeURIComponent).join("/")}`;
}

function doorOf(name: string): "imageworks" | "stream" | "download" {
  if (isImageName(name)) return "imageworks";
  return /\.(?:mp3|mpga|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|webm|ogv|mov)$/i.test(name) ? "stream" : "download";
}

/** The link to a file that a value names; images have theirs in the value. */
async function findLink(ctx: Context, holder: Holder, key: string): Promise<string | undefined> {
  const found = filesIn(holder.collection.schema, await getDocument(ctx, holder)).get(key);
  if (!found) return undefined;
  if (typeof found.item.url === "string") return found.item.url;
  const object = { collection: holder.collection.id, id: holder.id };
  if (found.type === "file") return linkOf(object, key.slice(0, key.lastIndexOf("/")), found.item.mime);
  const [name, ...folders] = key.split("/").slice(holder.way.length).reverse();
  const query = folders.length > 0 ? `?path=${encodeURIComponent(folders.reverse().join("/"))}` : "";
  return linkOf(object, keyOf(holder, [name as string]), found.item.mime) + query;
}

function linkOf({ collection, id }: ObjectKey, path: string, mime: Json | undefined): string {
  const isMedia = typeof mime === "string" && /^(?:audio|video)\//.test(mime);
  const place = [collection, id, ...path.split("/")].map(encodeURIComponent).join("/");
  return `/${isMedia ? "stream" : "download"}/${place}`;
}

function listed(key: string, url: string): ListedFile {
  const isImage = url.startsWith("/imageworks/");
  const name = key.slice(key.lastIndexOf("/") + 1);
  return { name, thumbnail: isImage ? `${url}${url.includes("?") ? "&" : "?"}${thumbnail}` : "", url };
}

function noFile(key: string): never {
  fail("not-found", `There is no file "${key}".`);
}
