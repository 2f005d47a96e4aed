// For those who run the service: is it alive, can it work, and how does it do.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { allow } from "#access/allow.ts";
import { auditState } from "#access/audit.ts";
import { sendJson } from "#http/answers.ts";
import type { Door } from "#http/door.ts";
import type { Metrics } from "#http/metrics.ts";

/** Alive, and ready: neither asks who calls. */
export function healthRoutes(server: FastifyInstance, { app }: Door): void {
  server.get("/healthz", async (_request, reply) => sendJson(reply, { status: "ok" }));

  server.get("/readyz", async (_request, reply) => {
    const { storage } = app;
    if (await fails(storage.ping("read"))) return sendJson(reply.code(503), { status: "unavailable" });
    if (await fails(storage.ping("write"))) return sendJson(reply.code(503), { status: "read-only" });
    return sendJson(reply, { status: "ok", ...(auditState(app).isFailing && { audit: "failing" }) });
  });
}

/** For a key, or for a collector on the same machine. */
export function metricsRoutes(server: FastifyInstance, metrics: Metrics): void {
  server.get("/metrics", async (request, reply) => {
    if (!isLocal(request)) allow(request.ctx, "read", { kind: "metrics" });
    return sendMetrics(reply, metrics);
  });
}

async function sendMetrics(reply: FastifyReply, metrics: Metrics): Promise<FastifyReply> {
  return reply.header("content-type", metrics.contentType).send(await metrics.render());
}

/** By the socket alone, and not when a proxy may stand in between. */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  if (headers.forwarded !== undefined || Object.keys(headers).some((name) => name.startsWith("x-forwarded-")))
    return false;
  return /^(::ffff:)?127\.|^::1$/.test(raw.socket.remoteAddress ?? "");
}

async function fails(check: Promise<void>): Promise<boolean> {
  return check.then(
    () => false,
    () => true,
  );
}
