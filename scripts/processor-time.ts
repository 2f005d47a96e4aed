// Seconds that processes have used of the processors: what two runs of the tests are compared by.

import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** Of this process, and of those that it started and that have ended. */
export function processorTime(): { own: number; started: number } {
  const fields = fieldsOf("self");
  return { own: secondsAt(fields, 11), started: secondsAt(fields, 13) };
}

/** Of each process that has the given one above it, whoever waits for its end. */
export function timesBelow(pid: number): Map<number, number> {
  const found = new Map<number, number>();
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = Map.groupBy(all.map(Number).filter(isThere), (child) => Number(fieldsOf(child)[1]));
  const visit = (parent: number) => {
    for (const child of children.get(parent) ?? []) {
      found.set(child, secondsAt(fieldsOf(child), 11));
      visit(child);
    }
  };
  visit(pid);
  return found;
}

function isThere(pid: number): boolean {
  return fieldsOf(pid).length > 0;
}

/** User and system time stand side by side. */
function secondsAt(fields: readonly string[], at: number): number {
  return (Number(fields[at] ?? 0) + Number(fields[at + 1] ?? 0)) / ticksPerSecond;
}

/** Empty for a process that has ended. */
function fieldsOf(pid: number | "self"): string[] {
  try {
    // The name of the program stands in brackets, and may hold anything.
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
}
