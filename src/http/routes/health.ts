// For those who run the service: is it alive, can it work, and how does it do.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { allow } from "#access/allow.ts";
import { auditState } from "#access/audit.ts";
import type { App } from "#context.ts";
import { sendJson } from "#http/answers.ts";
import type { Door } from "#http/door.ts";
import type { Metrics } from "#http/metrics.ts";

/** Alive, and ready: neither asks who calls. */
export function healthRoutes(server: FastifyInstance, { app }: Door): void {
  server.get("/healthz", async (_request, reply) => sendJson(reply, { status: "ok" }));

  const readiness = createReadiness(app);
  server.get("/readyz", async (_request, reply) => {
    const status = await readiness();
    if (status !== "ok") return sendJson(reply.code(503), { status });
    return sendJson(reply, { status, ...(auditState(app).isFailing && { audit: "failing" }) });
  });
}

type Readiness = "ok" | "unavailable" | "read-only";

/** Looks once a second at most, however many ask: it writes to the disk. */
function createReadiness({ storage }: Pick<App, "storage">): () => Promise<Readiness> {
  const look = async (): Promise<Readiness> => {
    if (await fails(storage.ping("read"))) return "unavailable";
    return (await fails(storage.ping("write"))) ? "read-only" : "ok";
  };
  let seen: { until: number; readiness: Promise<Readiness> } | undefined;
  return () => {
    const now = performance.now();
    if (!seen || now >= seen.until) seen = { until: now + 1_000, readiness: look() };
    return seen.readiness;
  };
}

/** For a key, or for a collector on the same machine. */
export function metricsRoutes(server: FastifyInstance, metrics: Metrics): void {
  server.get("/metrics", async (request, reply) => {
    if (!isLocal(request)) allow(request.ctx, "read", { kind: "metrics" });
    return sendMetrics(reply, metrics);
  });
}

async function sendMetrics(reply: FastifyReply, metrics: Metrics): Promise<FastifyReply> {
  const { type, text } = await metrics.render();
  return reply.header("content-type", type).send(text);
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
