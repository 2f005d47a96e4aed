// Uploads: in one form, in chunks, or from an address. Each way ends at the one gate (upload-gate.ts), and rights are asked
// before a byte is read. Bytes are streamed to the staging area, never held in memory.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { nameOf } from "#access/actor.ts";
import { CairnError, fail } from "#base/errors.ts";
import { guardedFetch } from "#base/guarded-fetch.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { cleanFolder } from "#files/file-names.ts";
import type { StagedFile } from "#files/port.ts";
import { type FileTarget, getDocument, type Holder, openHolder } from "#media/file-targets.ts";
import { type Accepted, type Saved, saveFile } from "#media/property-files.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { addChunk, type WholeUpload } from "./chunks.ts";
import { type ArrivedFile, type GateRules, inspectUpload } from "./upload-gate.ts";

/** One part of a form, in the order in which they come; the bytes of a file are read before the next part. */
export type FormPart = { field: string; value: string } | { field: string; fileName: string; bytes: Bytes };
type Bytes = AsyncIterable<Uint8Array>;

/** Where a file may come in, and what it is for. */
export interface Entrance {
  /** Names that the file may have in a form. */
  fields: readonly string[];
  /** Tells uploads apart that come in parts. */
  place: string;
  /** Told to whoever sends no file. */
  missing: string;
}

const fetching = { maxRedirects: 5, timeoutMs: 30_000 };
const megabyte = 1_048_576;

export interface Upload {
  holder: Holder;
  entrance: Entrance;
}

/** Who may not change the object, or names no place for files, is told before anything is read. */
export async function openUpload(ctx: Context, target: FileTarget, folder = ""): Promise<Upload> {
  const holder = await openHolder(ctx, target);
  const { type } = holder.property.kind;
  if (type === "depot") holder.rest = cleanFolder(holder.rest.length > 0 ? holder.rest.join("/") : folder);
  if ((type === "image" || type === "file") && holder.rest.length > 0) {
    fail("not-found", `There is no property "${[target.property, ...target.path].join("/")}".`);
  }
  await getDocument(ctx, holder);
  const last = target.path.at(-1) ?? target.property;
  const { collection, id, property } = target;
  const place = [collection, id, property, ...target.path, "", ...(type === "depot" ? holder.rest : [])].join("/");
  const missing = `No file found in request for property: ${[property, ...target.path].join("/")}`;
  return { holder, entrance: { fields: [last, property, "file"], place, missing } };
}

/** Undefined: it was a part of a file, and others are still to come. */
export async function uploadForm(
  ctx: Context,
  { holder, entrance }: Upload,
  parts: AsyncIterable<FormPart>,
  precondition: Precondition = {},
): Promise<Saved | undefined> {
  return receiveForm(ctx, entrance, parts, async (arrived) => {
    const accepted = await inspectUpload(ctx, arrived, gateOf(holder));
    return keep(ctx, holder, accepted, precondition);
  });
}

/** The body names the address under the property, as a form would the file. */
export async function uploadFromUrl(
  ctx: Context,
  { holder, entrance }: Upload,
  body: Json | undefined,
  precondition: Precondition = {},
): Promise<Saved> {
  const fields: JsonObject = isJsonObject(body) ? body : {};
  const url = entrance.fields.map((field) => fields[field]).find((value) => typeof value === "string" && value !== "");
  if (typeof url !== "string") return fail("invalid", entrance.missing);
  const accepted = await inspectUpload(ctx, await fetchFile(ctx, url), gateOf(holder));
  return keep(ctx, holder, accepted, precondition);
}

async function keep(ctx: Context, holder: Holder, accepted: Accepted, precondition: Precondition): Promise<Saved> {
  try {
    return await saveFile(ctx, holder, accepted, precondition);
  } finally {
    await ctx.staging.discard(accepted.staged);
  }
}

function gateOf({ collection, id, property }: Holder): GateRules {
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
    throw isTooLarge ? new CairnError("refused", error.message) : error;
  }
}

