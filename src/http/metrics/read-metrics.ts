// Metrics of reads: how long the event loop is blocked, and the lanes of queries.

import type * as PromClient from "prom-client";
import { heldBounds, type LoopGuard } from "#base/loop-guard.ts";
import type { App } from "#context.ts";
import { histogram } from "./histogram.ts";

export function addReadMetrics(
  { Counter, Gauge }: typeof PromClient,
  registry: PromClient.Registry,
  { storage }: App,
  guard: LoopGuard,
): void {
  registry.registerMetric(heldMetric(guard) as never);
  const registers = [registry];
  const longest = new Gauge({
    name: "cairn_event_loop_held_max_seconds",
    help: "The longest block since the last scrape: by the clock, and by the process's own work.",
    labelNames: ["by"],
    aggregator: "max",
    registers,
    collect() {
      for (const [by, seconds] of Object.entries(guard.longest())) longest.set({ by }, seconds);
    },
  });
  const counts = () => storage.readCounts?.();
  const waiting = new Gauge({
    name: "cairn_queries_waiting",
    help: "Queries that wait, by lane.",
    labelNames: ["lane"],
    registers,
    collect() {
      const { quickWaiting = 0, slowWaiting = 0, streams } = counts() ?? {};
      waiting.set({ lane: "quick" }, quickWaiting);
      waiting.set({ lane: "slow" }, slowWaiting);
      waiting.set({ lane: "stream" }, streams?.waiting ?? 0);
    },
  });
  const done = new Counter({
    name: "cairn_queries_total",
    help: "Queries that were run, by lane, since the start.",
    labelNames: ["lane"],
    registers,
    collect() {
      const { quick = 0, slow = 0, streams } = counts() ?? {};
      done.reset();
      done.inc({ lane: "quick" }, quick);
      done.inc({ lane: "slow" }, slow);
      done.inc({ lane: "stream" }, streams?.done ?? 0);
    },
  });
  const ended = new Counter({
    name: "cairn_queries_ended_total",
    help: "Queries that were stopped, cancelled by their callers or refused, and threads that were replaced, since the start.",
    labelNames: ["reason"],
    registers,
    collect() {
      const { stopped = 0, cancelled = 0, busy = 0, overBudget = 0, replaced = 0, streams } = counts() ?? {};
      ended.reset();
      ended.inc({ reason: "stopped" }, stopped);
      ended.inc({ reason: "cancelled" }, cancelled);
      ended.inc({ reason: "busy" }, busy + (streams?.busy ?? 0));
      ended.inc({ reason: "budget" }, overBudget);
      ended.inc({ reason: "cut" }, streams?.cut ?? 0);
      ended.inc({ reason: "thread" }, replaced);
    },
  });
  const waited = new Counter({
    name: "cairn_queries_waited_seconds_total",
    help: "How long queries have waited, since the start.",
    registers,
    collect() {
      waited.reset();
      waited.inc((counts()?.waitedMs ?? 0) / 1_000);
    },
  });
  const logBytes = new Gauge({
    name: "cairn_database_log_bytes",
    help: "Size of the database's log, where the engine keeps one in a file.",
    aggregator: "max",
    registers,
    collect() {
      logBytes.set(counts()?.streams?.logBytes ?? 0);
    },
  });
  const holding = new Counter({
    name: "cairn_streams_holding_log_total",
    help: "How often a long read was open for more than 5 minutes while that log was larger than 1 GB, since the start.",
    registers,
    collect() {
      holding.reset();
      holding.inc(counts()?.streams?.holdingLog ?? 0);
    },
  });
  const oldest = new Gauge({
    name: "cairn_oldest_stream_seconds",
    help: "How long the oldest open long read has been open: it keeps the database's log from being reset.",
    aggregator: "max",
    registers,
    collect() {
      const since = counts()?.streams?.oldest;
      oldest.set(since === undefined ? 0 : (performance.now() - since) / 1_000);
    },
  });
}

function heldMetric(guard: LoopGuard): object {
  const name = "cairn_event_loop_held_seconds";
  return {
    name,
    get: async () => ({
      name,
      help: "How long the event loop was blocked, measured every 5 ms.",
      type: "histogram",
      aggregator: "sum",
      values: histogram(name, { ...guard.held(), labels: {}, bounds: heldBounds }),
    }),
    reset: () => {},
  };
}
