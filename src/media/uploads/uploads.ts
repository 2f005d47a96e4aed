// Uploads into a property: in a form, in chunks, or from an address. Each goes the same way: open (rights and property, before
// a byte is read), receive (receive-form.ts), inspect (inspect-upload.ts), save (save-file.ts).

import { isAllowed } from "#access/allow.ts";
import { CairnError, fail } from "#base/errors.ts";
import { guardedFetch, nameSetting } from "#base/net/guarded-fetch.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { cleanFolder } from "#files/file-names.ts";
import { getDocument, noProperty, type OpenFiles, openFiles } from "#media/open-files.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { type FileRef, isSingle } from "#schemas/values/resolve-file.ts";
import { type ArrivedFile, inspectUpload, type UploadRules } from "./inspect-upload.ts";
import { type Entrance, type FormPart, receiveForm } from "./receive-form.ts";
import { type Saved, saveFile } from "./save-file.ts";

const fetching = { maxRedirects: 5, timeoutMs: 30_000 };
const megabyte = 1_048_576;
const maxShippedBytes = 10 * megabyte;

export interface Upload {
  files: OpenFiles;
  entrance: Entrance;
}

/** Before anything is read, it fails for callers that may not change the object and for paths that take no files. */
export async function openUpload(ctx: Context, { path, ...object }: FileRef, folder = ""): Promise<Upload> {
  const files = await openFiles(ctx, { ...object, path });
  const isDepot = files.property.kind.type === "depot";
  if (isDepot) files.rest = cleanFolder(files.rest.length > 0 ? files.rest.join("/") : folder);
  if (isSingle(files.property) && files.rest.length > 0) noProperty(path);
  await getDocument(ctx, files);
  return {
    files,
    entrance: {
      fields: [path.at(-1) as string, path[0] as string, "file"],
      place: [object.collection, object.id, ...path, "", ...(isDepot ? files.rest : [])].join("/"),
      missing: `No file found in request for property: ${path.join("/")}`,
    },
  };
}

/** Undefined: it was a chunk of a file, and others are still to come. */
export async function uploadForm(
  ctx: Context,
  { files, entrance }: Upload,
  parts: AsyncIterable<FormPart>,
  precondition: Precondition = {},
): Promise<Saved | undefined> {
  const received = await receiveForm(ctx, entrance, parts);
  if (!received) return undefined;
  try {
    const saved = await saveFile(ctx, files, await inspectUpload(ctx, received, rulesOf(files)), precondition);
    await received.settle();
    return saved;
  } catch (error) {
    await received.settle(error);
    throw error;
  }
}

/** From a file of the installation. */
export async function uploadFile(
  ctx: Context,
  { files }: Upload,
  { body, name }: { body: AsyncIterable<Uint8Array>; name: string },
): Promise<Saved> {
  const staged = await ctx.staging.receive(body, maxShippedBytes);
  return saveFile(ctx, files, await inspectUpload(ctx, { staged, name }, rulesOf(files)));
}

/** The body names the address under the property, as a form would the file. */
export async function uploadFromUrl(
  ctx: Context,
  { files, entrance }: Upload,
  body: Json | undefined,
  precondition: Precondition = {},
): Promise<Saved> {
  const fields: JsonObject = isJsonObject(body) ? body : {};
  const url = entrance.fields.map((field) => fields[field]).find((value) => typeof value === "string" && value !== "");
  if (typeof url !== "string") return fail("invalid", entrance.missing);
  const fetched = await fetchFile(ctx, url);
  return saveFile(ctx, files, await inspectUpload(ctx, fetched, rulesOf(files)), precondition);
}

function rulesOf({ collection, id, property }: OpenFiles): UploadRules {
  const { type } = property.kind;
  return {
    takes: type === "image" || type === "gallery" ? "pictures" : "files",
    settings: fieldSettings(collection.settings, id, property),
  };
}

async function fetchFile(ctx: Context, url: string): Promise<ArrivedFile> {
  const { settings, staging } = ctx;
  const limit = settings.get("maxDownloadSize") * megabyte;
  const maxBytes = limit === 0 ? Number.MAX_SAFE_INTEGER : limit;
  const allowPrivateHosts = settings.get("files.allowPrivateHosts");
  try {
    const { body, name } = await guardedFetch(url, { ...fetching, allowPrivateHosts, maxBytes });
    return { staged: await staging.receive(body, maxBytes), name, isNameGuessed: true };
  } catch (error) {
    const isTooLarge = error instanceof CairnError && error.word === "too-large";
    if (isTooLarge) throw new CairnError("refused", error.message);
    const isTold = !allowPrivateHosts && isAllowed(ctx.actor, "read", { kind: "settings" });
    throw isTold ? nameSetting(error, "files.allowPrivateHosts") : error;
  }
}
