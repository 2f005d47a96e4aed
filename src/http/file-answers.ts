// How bytes are sent: disposition, conditions, one range, or a header for the server in front.
// Only types that cannot run are shown in place; all others are offered for saving, and sandboxed too.

import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { createLru } from "#base/caches/lru.ts";
import { CairnError } from "#base/errors.ts";
import { parseRange } from "#base/ranges.ts";
import type { OpenedFile } from "#media/serving/open-file.ts";
import { namesTag } from "./send.ts";

const inertTypes = new Set([
  "application/json",
  "application/octet-stream",
  "application/pdf",
  "image/avif",
  "image/bmp",
  "image/gif",
  "image/heic",
  "image/jpeg",
  "image/png",
  "image/tiff",
  "image/webp",
  "image/x-icon",
  "text/csv",
  "text/plain",
  "text/vtt",
]);

/** Browsers run these for a page that names them, whatever the policy of their own answer. */
const codeTypes =
  /^(?:(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script[\d.]*|text\/(?:css|xsl)|application\/manifest\+json)$/;

/** No script, no origin; the browser's own players and viewers may load the file itself. */
const inertPolicy = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
const activePolicy = "sandbox; default-src 'none'";

/** Up to this many bytes a stream costs more than it saves. */
const smallPart = 131_072;

export interface Sending {
  disposition: "attachment" | "inline";
  /** Accepts ranges. */
  hasRanges: boolean;
}

/** Throws what the store throws, before anything is sent. Then it may be called again, with another file. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenedFile,
  { disposition, hasRanges }: Sending,
): Promise<FastifyReply> {
  setTypeHeaders(reply, file, disposition);
  reply.header("cache-control", file.isShared ? "public, no-cache" : "private, no-cache");
  if (file.handover) return handOver(request, reply, file);
  const etag = `"${file.tag}"`;
  reply.header("etag", etag).header("last-modified", new Date(file.modified).toUTCString());
  if (hasRanges) reply.header("accept-ranges", "bytes");
  if (isKnown(request, etag, file.modified)) {
    await file.close();
    return reply.code(304).send();
  }
  const range = hasRanges && request.method === "GET" ? askedRange(request, etag, file.size) : "none";
  if (range === "unsatisfiable") {
    await file.close();
    reply.removeHeader("content-disposition").header("content-range", `bytes */${file.size}`);
    throw new CairnError("range-not-satisfiable");
  }
  const part = range === "none" ? undefined : range;
  if (request.method === "HEAD") {
    await file.close();
    setPartHeaders(reply, file, part);
    return reply.send();
  }
  if (sizeOf(file, part) <= smallPart) return sendSmall(reply, file, part);
  if (file.send) return sendLarge(reply, file, part);
  const stream = await file.stream(part);
  beginPart(reply, file, part);
  return reply.send(stream);
}

type Part = Parameters<OpenedFile["stream"]>[0];

function sizeOf(file: OpenedFile, part: Part): number {
  return part ? part.end - part.start + 1 : file.size;
}

/** Once the store has the bytes: nothing but a client that leaves stops them now. */
function beginPart(reply: FastifyReply, file: OpenedFile, part: Part): void {
  setPartHeaders(reply, file, part);
  if (part === undefined || part.start === 0) file.count();
}

function setPartHeaders(reply: FastifyReply, file: OpenedFile, part: Part): void {
  reply.header("content-length", String(sizeOf(file, part)));
  if (part) reply.code(206).header("content-range", `bytes ${part.start}-${part.end}/${file.size}`);
}

/** Up to this size, which Node writes from its stack, copying the bytes behind their head costs less than sending two pieces. */
const smallAnswer = 15_000;

/** Bytes in memory, past the framework. As a text, one byte a character, they are sent in one piece with their head. */
export function sendBytes(reply: FastifyReply, bytes: Buffer, headers?: OutgoingHttpHeaders): FastifyReply {
  const { raw } = reply.hijack();
  raw.writeHead(reply.statusCode, Object.assign(reply.getHeaders() as OutgoingHttpHeaders, headers));
  endWith(raw, bytes);
  return reply;
}

export function endWith(raw: ServerResponse, bytes: Buffer): void {
  if (bytes.length > smallAnswer) raw.end(bytes);
  else raw.end(bytes.toString("latin1"), "latin1");
}

/** Memory that was sent from and can be read into again: fresh memory costs more than reading. */
const spare: Buffer[] = [];
const maxSpare = 32;

function giveBack(room: Buffer): void {
  if (spare.length < maxSpare) spare.push(room);
}

async function sendSmall(reply: FastifyReply, file: OpenedFile, part: Part): Promise<FastifyReply> {
  const room = spare.pop() ?? Buffer.allocUnsafeSlow(smallPart);
  // After a failure it may still be in use.
  const bytes = await file.read(part, room);
  beginPart(reply, file, part);
  const { raw } = sendBytes(reply, bytes);
  if (bytes.buffer !== room.buffer || raw.writableFinished) giveBack(room);
  else raw.once("finish", () => giveBack(room));
  return reply;
}

/** Past the framework, which would make a stream of it. An error can now only cut the answer off. */
async function sendLarge(reply: FastifyReply, file: OpenedFile, part: Part): Promise<FastifyReply> {
  beginPart(reply, file, part);
  const { raw, request } = reply.hijack();
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  try {
    await file.send?.(raw, part);
    raw.end();
  } catch (error) {
    // A client that has disconnected needs nothing more.
    if (!raw.destroyed && !isDisconnect(error))
      request.ctx.log.error({ requestId: request.id, err: error }, "an answer was cut off");
    raw.destroy();
  }
  return reply;
}

function isDisconnect(error: unknown): boolean {
  return ["EPIPE", "ECONNRESET"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** The server in front handles conditions and ranges, and sends its own length and tag. */
async function handOver(request: FastifyRequest, reply: FastifyReply, file: OpenedFile): Promise<FastifyReply> {
  const { header, value } = file.handover as NonNullable<OpenedFile["handover"]>;
  const range = parseRange(request.headers.range, file.size);
  if (request.method !== "HEAD" && (typeof range === "string" || range.start === 0)) file.count();
  await file.close();
  return reply.header(header, value).send();
}

export function setTypeHeaders(
  reply: FastifyReply,
  { mime, name }: Pick<OpenedFile, "mime" | "name">,
  disposition: Sending["disposition"],
): void {
  const key = `${disposition}\n${mime}\n${name}`;
  let known = typeHeaders.get(key);
  if (!known) {
    known = typeHeadersOf(mime, name, disposition);
    typeHeaders.set(key, known);
  }
  reply.header("content-type", known.type);
  reply.header("content-disposition", known.disposition);
  reply.header("content-security-policy", known.policy);
}

interface TypeHeaders {
  type: string;
  disposition: string;
  policy: string;
}

const typeHeaders = createLru<TypeHeaders>(2_000);

function typeHeadersOf(mime: string, name: string, disposition: Sending["disposition"]): TypeHeaders {
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime.toLowerCase() : "application/octet-stream";
  const isInert = inertTypes.has(type) || /^(audio|video|font)\//.test(type);
  // With nosniff no browser takes plain text for code.
  const sent = codeTypes.test(type) ? "text/plain" : type.replace(/^application\/wasm$/, "application/octet-stream");
  return {
    type: sent.startsWith("text/") ? `${sent}; charset=utf-8` : sent,
    disposition: dispositionText(isInert ? disposition : "attachment", name),
    policy: isInert ? inertPolicy : activePolicy,
  };
}

/** RFC 6266: an ASCII name for every client, and the full one for those that support it. */
export function dispositionText(disposition: Sending["disposition"], name: string): string {
  const clean = name
    .replace(/\p{Cc}/gu, "")
    .toWellFormed()
    .trim();
  const offered = clean.split(/[/\\]/).at(-1) || "file";
  const plain = offered.replace(/[^\x20-\x7e]/g, "_").replace(/["%\\]/g, "_");
  const text = `${disposition}; filename="${plain}"`;
  return plain === offered ? text : `${text}; filename*=UTF-8''${encodeExtended(offered)}`;
}

/** RFC 8187 allows fewer characters than a URL does. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** If-Modified-Since counts only where there is no If-None-Match (RFC 9110, 13.1.3). */
export function isKnown({ headers }: FastifyRequest, etag: string, modified?: number): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined) return namesTag(tags, etag);
  const since = headers["if-modified-since"];
  if (since === undefined || modified === undefined) return false;
  return Math.floor(modified / 1_000) * 1_000 <= Date.parse(since);
}

/** With If-Range only for exactly the bytes that the client has a part of: a weak tag or a date is not reliable enough. */
function askedRange({ headers }: FastifyRequest, etag: string, size: number): ReturnType<typeof parseRange> {
  const condition = headers["if-range"];
  if (condition !== undefined && condition !== etag) return "none";
  return parseRange(headers.range, size);
}
