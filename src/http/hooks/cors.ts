// Browser scripts of other origins may read, without credentials; they never write, but to the endpoints of OAuth.
// With the default `*` the origin is not echoed, so an answer never depends on its caller.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "#context.ts";

const exposed =
  "ETag, Link, Retry-After, X-Next-Cursor, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Total-Count";

export function allowReading(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers;
  if (origin === undefined || (request.method !== "GET" && request.method !== "HEAD")) return;
  if (nameOrigin(app, reply, origin)) reply.header("access-control-expose-headers", exposed);
}

export function answerPreflight(app: App, reply: FastifyReply, origin: string | undefined): void {
  if (origin === undefined || !nameOrigin(app, reply, origin)) return;
  reply
    .header("access-control-allow-methods", "GET, HEAD")
    .header("access-control-allow-headers", "Authorization, Content-Type, If-None-Match, X-API-Key")
    .header("access-control-max-age", "86400");
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

function nameOrigin(app: App, reply: FastifyReply, origin: string): boolean {
  const origins = app.settings.get("api.corsOrigins");
  if (origins.includes("*")) reply.header("access-control-allow-origin", "*");
  else {
    reply.header("vary", "Origin");
    if (!origins.includes(origin)) return false;
    reply.header("access-control-allow-origin", origin);
  }
  return true;
}
