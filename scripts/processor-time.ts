// Seconds that processes have used of the processors: what two runs of the tests are compared by.

import { readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** Of this process, and of those that it started and that have ended. */
export function processorTime(): { own: number; started: number } {
  // The name of the program stands in brackets, and may hold anything.
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const seconds = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) / ticksPerSecond;
  return { own: seconds(11), started: seconds(13) };
}
