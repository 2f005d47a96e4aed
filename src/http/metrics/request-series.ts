// Counts and durations of requests by route and status: counted in plain numbers, so that counting costs almost nothing, added up
// over processes and written as text. There can be thousands of series of 16 lines each. So adding up and writing let other
// work run in between, and both work on a copy of one moment.

import type { FastifyReply, FastifyRequest } from "fastify";
import { createPause } from "#base/event-loop.ts";
import { histogram } from "./histogram.ts";

const name = "cairn_http_request_duration_seconds";
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const blockLength = 64 * 1024;

export interface RequestSeries {
  method: string;
  route: string;
  status: number;
  count: number;
  sum: number;
  /** By `bounds`; not cumulative. */
  buckets: number[];
}

export interface RequestCounts {
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts requests that were answered before routing; takes milliseconds. */
  countOf(labels: Pick<RequestSeries, "method" | "route" | "status">): (ms: number) => void;
  /** As they are at this moment. */
  copy(): RequestSeries[];
}

export function countRequests(): RequestCounts {
  // By route object, then status: both are looked up by identity.
  const byRoute = new Map<object, Map<number, RequestSeries>>();
  const early: RequestSeries[] = [];
  const unknown = {};

  function seriesOf(request: FastifyRequest, status: number): RequestSeries {
    // The framework collects `routeOptions` each time it is read.
    const config = request.is404 ? undefined : request.routeOptions.config;
    const key = config ?? unknown;
    const byStatus = byRoute.get(key) ?? new Map<number, RequestSeries>();
    if (byStatus.size === 0) byRoute.set(key, byStatus);
    let series = byStatus.get(status);
    if (!series) {
      const route = config === undefined ? "unknown" : config.url;
      const method = config === undefined ? "any" : request.method;
      series = createSeries({ method, route, status });
      byStatus.set(status, series);
    }
    return series;
  }

  return {
    note: (request, reply) => addTo(seriesOf(request, reply.statusCode), reply.elapsedTime),
    countOf(labels) {
      const series = createSeries(labels);
      early.push(series);
      return (ms) => addTo(series, ms);
    },
    copy() {
      const sums = new Map<string, RequestSeries>();
      for (const byStatus of byRoute.values()) for (const series of byStatus.values()) addUp(sums, series);
      for (const series of early) if (series.count > 0) addUp(sums, series);
      return [...sums.values()];
    },
  };
}

function createSeries(labels: Pick<RequestSeries, "method" | "route" | "status">): RequestSeries {
  return { ...labels, count: 0, sum: 0, buckets: bounds.map(() => 0) };
}

function addTo(series: RequestSeries, ms: number): void {
  const seconds = ms / 1_000;
  series.count += 1;
  series.sum += seconds;
  for (let at = 0; at < bounds.length; at += 1) {
    if (seconds <= (bounds[at] as number)) {
      (series.buckets[at] as number) += 1;
      break;
    }
  }
}

/** Those of one method, route and status become one. */
function addUp(sums: Map<string, RequestSeries>, series: RequestSeries): void {
  const key = `${series.method} ${series.status} ${series.route}`;
  const sum = sums.get(key);
  if (sum) {
    sum.count += series.count;
    sum.sum += series.sum;
    for (const [at, count] of series.buckets.entries()) (sum.buckets[at] as number) += count;
  } else sums.set(key, { ...series, buckets: series.buckets.slice() });
}

export async function addUpSeries(parts: readonly (readonly RequestSeries[])[]): Promise<RequestSeries[]> {
  const pause = createPause();
  const sums = new Map<string, RequestSeries>();
  for (const part of parts) {
    for (const series of part) {
      addUp(sums, series);
      await pause();
    }
  }
  return [...sums.values()];
}

/** In the Prometheus format, block by block. */
export async function* writeSeries(all: readonly RequestSeries[]): AsyncGenerator<string> {
  const pause = createPause();
  let block = `# HELP ${name} Requests by route and status, and how long they took.\n# TYPE ${name} histogram\n`;
  for (const series of all) {
    block += writeOne(series);
    if (block.length > blockLength) {
      yield block;
      block = "";
    }
    await pause();
  }
  yield block;
}

function writeOne({ method, route, status, ...counts }: RequestSeries): string {
  const labels = `method="${escapeLabel(method)}",route="${escapeLabel(route)}",status="${status}"`;
  let text = "";
  for (const { metricName, labels: own, value } of histogram(name, { ...counts, bounds, labels: {} }))
    text += `${metricName}{${labels}${"le" in own ? `,le="${own.le}"` : ""}} ${value}\n`;
  return text;
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
