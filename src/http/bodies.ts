// Request bodies: JSON only, read whole up to a limit and a time. Other kinds are taken in the scopes that ask for them.
// A body that is refused unread ends the connection, so that nobody can make us read on.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CairnError } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";

const bodyTime = 60_000;
const lookEvery = 5_000;
/** What may be read and thrown away to keep a connection. */
const droppable = 65_536;

/** Bodies that are under way, and until when: one timer looks after all, because most are here before it does. */
const underWay = new Map<IncomingMessage, number>();
let watch: NodeJS.Timeout | undefined;

type Done = (error: unknown, bytes?: Buffer) => void;

type BodyParser = (
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, body?: unknown) => void,
) => void;

export function acceptJson(server: FastifyInstance, limit: number): void {
  server.removeAllContentTypeParsers();
  const parser = jsonParser(limit);
  server.addContentTypeParser("application/json", parser);
  server.addContentTypeParser(/^application\/[\w.-]+\+json(;|$)/, parser);
}

export function jsonParser(limit: number, parse: (bytes: Buffer) => unknown = parseJson): BodyParser {
  return (_request, payload, done) =>
    collect(payload, limit, (error, bytes) => {
      if (!bytes) return done(error as Error);
      let body: unknown;
      try {
        body = bytes.length === 0 ? undefined : parse(bytes);
      } catch (refused) {
        return done(refused as Error);
      }
      done(null, body);
    });
}

export function readBody(payload: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    collect(payload, limit, (error, bytes) => (bytes ? resolve(bytes) : reject(error)));
  });
}

/** Calls back once: with all bytes, or with what is wrong. */
function collect(payload: IncomingMessage, limit: number, done: Done): void {
  if (Number(payload.headers["content-length"]) > limit) {
    done(new CairnError("too-large"));
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
    if (length <= limit) {
      chunks.push(chunk);
      return;
    }
    payload.pause();
    payload.off("data", take);
    settle(new CairnError("too-large"));
  };
  // Every request is closed in the end, and making an error is dear.
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

/** Closing a socket that still holds unread bytes resets it, and the client may lose the answer: shut our side, then wait. */
function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), 1_000).unref();
  };
}
