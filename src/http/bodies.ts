// Request bodies: JSON only, read whole up to a limit of size and time. Scopes that need other types add them.
// Callers without credentials may send less; the caller is known before a body is read.
// A body that is refused unread ends the connection, so that no client can make the server read on.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CairnError } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";
import type { App, Context } from "#context.ts";
import type { Json } from "#contract/json.ts";

const bodyTime = 60_000;
const lookEvery = 5_000;
/** Bytes that are read and dropped to keep a connection. */
const droppable = 65_536;

/** Pending bodies and their deadlines: one timer checks all, because most arrive before it fires. */
const underWay = new Map<IncomingMessage, number>();
let watch: NodeJS.Timeout | undefined;

type Done = (error: unknown, bytes?: Buffer) => void;

type BodyParser = (
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, body?: unknown) => void,
) => void;

/** The limit of a body in bytes, and its reason. */
export interface BodyLimit {
  bytes: number;
  isPublic: boolean;
}

/** `ofAll`: the limit for all callers. Callers whose context is unknown have no credentials. */
export function bodyLimit(
  { settings }: Pick<App, "settings">,
  ofAll: number,
  ctx: Pick<Context, "actor"> | undefined,
): BodyLimit {
  const forPublic = settings.get("api.maxPublicBodySize");
  const isPublic = (ctx === undefined || ctx.actor.kind === "anonymous") && forPublic < ofAll;
  return { bytes: isPublic ? forPublic : ofAll, isPublic };
}

/** JSON bodies, up to this many bytes. */
/** At once, or in pieces. */
type ParseBody = (bytes: Buffer) => Json | Promise<Json>;

export function acceptJson(server: FastifyInstance, app: App, maxSize: number, parse?: ParseBody): void {
  server.removeAllContentTypeParsers();
  const parser = jsonParser(({ ctx }) => bodyLimit(app, maxSize, ctx), parse);
  server.addContentTypeParser("application/json", parser);
  server.addContentTypeParser(/^application\/[\w.-]+\+json(;|$)/, parser);
}

export function jsonParser(limitOf: (request: FastifyRequest) => BodyLimit, parse: ParseBody = parseJson): BodyParser {
  return (request, payload, done) =>
    collect(payload, limitOf(request), (error, bytes) => {
      if (!bytes) return done(error as Error);
      let body: unknown;
      try {
        body = bytes.length === 0 ? undefined : parse(bytes);
      } catch (refused) {
        return done(refused as Error);
      }
      if (body instanceof Promise) body.then((parsed) => done(null, parsed), done);
      else done(null, body);
    });
}

export function readBody(payload: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    collect(payload, limit, (error, bytes) => (bytes ? resolve(bytes) : reject(error)));
  });
}

/** Calls back once: with all bytes, or with an error. */
function collect(payload: IncomingMessage, limit: BodyLimit, done: Done): void {
  if (isKnownTooLarge(payload, limit)) {
    done(tooLarge(limit));
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  let isSettled = false;
  const settle = (error: unknown, bytes?: Buffer) => {
    if (isSettled) return;
    isSettled = true;
    underWay.delete(payload);
    done(error, bytes);
  };
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limit.bytes) {
      chunks.push(chunk);
      return;
    }
    payload.pause();
    payload.off("data", take);
    settle(tooLarge(limit));
  };
  // Every request emits close in the end, and making an error is costly.
  const broken = () => {
    if (!isSettled) settle(new CairnError("invalid", "The body was cut short."));
  };
  follow(payload);
  payload
    .on("data", take)
    .on("end", () => settle(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)))
    .on("error", broken)
    .on("close", broken);
}

/** By its headers. */
export function isKnownTooLarge({ headers }: IncomingMessage, { bytes }: BodyLimit): boolean {
  return Number(headers["content-length"]) > bytes;
}

export function tooLarge({ bytes, isPublic }: BodyLimit): CairnError {
  const most = isPublic ? "the limit for callers without credentials" : "the limit";
  return new CairnError("too-large", `The body is larger than ${bytes} bytes, ${most}.`);
}

function follow(payload: IncomingMessage): void {
  underWay.set(payload, performance.now() + bodyTime);
  watch ??= setInterval(dropLate, lookEvery).unref();
}

function dropLate(): void {
  const now = performance.now();
  for (const [payload, deadline] of underWay) if (now > deadline) payload.destroy();
  if (underWay.size > 0) return;
  clearInterval(watch);
  watch = undefined;
}

/** For answers sent before the body was read: ends the connection unless the rest is small. */
export function closeUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { raw, headers } = request;
  if (raw.complete) return;
  const length = Number(headers["content-length"] ?? (headers["transfer-encoding"] ? Number.POSITIVE_INFINITY : 0));
  if (length <= droppable) return;
  reply.header("connection", "close");
  lingerOnClose(raw.socket);
}

/** Closing a socket with unread bytes resets it, and the client may lose the answer: close our side, then wait. */
export function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), 1_000).unref();
  };
}
