// Parts for every route file, and small readers of a request that they share.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#access/actor.ts";
import { callerOf } from "#access/callers.ts";
import { fail } from "#base/errors.ts";
import { networkOf } from "#base/net/addresses.ts";
import { type App, type Context, contextMaker, type Origin } from "#context.ts";
import { maxNote } from "#contract/history.ts";
import type { Json } from "#contract/json.ts";
import type { Query } from "./query-string.ts";

export interface HttpParts {
  app: App;
  /** For absolute links; no slash at the end. */
  baseUrl(): string;
}

/** Addresses of the API, whether there is such a route or not. */
export function isApiPath(path: string): boolean {
  return /^\/(api|collections)(\/|$)/.test(path);
}

/** For audit records of a call; plain reads leave none. */
export function originOf(request: FastifyRequest): Origin | undefined {
  const { method } = request;
  return method === "GET" || method === "HEAD" ? undefined : { address: request.ip, requestId: request.id };
}

/** A proxy may forward something that is not an address. */
export function addressOf({ ip, raw }: FastifyRequest): string | undefined {
  return networkOf(ip) ?? raw.socket.remoteAddress;
}

/** The context of one request: the caller, and its abort signal. */
export type ContextOf = (actor: Actor, request: FastifyRequest, reply: FastifyReply) => Context;

export function requestContexts(app: App): ContextOf {
  const make = contextMaker(app);
  return (actor, request, reply) => {
    const caller = callerOf(actor, { address: () => addressOf(request), response: reply.raw });
    const ctx = make(actor, originOf(request), caller);
    const note = noteOf(request);
    if (note !== undefined) ctx.trail = { note };
    return ctx;
  };
}

/** Why the caller writes, in its own words. Header values come as bytes; ours are UTF-8. */
function noteOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers["x-cairn-note"];
  if (sent === undefined) return undefined;
  const note = Buffer.from(String(sent), "latin1").toString("utf8").trim();
  if (note.length > maxNote) fail("invalid", `X-Cairn-Note must not be longer than ${maxNote} characters.`);
  return note === "" ? undefined : note;
}

export function bodyOf(request: FastifyRequest): Json {
  if (request.body === undefined) fail("invalid", "The request needs a JSON body.");
  return request.body as Json;
}

export function queryOf(request: FastifyRequest): Query {
  return request.query as Query;
}

export function ifMatchOf(request: FastifyRequest): string | undefined {
  return request.headers["if-match"];
}
