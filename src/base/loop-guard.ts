// Watches how long the event loop is blocked: blocking it delays every request.
// A block by this process's own work is logged, with the operation that was begun last. A busy machine
// delays the process as well; that is measured, and not logged.

import type { Logger } from "pino";

const everyMs = 5;
const longMs = 50;
/** Seconds. */
export const heldBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export interface Held {
  /** How often it was blocked for at most this long, by `heldBounds`; not cumulative. */
  buckets: number[];
  count: number;
  sum: number;
}

export interface LoopGuard {
  /** Measures from now on. A server calls this once it listens: no request waits before. */
  begin(): void;
  /** Since the beginning. */
  held(): Held;
  /** In seconds, since the last call: by the clock, and by this process's own work. */
  longest(): { clock: number; work: number };
  close(): void;
}

let operation: Operation | undefined;

/** A name, or the request that has one: the name is built only when it is logged. */
export type Operation = string | { method: string; routeOptions: { url?: string | undefined } };

/** Named when the loop is blocked from now on. */
export function noteOperation(begun: Operation): void {
  operation = begun;
}

function nameOf(begun: Operation): string {
  return typeof begun === "string" ? begun : `${begun.method} ${begun.routeOptions.url}`;
}

export function guardLoop(log: Logger): LoopGuard {
  const buckets = heldBounds.map(() => 0);
  const total = { count: 0, sum: 0 };
  let longest = { clock: 0, work: 0 };
  let last = 0;
  let lastWork = 0;
  let timer: NodeJS.Timeout | undefined;

  function note(): void {
    const now = performance.now();
    const work = workMs();
    const heldMs = Math.max(0, now - last - everyMs);
    const workedMs = Math.min(heldMs, work - lastWork);
    last = now;
    lastWork = work;
    total.count += 1;
    total.sum += heldMs / 1_000;
    const at = heldBounds.findIndex((bound) => heldMs <= bound * 1_000);
    if (at >= 0) (buckets[at] as number) += 1;
    longest.clock = Math.max(longest.clock, heldMs / 1_000);
    longest.work = Math.max(longest.work, workedMs / 1_000);
    if (workedMs > longMs && operation !== undefined) {
      const ms = Math.round(workedMs);
      log.warn({ ms, operation: nameOf(operation) }, "the event loop was blocked: every request waited meanwhile");
    }
  }

  return {
    begin() {
      last = performance.now();
      lastWork = workMs();
      timer = setInterval(note, everyMs).unref();
    },
    held: () => ({ buckets: [...buckets], ...total }),
    longest() {
      const found = longest;
      longest = { clock: 0, work: 0 };
      return found;
    },
    close: () => clearInterval(timer),
  };
}

function workMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
