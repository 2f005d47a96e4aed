// What `/metrics` shows: counts of requests (request-series.ts), prom-client's own metrics of the process, and ours. Metrics of
// the whole site, such as the length of the queue, are read on each scrape; with several workers `cluster-metrics.ts` adds up
// the rest.

import cluster from "node:cluster";
import type * as PromClient from "prom-client";
import { auditState } from "#access/audit.ts";
import type { LoopGuard } from "#base/loop-guard.ts";
import { settleWithin } from "#base/settle-within.ts";
import type { App, Context } from "#context.ts";
import { countQueue, type QueueLength } from "#installation/jobs.ts";
import { downloadsSinceStart } from "#media/serving/download-counts.ts";
import { keptPagesOf } from "#site/cache/kept-pages.ts";
import { joinMetrics } from "./cluster-metrics.ts";
import { type MetricsText, promClient, readFigures, render } from "./figures.ts";
import { addReadMetrics } from "./read-metrics.ts";
import { countRequests, type RequestCounts } from "./request-series.ts";

const queueMs = 2_000;

export interface Metrics extends Pick<RequestCounts, "note" | "countOf"> {
  /** Of all processes of this server. */
  render(ctx: Context): Promise<MetricsText>;
}

export function createMetrics(app: App, guard: LoopGuard): Metrics {
  const requests = countRequests();
  let made: PromClient.Registry | undefined;
  const registry = (): PromClient.Registry => {
    made ??= createRegistry(app, guard);
    return made;
  };

  const own = async () => ({ requests: requests.copy(), others: await readFigures(registry()) });
  const askWorkers = cluster.isWorker ? joinMetrics(own) : undefined;

  return {
    note: requests.note,
    countOf: requests.countOf,
    async render(ctx) {
      const ofSite = createSiteRegistry(await knownQueue(ctx));
      if (askWorkers) return askWorkers({ requests: [], others: await readFigures(ofSite) });
      return render(promClient().Registry.merge([registry(), ofSite]), requests.copy());
    },
  };
}

/** Empty when the database does not answer: then the other metrics matter most. */
async function knownQueue(ctx: Context): Promise<QueueLength[]> {
  const counted = countQueue(ctx);
  await settleWithin([counted], queueMs);
  return Promise.race([counted, Promise.resolve([])]).catch(() => []);
}

function createSiteRegistry(queue: readonly QueueLength[]): PromClient.Registry {
  const prom = promClient();
  const registry = new prom.Registry();
  const jobs = new prom.Gauge({
    name: "cairn_queue_jobs",
    help: "Queued and running jobs, by kind: mail.* is mail, webhook.deliver are deliveries, automation are runs.",
    labelNames: ["kind", "state"],
    registers: [registry],
  });
  const delay = new prom.Gauge({
    name: "cairn_queue_delay_seconds",
    help: "How long the oldest job of a kind has been due.",
    labelNames: ["kind"],
    registers: [registry],
  });
  for (const { kind, waiting, running, delaySeconds } of queue) {
    jobs.set({ kind, state: "waiting" }, waiting);
    jobs.set({ kind, state: "running" }, running);
    delay.set({ kind }, delaySeconds);
  }
  return registry;
}

/** The library counts from its own start. */
function countSpent(registry: PromClient.Registry, { user, system }: NodeJS.CpuUsage): void {
  for (const [name, micros] of Object.entries({ user_: user, system_: system, "": user + system })) {
    const counter = registry.getSingleMetric(`cairn_process_cpu_${name}seconds_total`) as PromClient.Counter;
    counter.inc(micros / 1e6);
  }
}

/** The library is loaded with the first scrape: most installations have none, and it is large. */
function createRegistry(app: App, guard: LoopGuard): PromClient.Registry {
  const prom = promClient();
  const registry = new prom.Registry();
  const spent = process.cpuUsage();
  prom.collectDefaultMetrics({ register: registry, prefix: "cairn_" });
  countSpent(registry, spent);
  const { counters } = app.imageCache;
  const { counters: pages } = keptPagesOf(app);
  const sinceStart: [name: string, help: string, read: () => number][] = [
    ["audit_events_lost", "Events that could not be written to the audit log", () => auditState(app).lost],
    ["image_renders", "Images made from stored ones", () => counters.renders],
    ["image_hits", "Images answered from the cache", () => counters.hits],
    ["page_hits", "Pages of the site answered from memory, nothing having moved", () => pages.hits],
    ["page_validations", "Pages answered from memory after a check", () => pages.validations],
    ["page_renderings", "Pages of the site rendered", () => pages.renderings],
    ["file_downloads", "Files sent by download and stream", () => downloadsSinceStart(app)],
  ];
  for (const [name, help, read] of sinceStart) {
    new prom.Counter({
      name: `cairn_${name}`,
      help: `${help}, since the start.`,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
  addReadMetrics(prom, registry, app, guard);
  return registry;
}
