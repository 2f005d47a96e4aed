// Takes a form with one file, whole or as a chunk of a larger one. The bytes are streamed to the staging area, never held in
// memory. The other fields may come before the file or after it.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { nameOf } from "#access/actor.ts";
import { CairnError, fail } from "#base/errors.ts";
import type { Context } from "#context.ts";
import type { StagedFile } from "#files/port.ts";
import { addChunk, type WholeUpload } from "./chunks.ts";
import type { ArrivedFile } from "./inspect-upload.ts";

/** One part of a form, in the order in which they come; the bytes of a file are read before the next part. */
export type FormPart = { field: string; value: string } | { field: string; fileName: string; bytes: Bytes };
type Bytes = AsyncIterable<Uint8Array>;

/** Where a file may come in. */
export interface Entrance {
  /** Names that the file may have in a form. */
  fields: readonly string[];
  /** Distinguishes uploads that come in chunks. */
  place: string;
  /** The error for callers that send no file. */
  missing: string;
}

/** A file that came in a form, in the staging area. */
export interface ReceivedFile extends ArrivedFile {
  /** To be called when it is saved, or with the error that prevented that. */
  settle(error?: unknown): Promise<void>;
}

/** Undefined: it was a chunk, and others are still to come. */
export async function receiveForm(
  ctx: Context,
  entrance: Entrance,
  parts: AsyncIterable<FormPart>,
): Promise<ReceivedFile | undefined> {
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
      else form.staged = await ctx.staging.receive(part.bytes, ctx.settings.get("files.maxUploadSize"));
    }
    if (!form) return fail("invalid", entrance.missing);
    const { name, staged } = form;
    if (staged && !isChunk(fields)) return { name, staged, settle: async () => {} };
    if (staged) {
      const chunk = { fields, fileName: name, bytes: createReadStream(staged.path) };
      form.whole = await takeChunk(ctx, entrance, chunk);
      await ctx.staging.discard(staged);
    }
    return form.whole && fromChunks(name, form.whole);
  } catch (error) {
    if (form?.staged) await ctx.staging.discard(form.staged);
    if (form?.whole) await ctx.staging.discard(form.whole.staged);
    await form?.whole?.release();
    throw error;
  }
}

interface Form {
  name: string;
  /** The file, unless the fields before it said that it is a chunk. */
  staged?: StagedFile;
  /** The file that came in chunks, when this was the last one that it waited for. */
  whole?: WholeUpload | undefined;
}

/** After a failure that is not the file's, the chunks stay: sending one again may work in a moment. */
function fromChunks(name: string, { staged, drop, release }: WholeUpload): ReceivedFile {
  const isFinal = (error: unknown) => error === undefined || (error instanceof CairnError && error.status < 500);
  return { name, staged, settle: (error) => (isFinal(error) ? drop() : release()) };
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

/** Anonymous callers are distinguished by address. */
function callerOf({ actor, origin }: Context): string {
  return actor.kind === "anonymous" ? `anonymous ${origin?.address}` : nameOf(actor);
}

function readCount(text: string): number {
  if (/^-?\d{1,9}$/.test(text.trim())) return Number(text);
  return fail("invalid", "Chunks are counted by whole numbers: dzchunkindex, dztotalchunkcount.");
}
