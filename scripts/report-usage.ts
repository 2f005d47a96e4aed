// Loaded into the process of a test file by `scripts/test.ts --times`. As that process ends, it writes to CAIRN_USAGE_FILE how much
// processor time it and its children used, and how many servers and commands it started.

import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
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

const file = process.env.CAIRN_USAGE_FILE;
// Not those that the tests start.
delete process.env.CAIRN_USAGE_FILE;
process.once("exit", () => {
  if (file) writeFileSync(file, JSON.stringify({ ...processorTime(), ...counts } satisfies Usage));
});
