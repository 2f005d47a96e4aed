// Waiting and timing in tests, so that none fails because a machine is slow or busy: a condition is polled
// until it holds, and work that must be quick has to be so once in a few tries.

import { deepStrictEqual } from "node:assert";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

/** More than any machine needs for anything that happens at all, and less than a test may take. */
export const patience = 45_000;
const leastTries = 10;
const shortestPause = 20;
const longestPause = 500;

/** The first answer that meets the condition. */
export async function until<T>(ask: () => T | Promise<T>, isReached: (answer: T) => unknown = Boolean): Promise<T> {
  const end = Date.now() + patience;
  for (let tries = 1; ; tries += 1) {
    const asked = performance.now();
    const answer = await ask();
    if (isReached(answer)) return answer;
    // A machine that was suspended has not had the time.
    if (Date.now() > end && tries >= leastTries)
      throw new Error(`the condition was never met: ${JSON.stringify(answer)}`);
    // What takes long to answer is not asked all the time.
    await sleep(Math.min(Math.max(shortestPause, performance.now() - asked), longestPause));
  }
}

/** Waits until the answer equals the value. It may be asked for many times, so it must change nothing. */
export async function becomes<T>(ask: () => T | Promise<T>, value: NoInfer<T>): Promise<void> {
  let last: T | undefined;
  const isEqual = (answer: T) => isDeepStrictEqual(answer, value);
  await until(async () => (last = await ask()), isEqual).catch(() => deepStrictEqual(last, value));
}

/** The shortest of some tries, as if it had run alone, in milliseconds. Stops at the first that is quick enough. */
export async function leastTime(enough: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least >= enough; tries += 1) least = Math.min(least, await timeAlone(work));
  return least;
}

/** How long work would have taken alone, in milliseconds: each moment counts by the share of a core that a process had then. */
export async function timeAlone(work: () => unknown): Promise<number> {
  let [sum, last] = [0, performance.now()];
  const count = () => {
    const now = performance.now();
    sum += (now - last) / amongOthers(1);
    last = now;
  };
  const timer = setInterval(count, 100);
  try {
    await work();
  } finally {
    clearInterval(timer);
    count();
  }
  return sum;
}

/** Scales a time limit for an idle machine by the number of processes that share a core now. */
export function amongOthers(ms: number): number {
  return ms * Math.max(1, Math.max(loadavg()[0] as number, waitingNow()) / availableParallelism());
}

/** For a core or for the disk. The average follows a machine that gets busy with half a minute's delay. */
function waitingNow(): number {
  try {
    const counts = readFileSync("/proc/stat", "utf8").matchAll(/^procs_(?:running|blocked) (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  } catch {
    return 0;
  }
}

const minute = 60_000;
const minuteNow = () => Math.floor(Date.now() / minute);

/** Rates are counted in minutes of the clock: waits until enough of one is left for the test. */
export async function freshMinute(least = minute / 4): Promise<void> {
  const left = minute - (Date.now() % minute);
  if (left < least) await sleep(left + 50);
}

/** The same for long counts: work that did not fit into one minute is repeated in a whole one. */
export async function inOneMinute<T>(work: () => Promise<T>): Promise<T> {
  for (let least = minute / 4; ; least = minute - 1_000) {
    await freshMinute(least);
    const begun = minuteNow();
    const [ended] = await Promise.allSettled([work()]);
    // A whole minute was not enough: the result is returned unchanged.
    if (minuteNow() !== begun && least < minute / 2) continue;
    if (ended.status === "rejected") throw ended.reason;
    return ended.value;
  }
}
