// Request counts and durations by route and status, kept in plain numbers so that noting one costs next to nothing.
// prom-client renders them, beside its own figures about the process.

import type { FastifyReply, FastifyRequest } from "fastify";
import type * as PromClient from "prom-client";
import { auditState } from "#access/audit.ts";
import { lazily } from "#base/lazy.ts";
import { downloadsSinceStart } from "#content/download-counts.ts";
import type { App } from "#context.ts";

const promClient = lazily<typeof PromClient>("prom-client");

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  method: string;
  route: string;
  status: number;
  count: number;
  sum: number;
  buckets: number[];
}

export interface Metrics {
  note(request: FastifyRequest, reply: FastifyReply): void;
  render(): Promise<{ type: string; text: string }>;
}

export function createMetrics(app: App): Metrics {
  // By route object, then status: both are looked up by identity.
  const byRoute = new Map<object, Map<number, Series>>();
  const unknown = {};

  function seriesOf(request: FastifyRequest, status: number): Series {
    const { config } = request.routeOptions;
    const key = config.url === undefined ? unknown : config;
    const byStatus = byRoute.get(key) ?? new Map<number, Series>();
    if (byStatus.size === 0) byRoute.set(key, byStatus);
    let series = byStatus.get(status);
    if (!series) {
      const route = key === unknown ? "unknown" : config.url;
      const method = key === unknown ? "any" : request.method;
      series = { method, route, status, count: 0, sum: 0, buckets: bounds.map(() => 0) };
      byStatus.set(status, series);
    }
    return series;
  }

  const name = "cairn_http_request_duration_seconds";
  const durations = {
    name,
    get: async () => ({
      name,
      help: "Requests by route and status, and how long they took.",
      type: "histogram",
      aggregator: "sum",
      values: [...byRoute.values()].flatMap((byStatus) =>
        [...byStatus.values()].flatMap((series) => values(name, series)),
      ),
    }),
    reset: () => byRoute.clear(),
  };
  let made: PromClient.Registry | undefined;
  const registry = (): PromClient.Registry => {
    made ??= createRegistry(app, durations);
    return made;
  };

  return {
    note(request, reply) {
      const series = seriesOf(request, reply.statusCode);
      const seconds = reply.elapsedTime / 1_000;
      series.count += 1;
      series.sum += seconds;
      for (let at = 0; at < bounds.length; at += 1) {
        if (seconds <= (bounds[at] as number)) {
          (series.buckets[at] as number) += 1;
          break;
        }
      }
    },
    async render() {
      return { type: registry().contentType, text: await registry().metrics() };
    },
  };
}

function values(name: string, { method, route, status, count, sum, buckets }: Series) {
  const labels = { method, route, status };
  let below = 0;
  const cumulated = bounds.map((le, at) => {
    below += buckets[at] as number;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
  });
  return [
    ...cumulated,
    { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/** The library counts from its own start. */
function countSpent(registry: PromClient.Registry, { user, system }: NodeJS.CpuUsage): void {
  for (const [name, micros] of Object.entries({ user_: user, system_: system, "": user + system })) {
    const counter = registry.getSingleMetric(`cairn_process_cpu_${name}seconds_total`) as PromClient.Counter;
    counter.inc(micros / 1e6);
  }
}

/** The library comes with the first scrape: most installations have none, and it is large. */
function createRegistry(app: App, durations: object): PromClient.Registry {
  const prom = promClient();
  const registry = new prom.Registry();
  const spent = process.cpuUsage();
  prom.collectDefaultMetrics({ register: registry, prefix: "cairn_" });
  countSpent(registry, spent);
  new prom.Gauge({
    name: "cairn_audit_events_lost",
    help: "Events that could not be written to the audit log since the start.",
    registers: [registry],
    collect() {
      this.set(auditState(app).lost);
    },
  });
  const { counters } = app.imageCache;
  const imageCounters = { renders: "Images made from stored ones", hits: "Images answered that were made before" };
  for (const [name, help] of Object.entries(imageCounters) as [keyof typeof counters, string][]) {
    new prom.Gauge({
      name: `cairn_image_${name}`,
      help: `${help}, since the start.`,
      registers: [registry],
      collect() {
        this.set(counters[name]);
      },
    });
  }
  new prom.Gauge({
    name: "cairn_file_downloads",
    help: "Files sent by download and stream, since the start.",
    registers: [registry],
    collect() {
      this.set(downloadsSinceStart(app));
    },
  });
  registry.registerMetric(durations as never);
  return registry;
}