/**
 * Takes a form with one file, whole or in parts; `use` gets it once it is whole, and owns it.
 * The other fields may come before the file or after it.
 */
export async function receiveForm<T>(
  ctx: Context,
  entrance: Entrance,
  parts: AsyncIterable<FormPart>,
  use: (arrived: ArrivedFile) => Promise<T>,
): Promise<T | undefined> {
  const { name, staged, whole } = await readForm(ctx, entrance, parts);
  if (staged) return use({ staged, name });
  if (!whole) return undefined;
  try {
    const used = await use({ staged: whole.staged, name });
    await whole.drop();
    return used;
  } catch (error) {
    // What failed for no fault of the file may work in a moment.
    const isRefused = error instanceof CairnError && error.status < 500;
    await (isRefused ? whole.drop() : whole.release());
    throw error;
  }
}

interface Form {
  name: string;
  /** The file, unless it came in parts. */
  staged?: StagedFile;
  /** The file that came in parts, when this was the last one that it waited for. */
  whole?: WholeUpload | undefined;
}

async function readForm(ctx: Context, entrance: Entrance, parts: AsyncIterable<FormPart>): Promise<Form> {
  const maxBytes = ctx.settings.get("files.maxUploadSize");
  const fields = new Map<string, string>();
  let form: Form | undefined;
  try {
    for await (const part of parts) {
      if ("value" in part) {
        fields.set(part.field, part.value);
        continue;
      }
      if (!entrance.fields.includes(part.field)) fail("invalid", entrance.missing);
      if (form) fail("invalid", "One file at a time.");
      form = { name: part.fileName };
      if (isChunk(fields)) form.whole = await takeChunk(ctx, entrance, { fields, ...part });
      else form.staged = await ctx.staging.receive(part.bytes, maxBytes);
    }
    if (!form) return fail("invalid", entrance.missing);
    const { name, staged } = form;
    if (!staged || !isChunk(fields)) return form;
    try {
      return {
        name,
        whole: await takeChunk(ctx, entrance, { fields, fileName: name, bytes: createReadStream(staged.path) }),
      };
    } finally {
      await ctx.staging.discard(staged);
    }
  } catch (error) {
    if (form?.staged) await ctx.staging.discard(form.staged);
    if (form?.whole) await ctx.staging.discard(form.whole.staged);
    await form?.whole?.release();
    throw error;
  }
}

function isChunk(fields: ReadonlyMap<string, string>): boolean {
  return ["dzchunkindex", "dztotalchunkcount", "chunkindex", "totalchunkcount"].some((name) => fields.has(name));
}

async function takeChunk(
  ctx: Context,
  { place }: Entrance,
  { fields, fileName, bytes }: { fields: ReadonlyMap<string, string>; fileName: string; bytes: Bytes },
): Promise<WholeUpload | undefined> {
  const maxBytes = ctx.settings.get("files.maxUploadSize");
  const index = readCount(fields.get("dzchunkindex") ?? fields.get("chunkindex") ?? "0");
  const total = readCount(fields.get("dztotalchunkcount") ?? fields.get("totalchunkcount") ?? "1");
  const wholeSize = fields.get("dztotalfilesize") ?? "";
  if (Number(wholeSize) > maxBytes) fail("too-large", `The file is larger than ${maxBytes} bytes.`);
  const ownId = fields.get("dzuuid") ?? `${fileName}\n${wholeSize}`;
  const upload = createHash("sha256")
    .update(JSON.stringify([callerOf(ctx), place, ownId]))
    .digest("hex");
  return addChunk(ctx, { upload, index, total, source: bytes, maxBytes });
}

/** People without a name are told apart by where they are. */
function callerOf({ actor, origin }: Context): string {
  return actor.kind === "anonymous" ? `anonymous ${origin?.address}` : nameOf(actor);
}

function readCount(text: string): number {
  if (/^-?\d{1,9}$/.test(text.trim())) return Number(text);
  return fail("invalid", "Chunks are counted by whole numbers: dzchunkindex, dztotalchunkcount.");
}
