// For operators: liveness, readiness and metrics.

import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { system } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { auditState } from "#access/audit.ts";
import { isLoopback } from "#base/net/addresses.ts";
import { findLongHoldUp } from "#content/history/feed.ts";
import { type App, contextFor } from "#context.ts";
import { localRead } from "#http/forward/forward-requests.ts";
import type { Metrics } from "#http/metrics/metrics.ts";
import type { HttpParts } from "#http/request-helpers.ts";
import { sendJson } from "#http/send.ts";
import { isOutdated } from "#installation/nodes.ts";

const probe = localRead({ config: { takesOldSettings: "at-once" } as const });

/** Alive and ready: open to all callers. */
export function healthRoutes(server: FastifyInstance, { app }: HttpParts, isStopping: () => boolean): void {
  server.get("/healthz", probe, async (_request, reply) => sendJson(reply, { status: "ok" }));

  const readiness = createReadiness(app);
  const holdUp = createHoldUp(app);
  server.get("/readyz", probe, async (_request, reply) => {
    const status = isStopping() ? "stopping" : await readiness();
    if (status !== "ok") return sendJson(reply.code(503), { status });
    const audit = auditState(app).isFailing && { audit: "failing" };
    return sendJson(reply, { status, ...audit, ...(await holdUp()) });
  });
}

const holdUpEveryMs = 10_000;

/** Asked for at most once in some seconds, however many ask. Unknown where the database does not answer. */
function createHoldUp(app: Pick<App, "storage">): () => Promise<{ history?: string }> {
  const look = async () => {
    const found = await findLongHoldUp(app).catch(() => undefined);
    if (!found) return {};
    const { process, seconds } = found;
    return { history: `held up for ${seconds} s by an open transaction of the database process ${process}` };
  };
  let seen: { until: number; found: Promise<{ history?: string }> } | undefined;
  return () => {
    const now = performance.now();
    if (!seen || now >= seen.until) seen = { until: now + holdUpEveryMs, found: look() };
    return seen.found;
  };
}

type Readiness = "ok" | "unavailable" | "read-only" | "outdated";

/** Checks at most once a second, however many ask, because it writes to the disk. */
function createReadiness({ storage }: Pick<App, "storage">): () => Promise<Readiness> {
  const look = async (): Promise<Readiness> => {
    if (isOutdated(storage)) return "outdated";
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

/** For keys that reach it and administrators; for collectors on the same machine only where a setting allows it. */
export function metricsRoutes(server: FastifyInstance, { app }: HttpParts, metrics: Metrics): void {
  server.get("/metrics", async (request, reply) => {
    const isOpen = app.settings.get("metrics.openOnLoopback") && isLocal(request);
    const ctx = isOpen ? contextFor(app, system) : request.ctx;
    allow(ctx, "read", { kind: "metrics" });
    const { type, text } = await metrics.render(ctx);
    return reply.header("content-type", type).send(Readable.from(text));
  });
}

/** A proxy on this machine that sends no forwarding header looks the same, hence the setting. A rebound name of a web page does not. */
function isLocal({ raw, headers, hostname }: FastifyRequest): boolean {
  if (headers.forwarded !== undefined || Object.keys(headers).some((name) => name.startsWith("x-forwarded-")))
    return false;
  return isLoopback(raw.socket.remoteAddress ?? "") && isLoopback(hostname.replace(/^\[|\]$/g, ""));
}

async function fails(check: Promise<void>): Promise<boolean> {
  return check.then(
    () => false,
    () => true,
  );
}
