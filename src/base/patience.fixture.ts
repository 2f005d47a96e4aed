// How tests wait and take the time, so that none fails because a machine is slow or busy: what must come to be is asked for
// until it is there, and what must be quick has to be so once in a few tries. It never asserts.

import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** More than any machine needs for what happens at all, and less than a test may take. */
export const patience = 45_000;
const leastTries = 10;

/** The first answer that is as wanted. */
export async function until<T>(ask: () => T | Promise<T>, isReached: (answer: T) => unknown = Boolean): Promise<T> {
  const end = Date.now() + patience;
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    if (isReached(answer)) return answer;
    // A machine that stood still has not had the time.
    if (Date.now() > end && tries >= leastTries) throw new Error(`it never came to be: ${JSON.stringify(answer)}`);
    await sleep(20);
  }
}

/** The least that one of some tries would have taken alone, in milliseconds. The first that is quick enough is the last. */
export async function leastTime(enough: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least >= enough; tries += 1) {
    const started = performance.now();
    await work();
    least = Math.min(least, (performance.now() - started) / amongOthers(1));
  }
  return least;
}

/** A time that is meant for an idle machine, for what can be tried only once: longer by as many as share a core. */
export function amongOthers(ms: number): number {
  return ms * Math.max(1, Math.max(loadavg()[0] as number, runningNow()) / availableParallelism());
}

/** The average follows a machine that gets busy with half a minute's delay. */
function runningNow(): number {
  try {
    return Number(/ (\d+)\/\d+ /.exec(readFileSync("/proc/loadavg", "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

const minute = 60_000;
const minuteNow = () => Math.floor(Date.now() / minute);

/** Rates are counted in minutes of the clock: enough of one must be left for what a test counts. */
export async function freshMinute(least = minute / 4): Promise<void> {
  const left = minute - (Date.now() % minute);
  if (left < least) await sleep(left + 50);
}

/** The same where much is counted: what did not lie within one minute is counted anew, in a whole one. */
export async function inOneMinute<T>(work: () => Promise<T>): Promise<T> {
  for (let least = minute / 4; ; least = minute - 1_000) {
    await freshMinute(least);
    const begun = minuteNow();
    const [ended] = await Promise.allSettled([work()]);
    // A whole minute was not enough: what came of it is told as it is.
    if (minuteNow() !== begun && least < minute / 2) continue;
    if (ended.status === "rejected") throw ended.reason;
    return ended.value;
  }
}
