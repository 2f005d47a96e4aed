// One build at a time, over all processes of this machine: a folder that holds the id of the process that builds. A lock whose
// process is gone is taken over at once, so that a build that was killed holds up nobody.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A process that dies before it has written its id leaves a lock without one. */
const graceMs = 5_000;
const pauseMs = 200;

/** Waits for the lock; the result gives it back. */
export async function takeLock(folder: string): Promise<() => void> {
  while (!isTaken(folder)) await sleep(pauseMs);
  writeFileSync(join(folder, "pid"), String(process.pid));
  return () => rmSync(folder, { recursive: true, force: true });
}

function isTaken(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (isAbandoned(folder)) rmSync(folder, { recursive: true, force: true });
  return false;
}

function isAbandoned(folder: string): boolean {
  try {
    process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), 0);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return true;
    return code === "ENOENT" && Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > graceMs;
  }
}
