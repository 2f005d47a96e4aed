// Loaded into a server process before anything else (`node --import`): measures how much processor time the main thread uses
// in one turn of the event loop, and how much memory its heap holds. At SIGUSR2 it writes both to the folder named by
// TURN_REPORT, and begins again. Processor time, because a turn that waits for a busy machine has held nobody up by itself.

import { subscribe } from "node:diagnostics_channel";
import { renameSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const folder = process.env.TURN_REPORT;

if (folder && isMainThread) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heapNow = () => getHeapStatistics().used_heap_size;
  /** The longest ones, in order. */
  let turns: { ms: number; during: string[] }[] = [];
  let peak = 0;
  /** Collections of the whole heap. */
  let majors = 0;
  /** Requests that began in the turn. */
  let begun: string[] = [];
  let reports = 0;
  let before = process.threadCpuUsage();

  // Without a reference it makes no turn by itself: it runs once at the end of each.
  const endOfTurn = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1_000;
    if (ms > (turns[kept - 1]?.ms ?? 0)) {
      turns.push({ ms: ms / slowness(ms), during: begun });
      turns = turns.sort((a, b) => b.ms - a.ms).slice(0, kept);
    }
    begun = [];
    setImmediate(endOfTurn).unref();
    before = process.threadCpuUsage();
  };
  setImmediate(endOfTurn).unref();

  subscribe("http.server.request.start", (message) => {
    const { method, url } = (message as { request: IncomingMessage }).request;
    begun.push(`${method} ${url}`);
  });

  // What is held is known after a collection only.
  new PerformanceObserver((list) => {
    const isMajor = (entry: object) =>
      (entry as { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    const all = list.getEntries().filter(isMajor).length;
    majors += all;
    if (all > 0) peak = Math.max(peak, heapNow());
  }).observe({ entryTypes: ["gc"] });

  process.on("SIGUSR2", () => {
    collect();
    reports += 1;
    const text = JSON.stringify({ reports, turns, majors, held: heapNow(), peak: Math.max(peak, heapNow()) });
    const file = join(folder, `${process.pid}.json`);
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
    turns = [];
    peak = 0;
    majors = 0;
    before = process.threadCpuUsage();
  });
}

/** So many turns are reported. */
const kept = 3;
/** Shorter turns are of no interest, however slow the machine. */
const worthAsking = 100;
/** What the measure takes on a machine of its own, in milliseconds. */
const usual = 12;

/** How many times longer than usual the processor takes at this moment: cores that are shared slow each other down. */
function slowness(ms: number): number {
  return ms < worthAsking ? 1 : Math.max(1, measure() / usual);
}

function measure(): number {
  const begun = process.threadCpuUsage();
  let sum = 0;
  for (let at = 0; at < 10_000_000; at++) sum = Math.imul(sum ^ at, 31);
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system + (sum === 0.5 ? 1 : 0)) / 1_000;
}
