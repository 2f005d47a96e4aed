// Detects at the start whether a process of this data directory ended without cleaning up: each has a file with its number,
// and removes it when it ends normally.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface RunMark {
  /** Another process, or the one before this, was cut off. */
  wasCut: boolean;
  /** This one ends normally. */
  remove(): void;
}

export function markRun(folder: string): RunMark {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // In a container the previous process had the same number.
  const dead = readdirSync(folder).filter((name) => Number(name) === process.pid || !isAlive(Number(name)));
  for (const name of dead) rmSync(join(folder, name), { force: true });
  const own = join(folder, String(process.pid));
  writeFileSync(own, "", { mode: 0o600 });
  return { wasCut: dead.length > 0, remove: () => rmSync(own, { force: true }) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
