// Forms with a file, read as they arrive: part by part, never whole. An upload may take as long as it needs while bytes
// arrive; one over the limit is refused before it is read.

import type { IncomingMessage } from "node:http";
import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { CairnError, fail } from "#base/errors.ts";
import type { FormPart } from "#media/uploads/receive-form.ts";
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
    // Errors of the form parser itself have no status: the form is broken.
    const isSubscribed = error instanceof CairnError || (error as { statusCode?: number }).statusCode !== undefined;
    throw isSubscribed || (error as NodeJS.ErrnoException).syscall
      ? error
      : new CairnError("invalid", "The form cannot be read.");
  }
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
