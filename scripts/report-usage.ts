// Loaded into the process of a test file by `scripts/test.ts --times`. As that process ends, it writes to CAIRN_USAGE_FILE how much
// processor time it and its children used, and how many servers and commands it started.

import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import type { WarmUse } from "../tests/support/warm.ts";
import { processorTime } from "./processor-time.ts";

export interface Usage {
  own: number;
  started: number;
  servers: number;
  commands: number;
}

const counts = { servers: 0, commands: 0 };
subscribe("child_process", (message) => {
  const { process: child } = message as { process: { spawnargs?: string[] } };
  // The arguments are set after this.
  process.nextTick(() => {
    const args = child.spawnargs ?? [];
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

const file = process.env.CAIRN_USAGE_FILE;
// Not those that the tests start.
delete process.env.CAIRN_USAGE_FILE;
process.once("exit", () => {
  if (!file) return;
  const { own, started } = processorTime();
  writeFileSync(file, JSON.stringify({ own, started: started + warm, ...counts } satisfies Usage));
});
