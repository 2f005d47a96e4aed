// Bodies with a file: forms, read part by part as they arrive or saved to the staging area, and bare bodies. Nothing is held in
// memory whole. An upload may take as long as it needs while bytes arrive; one over the limit is refused before it is read.

import type { IncomingMessage } from "node:http";
import type { MultipartFile, MultipartValue, SavedMultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { CairnError, fail } from "#base/errors.ts";
import type { FormPart } from "#media/uploads/receive-form.ts";
import { type BodyLimit, tooLarge } from "./bodies.ts";
import { checkFormToken, csrfField, needsFormToken } from "./pages/form-csrf.ts";

/** Limits for the parts around a file. */
const formRoom = 65_536;
const limits = {
  // The operation that receives the bytes has the limit.
  fileSize: Number.MAX_SAFE_INTEGER,
  files: 5,
  fields: 50,
  fieldSize: 10_000,
  fieldNameSize: 200,
};

/** A body that brings fewer bytes in this time is cut. */
const slowest = { bytes: 10_240, ms: 30_000 };
const idleTime = 60_000;

/** The parts of a multipart body. A caller that stops early leaves the rest unread. */
export async function* partsOf(request: FastifyRequest): AsyncIterable<FormPart> {
  const { raw, ctx } = request;
  const maxBytes = ctx.settings.get("files.maxUploadSize");
  if (Number(raw.headers["content-length"]) > maxBytes + formRoom) {
    fail("too-large", `The file is larger than ${maxBytes} bytes.`);
  }
  const stopWatch = cutWhenSlow(raw);
  try {
    yield* proven(request, readable(request.parts({ limits })));
  } finally {
    stopWatch();
    raw.unpipe();
    // A small rest is read and dropped, so that the connection can be reused.
    if (!raw.complete && Number(raw.headers["content-length"]) <= formRoom) raw.resume();
  }
}

/** The reason for a refusal is disclosed only if the CSRF token preceded the file. */
export async function refuseForm(request: FastifyRequest, error: unknown): Promise<never> {
  if (needsFormToken(request)) {
    for await (const part of partsOf(request)) if (!("value" in part)) break;
    checkFormToken(request, undefined);
  }
  throw error;
}

/**
 * Without the CSRF token, which is not content. A caller that stores a file waits for the end of the form, and so for
 * the token, unless the file is a chunk: then the token must precede it.
 */
async function* proven(request: FastifyRequest, parts: AsyncIterable<FormPart>): AsyncIterable<FormPart> {
  let isChunk = false;
  for await (const part of parts) {
    if (part.field === csrfField && "value" in part) checkFormToken(request, part.value);
    else {
      isChunk ||= /chunk/.test(part.field);
      if (isChunk && !("value" in part)) checkFormToken(request, undefined);
      yield part;
    }
  }
  checkFormToken(request, undefined);
}

async function* readable(parts: AsyncIterableIterator<MultipartFile | MultipartValue>): AsyncIterable<FormPart> {
  try {
    for await (const part of parts) {
      const { fieldname: field } = part;
      if (part.type === "file") yield { field, fileName: part.filename ?? "", bytes: part.file };
      else yield { field, value: String(part.value) };
    }
  } catch (error) {
    throw asFormError(error);
  }
}

/** Errors of the form parser itself have no status: then the form is broken. */
function asFormError(error: unknown): unknown {
  const { statusCode, syscall } = error as { statusCode?: number; syscall?: string };
  const isKnown = error instanceof CairnError || statusCode !== undefined || syscall !== undefined;
  return isKnown ? error : new CairnError("invalid", "The form cannot be read.");
}

export interface SavedForm {
  files: SavedMultipartFile[];
  /** Without the CSRF token. */
  fields: Record<string, unknown>;
}

/** All parts of a form for a reader that needs the fields first. The plugin removes the files after the answer. */
export async function saveForm(request: FastifyRequest, { bytes: fileSize }: BodyLimit): Promise<SavedForm> {
  try {
    const tmpdir = request.ctx.staging.folder;
    const saving = { fileSize, files: 1, fields: 10, fieldSize: 1_000 };
    const { files, values } = await request.saveRequestFiles({ tmpdir, limits: saving });
    const { [csrfField]: token, ...fields } = fieldsOf(values);
    checkFormToken(request, token);
    return { files, fields };
  } catch (error) {
    throw asFormError(error);
  }
}

function fieldsOf(values: Record<string, unknown>): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, part] of Object.entries(values)) fields[name] = (part as { value?: unknown } | undefined)?.value;
  return fields;
}

/** A bare body. A reader that stops early leaves the connection open, for the answer. */
export async function* readLimited(source: IncomingMessage, limit: BodyLimit): AsyncIterable<Uint8Array> {
  let length = 0;
  const broken = (): never => fail("invalid", "The body was cut short.");
  const chunks = source.iterator({ destroyOnReturn: false });
  for (let next = await chunks.next(); !next.done; next = await chunks.next().catch(broken)) {
    length += next.value.length;
    if (length > limit.bytes) throw tooLarge(limit);
    yield next.value;
  }
}

/** A body may take as long as it needs while bytes arrive. */
export function cutWhenIdle(raw: IncomingMessage): void {
  raw.setTimeout(idleTime, () => raw.destroy());
  raw.once("end", () => raw.setTimeout(0));
}

/** Not while the server itself makes it wait. */
function cutWhenSlow(raw: IncomingMessage): () => void {
  let seen = raw.socket.bytesRead;
  const timer = setInterval(() => {
    if (raw.socket.bytesRead - seen < slowest.bytes && !raw.complete && raw.readableFlowing) raw.destroy();
    seen = raw.socket.bytesRead;
  }, slowest.ms);
  return () => clearInterval(timer);
}
