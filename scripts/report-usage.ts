// Loaded into the process of a test file by `scripts/test.ts --times`. As that process ends, it writes to CAIRN_USAGE_FILE how much
// processor time it and its children used, and how many servers and commands it started.

import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import type { WarmUse } from "../tests/support/warm.ts";
import { processorTime, timesBelow } from "./processor-time.ts";

export interface Usage {
  own: number;
  started: number;
  servers: number;
  commands: number;
}

const counts = { servers: 0, commands: 0 };
subscribe("child_process", (message) => {
  const { process: child } = message as { process: { pid?: number; spawnargs?: string[] } };
  // The arguments are set after this.
  process.nextTick(() => {
    const args = child.spawnargs ?? [];
    if (child.pid !== undefined && /chromium/.test(args[0] ?? "")) watchBrowser(child.pid);
    const at = args.findIndex((arg) => arg.endsWith("/src/main.ts"));
    if (at >= 0) counts[args[at + 1] === "serve" ? "servers" : "commands"] += 1;
  });
});

// Those in processes that others use as well are not children of this one.
let warm = 0;
subscribe("cairn:warm", (message) => {
  const { isServer, seconds } = message as WarmUse;
  counts[isServer ? "servers" : "commands"] += 1;
  warm += seconds;
});

/** Chromium waits for none of the processes below it, so that their time is in nobody's sum. */
const browsers = new Map<number, number>();
function watchBrowser(pid: number): void {
  const look = () => {
    for (const [below, seconds] of timesBelow(pid)) browsers.set(below, seconds);
  };
  setInterval(look, 1_000).unref();
}

const file = process.env.CAIRN_USAGE_FILE;
// Not those that the tests start.
delete process.env.CAIRN_USAGE_FILE;
process.once("exit", () => {
  if (!file) return;
  const { own, started } = processorTime();
  const inBrowsers = browsers.values().reduce((sum, seconds) => sum + seconds, 0);
  writeFileSync(file, JSON.stringify({ own, started: started + warm + inBrowsers, ...counts } satisfies Usage));
});
