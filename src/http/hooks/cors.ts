// Browser scripts of other origins, always without cookies. They may read, unless `api.corsOrigins` says less. They may
// write to the API and to webhooks of automations only from `cors.origins`. OAuth's endpoints are open to all of them.
// With `*` the origin is not echoed, so an answer never depends on its caller. Nothing here ever allows credentials.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "#context.ts";
import { findSessionCookie } from "#http/cookies.ts";
import { pathOf } from "#http/errors.ts";
import { isApiPath } from "#http/request-helpers.ts";
import { addVary } from "#http/vary.ts";

const exposed =
  "ETag, Idempotency-Replayed, Link, Location, Retry-After, X-Ignored, X-Next-Cursor, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Total-Count";
const sendable = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-API-Key";
const reads = new Set(["GET", "HEAD"]);
/** Routes that make and use sessions, which no other origin can have. */
const sessionPaths = /^\/api\/(auth|passkeys)(\/|$)/;

export function allowScripts(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const { method, headers } = request;
  const { origin } = headers;
  const isRead = reads.has(method);
  if (origin === undefined) {
    // A shared cache must not keep this answer for a script that may read it.
    if (isRead && !isOpenForReading(app)) addVary(reply, "Origin");
    return;
  }
  if (method === "OPTIONS") return;
  if (!isRead && (!isWritable(pathOf(request)) || findSessionCookie(headers.cookie) !== undefined)) return;
  const name = isRead ? nameForReading(app, origin) : nameForWriting(app, method, origin);
  if (name !== "*") addVary(reply, "Origin");
  if (name === undefined) return;
  reply.header("access-control-allow-origin", name).header("access-control-expose-headers", exposed);
}

/**
 * `methods`: of the address. A method that is not allowed gets no headers at all: browsers send POST whatever the list of
 * methods says.
 */
export function answerPreflight(app: App, request: FastifyRequest, reply: FastifyReply, methods: string[]): void {
  const { origin, "access-control-request-method": asked = "GET" } = request.headers;
  if (origin === undefined) return;
  const canWrite = isWritable(pathOf(request));
  const allowed = methods.filter((method) => !reads.has(method) && canWrite && nameForWriting(app, method, origin));
  const reader = methods.includes("GET") ? nameForReading(app, origin) : undefined;
  if (reader !== undefined) allowed.unshift("GET", "HEAD");
  const name = allowed.includes(asked) ? (reader ?? nameForWriting(app, asked, origin)) : undefined;
  if (name !== "*") addVary(reply, "Origin");
  if (name === undefined) return;
  reply
    .header("access-control-allow-origin", name)
    .header("access-control-allow-methods", allowed.join(", "))
    .header("access-control-allow-headers", sendable)
    .header("access-control-max-age", "86400");
}

/** Whether scripts of this origin may send this method. */
export function mayWrite(app: App, method: string, origin: string): boolean {
  return nameForWriting(app, method, origin) !== undefined;
}

/** For what asks for no cookie and is meant for everybody: the endpoints of OAuth. */
export function openToScripts(reply: FastifyReply): void {
  reply.header("access-control-allow-origin", "*").header("access-control-expose-headers", exposed);
}

export function answerOpenPreflight(reply: FastifyReply, methods: readonly string[]): void {
  openToScripts(reply);
  reply
    .header("access-control-allow-methods", methods.join(", "))
    .header("access-control-allow-headers", "Authorization, Content-Type, MCP-Protocol-Version")
    .header("access-control-max-age", "86400");
}

function isWritable(path: string): boolean {
  return (isApiPath(path) && !sessionPaths.test(path)) || path.startsWith("/automations/");
}

/** Scripts of every origin may read, so that an answer is the same for all. */
export function isOpenForReading({ settings }: App): boolean {
  return settings.get("api.corsOrigins").includes("*");
}

/** The value of the header that lets this origin read. */
function nameForReading(app: App, origin: string): string | undefined {
  return nameIn(app.settings.get("api.corsOrigins"), origin) ?? nameForWriting(app, "GET", origin);
}

function nameForWriting({ settings }: App, method: string, origin: string): string | undefined {
  return settings.get("cors.methods").includes(method) ? nameIn(settings.get("cors.origins"), origin) : undefined;
}

function nameIn(origins: readonly string[], origin: string): string | undefined {
  if (origins.includes("*")) return "*";
  return origins.includes(origin) ? origin : undefined;
}
