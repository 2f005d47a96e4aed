// Request bodies: JSON only, read whole up to a limit and a time. Other kinds are taken in the scopes that ask for them.
// A body that is refused unread ends the connection, so that nobody can make us read on.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CairnError } from "#base/errors.ts";
import { parseJson } from "#base/json.ts";

const bodyTime = 60_000;
/** What may be read and thrown away to keep a connection. */
const droppable = 65_536;

export function acceptJson(server: FastifyInstance, limit: number): void {
  server.removeAllContentTypeParsers();
  const parser = async (_request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBody(payload, limit);
    return bytes.length === 0 ? undefined : parseJson(bytes);
  };
  server.addContentTypeParser("application/json", parser);
  server.addContentTypeParser(/^application\/[\w.-]+\+json(;|$)/, parser);
}

export function readBody(payload: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(payload.headers["content-length"]) > limit) return reject(new CairnError("too-large"));
    const chunks: Buffer[] = [];
    let length = 0;
    let isSettled = false;
    const timer = setTimeout(() => payload.destroy(), bodyTime);
    const settle = (): boolean => {
      if (isSettled) return false;
      isSettled = true;
      clearTimeout(timer);
      return true;
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else if (settle()) {
        payload.pause();
        payload.off("data", take);
        reject(new CairnError("too-large"));
      }
    };
    const done = () => {
      if (settle()) resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    };
    const broken = () => {
      if (settle()) reject(new CairnError("invalid", "The body was cut short."));
    };
    payload.on("data", take).on("end", done).on("error", broken).on("close", broken);
  });
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
