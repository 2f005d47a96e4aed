// The shapes of successful answers. Texts that are JSON already are joined, never parsed.

import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { waitForFirst } from "#base/first-piece.ts";
import type { Ignored } from "#content/objects/ignored.ts";
import { isTagOf, tagOf } from "#content/preconditions.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { compress, encodingFor, setEncoded, type TextEncoding } from "./compress.ts";
import { nameIgnored } from "./hooks/name-ignored.ts";
import { jsonType } from "./media-types.ts";

export function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header("content-type", jsonType).send(text);
}

/** An object whose last value is in UTF-8 already: past the framework, which would copy it behind its head. */
export function sendAround(reply: FastifyReply, before: string, bytes: Buffer): Sent {
  reply.header("content-type", jsonType);
  const encoding = encodingOf(reply, bytes.length);
  if (encoding) return sendEncoded(reply, Buffer.concat([Buffer.from(before), bytes, Buffer.from("}")]), encoding);
  if (reply.request.method !== "GET") return reply.send(Buffer.concat([Buffer.from(before), bytes, Buffer.from("}")]));
  const raw = sendHead(reply, Buffer.byteLength(before) + bytes.length + 1);
  raw.write(before);
  raw.write(bytes);
  raw.end("}");
  return reply;
}

type Sent = FastifyReply | Promise<FastifyReply>;

/** Content that clients may take compressed. Not for answers with a token: their length would tell of it. */
export function sendContentText(reply: FastifyReply, text: string): Sent {
  const encoding = encodingOf(reply, text.length);
  if (!encoding) return sendText(reply, text);
  return sendEncoded(reply.header("content-type", jsonType), Buffer.from(text), encoding);
}

/** As sendFresh, for content. */
export function sendContent(request: FastifyRequest, reply: FastifyReply, answer: Tagged): Sent {
  const encoding = encodingOf(reply, answer.text.length);
  const known = request.headers["if-none-match"];
  if (!encoding || (known !== undefined && namesTag(known, answer.etag))) return sendFresh(request, reply, answer);
  reply.header("cache-control", "private, no-cache").header("etag", answer.etag).header("content-type", jsonType);
  return sendEncoded(reply, Buffer.from(answer.text), encoding);
}

/** Nothing is looked up for clients that ask for none, nor for HEAD. */
export function encodingOf({ request }: FastifyReply, length: number): TextEncoding | undefined {
  const header = request.headers["accept-encoding"];
  return header === undefined || request.method !== "GET" ? undefined : encodingFor(header, length);
}

async function sendEncoded(reply: FastifyReply, bytes: Buffer, encoding: TextEncoding): Promise<FastifyReply> {
  const encoded = await compress(bytes, encoding);
  setEncoded(reply, encoding);
  return reply.send(encoded);
}

export function sendJson(reply: FastifyReply, value: Json | object): FastifyReply {
  return sendText(reply, JSON.stringify(value));
}

export function sendData(reply: FastifyReply, value: Json | object): FastifyReply {
  return sendText(reply, `{"data":${JSON.stringify(value)}}`);
}

/** `{data: object}` with its ETag: the answer to every write of one object. */
export function sendObject(reply: FastifyReply, answer: Saved): FastifyReply {
  if (answer.ignored?.length) nameIgnored(reply, "body", answer.ignored);
  return sendTagged(reply, wrapInData(answer));
}

interface Saved extends Tagged {
  meta?: JsonObject;
  ignored?: readonly Ignored[];
}

/** A whole answer, and its strong tag. */
export interface Tagged {
  text: string;
  /** The same in UTF-8, one byte a character. */
  octets?: string | undefined;
  etag: string;
}

export function tagged(value: Json | object, etag?: string): Tagged {
  const text = JSON.stringify(value);
  return { text, etag: etag ?? tagOf(text) };
}

interface Wrapped extends Tagged {
  meta?: JsonObject;
  /** JSON text of the objects that come along. */
  expand?: string;
}

export function wrapInData({ text, octets, etag, meta, expand }: Wrapped): Tagged {
  if (expand !== undefined) return { text: `{"data":${text},"expand":${expand}}`, etag };
  if (!meta && octets !== undefined) return { text: `{"data":${text}}`, octets: `{"data":${octets}}`, etag };
  return { text: `{"data":${text}${meta ? `,"meta":${JSON.stringify(meta)}` : ""}}`, etag };
}

export function sendTagged(reply: FastifyReply, { text, etag }: Tagged): FastifyReply {
  return sendText(reply.header("etag", etag), text);
}

/** The answer to a read: clients may cache it, but must revalidate each time. */
export function sendFresh(request: FastifyRequest, reply: FastifyReply, answer: Tagged): FastifyReply {
  reply.header("cache-control", "private, no-cache");
  const known = request.headers["if-none-match"];
  if (known !== undefined && namesTag(known, answer.etag))
    return sendNothing(reply.header("etag", answer.etag).code(304));
  if (answer.octets === undefined || request.method !== "GET") return sendTagged(reply, answer);
  return sendOctets(reply.header("etag", answer.etag), answer.octets);
}

/** In one piece with their head, past the framework: nothing is measured or encoded. */
function sendOctets(reply: FastifyReply, octets: string): FastifyReply {
  reply.header("content-type", jsonType);
  sendHead(reply, octets.length).end(octets, "latin1");
  return reply;
}

/** The caller writes the rest. */
export function sendHead(reply: FastifyReply, length: number): ServerResponse {
  reply.header("content-length", String(length));
  const { raw } = reply.hijack();
  return raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
}

/** For HEAD the framework would send a length of 0, where GET has more. */
export function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.request.method === "HEAD" ? reply.send(Readable.from([])) : reply.send();
}

/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
export function namesTag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === "*") return true;
  return header.split(",").some((tag) => isTagOf(tag.trim().replace(/^W\//, ""), etag));
}

export function asAttachment(reply: FastifyReply, type: string, name: string): FastifyReply {
  return reply.header("content-type", type).header("content-disposition", `attachment; filename="${name}"`);
}

/** A streamed answer of any length. HEAD gets the headers only; the body is not generated, so there is no length. */
export async function sendChunks(reply: FastifyReply, chunks: AsyncIterable<string>): Promise<FastifyReply> {
  if (reply.request.method === "HEAD") return sendNothing(reply);
  // Until the first piece is ready, an error can still be sent.
  return reply.send(Readable.from(watched(reply, await waitForFirst(chunks))));
}

/** Once the headers are sent, an error can only cut the answer off; the reason is logged. */
async function* watched(reply: FastifyReply, chunks: AsyncIterable<string>): AsyncIterable<string> {
  try {
    yield* chunks;
  } catch (error) {
    const { request } = reply;
    if (reply.raw.headersSent) request.ctx.log.error({ requestId: request.id, err: error }, "an answer was cut off");
    throw error;
  }
}
