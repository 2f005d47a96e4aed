// How long each test file took when the times were last noted (`npm run test:all -- --note-times`): the order of a run, the time
// that it shows as left, and the choice of `npm test` follow from them.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFaults, type Part, usesBrowser, usesServers } from "./test-parts.ts";

export interface FileTime {
  /** From start to end. */
  seconds: number;
  /** Of the processors, with all servers and commands. */
  processor: number;
}

export type Times = Map<string, FileTime>;

const timesFile = join(import.meta.dirname, "test-times.json");

export const timeKey = (part: Part, file: string) => (part.engine ? `${file} ${part.engine}` : file);

export function readTimes(): Times {
  const lines: Record<string, [number, number]> = JSON.parse(readFileSync(timesFile, "utf8"));
  return new Map(Object.entries(lines).map(([key, [seconds, processor]]) => [key, { seconds, processor }]));
}

/** One line for each file, sorted, so that a change shows which file became slower. */
export function writeTimes(times: Times): void {
  const round = (seconds: number) => Math.round(seconds * 10) / 10;
  const lines = [...times]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { seconds, processor }]) => `  ${JSON.stringify(key)}: [${round(seconds)}, ${round(processor)}]`);
  writeFileSync(timesFile, `{\n${lines.join(",\n")}\n}\n`);
}

/** A file that was never timed counts as a usual one of its part. */
export function timeOf(times: Times, part: Part, file: string): FileTime {
  const known = times.get(timeKey(part, file));
  if (known) return known;
  const seconds = usesBrowser(part) ? 30 : isFaults(part) ? 20 : usesServers(part) ? 5 : 0.5;
  return { seconds, processor: seconds };
}
