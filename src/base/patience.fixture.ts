// How tests wait and take the time, so that none fails because a machine is slow or busy: what must come to be is asked for
// until it is there, and what must be quick has to be so once in a few tries. It never asserts.

import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** More than any machine needs for what happens at all, and less than a test may take. */
export const patience = 45_000;

/** The first answer that is as wanted. */
export async function until<T>(ask: () => T | Promise<T>, isReached: (answer: T) => unknown = Boolean): Promise<T> {
  for (const end = Date.now() + patience; ; await sleep(20)) {
    const answer = await ask();
    if (isReached(answer)) return answer;
    if (Date.now() > end) throw new Error(`it never came to be: ${JSON.stringify(answer)}`);
  }
}

/** The least that one of some tries took, in milliseconds. The first that is quick enough is the last. */
export async function leastTime(enough: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least >= enough; tries += 1) {
    const started = performance.now();
    await work();
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

/** A time that is meant for an idle machine, for what can be tried only once: longer by as many as share a core. */
export function amongOthers(ms: number): number {
  return ms * Math.max(1, (loadavg()[0] as number) / availableParallelism());
}

/** Rates are counted in minutes of the clock: enough of one must be left for what a test counts. */
export async function freshMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 15_000) await sleep(left + 50);
}
