// Whose long read runs when: few at once, one for each caller, and callers take turns. What reads them is the engine's.
// A reader that takes nothing for a minute is cut off, because what it looks at keeps the database from cleaning up.

import type { Logger } from "pino";
import { CairnError, temporarilyUnavailable } from "#base/errors.ts";
import type { StreamCounts } from "#storage/port.ts";
import type { Budget } from "./budget.ts";
import { type Caller, service } from "./caller.ts";
import { createPairedQueue } from "./fair-queue.ts";
import { busy } from "./lanes.ts";

/** Of callers with a credential, and as many of the public. */
const maxWaiting = 16;
const maxWaitingEach = 12;
const idleReaderMs = 60_000;

export interface StreamTurnsOptions {
  /** How many run at once. */
  width: number;
  budget: Budget;
  log: Logger;
  cutAfterMs?: number | undefined;
}

export interface Place {
  readonly caller: Caller;
  /** By the clock of this process. */
  readonly since: number;
  readonly isOver: boolean;
  /** The reader has the turn: it is cut off when it does not come back. */
  hand(): void;
  takeBack(): void;
  /** Statements have taken so long. */
  spend(ms: number): void;
  leave(): void;
}

export interface StreamTurns {
  /** Waits for a place. `onEnd` is called once, when it is left or its reader is cut off. */
  enter(caller: Caller, onEnd: () => void): Promise<Place>;
  counts(): StreamCounts;
  close(): void;
}

interface Waiting {
  caller: Caller;
  /** Its place is taken already. */
  resolve(): void;
  reject(error: unknown): void;
}

export function createStreamTurns({ width, budget, log, cutAfterMs = idleReaderMs }: StreamTurnsOptions): StreamTurns {
  const places = new Set<Place>();
  const overdue = new Set<() => void>();
  const waiting = createPairedQueue<Waiting>();
  /** By caller. */
  const running = new Map<string, number>();
  const counts = { done: 0, busy: 0, cut: 0 };
  let taken = 0;
  let publicTaken = 0;
  let isClosed = false;

  /** The public never has all places: a backup finds one. */
  function mayRun(name: string, hasCredential: boolean): boolean {
    if (name === service.name) return true;
    return !running.has(name) && (hasCredential || publicTaken < width - 1);
  }

  function takePlace({ name, hasCredential }: Caller): void {
    taken += 1;
    if (!hasCredential) publicTaken += 1;
    running.set(name, (running.get(name) ?? 0) + 1);
  }

  function givePlace({ name, hasCredential }: Caller): void {
    const others = (running.get(name) ?? 1) - 1;
    taken -= 1;
    if (!hasCredential) publicTaken -= 1;
    if (others > 0) running.set(name, others);
    else running.delete(name);
    while (taken < width) {
      const next = waiting.take((each) => mayRun(each.slice(1), each.startsWith("+")));
      if (!next) return;
      takePlace(next.caller);
      next.resolve();
    }
  }

  async function wait(caller: Caller): Promise<void> {
    const { signal } = caller;
    const name = queueName(caller);
    const queue = waiting.of(caller);
    const isFull =
      caller.name !== service.name && (queue.length >= maxWaiting || queue.lengthOf(name) >= maxWaitingEach);
    if (isFull) {
      counts.busy += 1;
      throw busy();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own: Waiting = { caller, resolve, reject };
    const leave = () => {
      queue.remove(name, own);
      reject(temporarilyUnavailable("The caller did not wait for the answer."));
    };
    queue.push(name, own);
    cutOverdue();
    signal?.addEventListener("abort", leave, { once: true });
    await promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  /** Readers of the public that have had their place for a minute make room when others of the public wait for it. */
  function cutOverdue(): void {
    if (waiting.of({ hasCredential: false }).length > 0) for (const cut of overdue) cut();
  }

  function makePlace(caller: Caller, onEnd: () => void): Place {
    let idle: NodeJS.Timeout | undefined;
    let isOver = false;
    let isHanded = false;
    const cut = (reason: string) => {
      counts.cut += 1;
      log.warn({ caller: caller.name }, `a long answer was cut off: ${reason}`);
      place.leave();
    };
    const giveWay = () => {
      if (isHanded) cut("it was read for more than a minute, and others waited");
    };
    const age = caller.hasCredential
      ? undefined
      : setTimeout(() => {
          overdue.add(giveWay);
          cutOverdue();
        }, cutAfterMs).unref();
    const place: Place = {
      caller,
      since: performance.now(),
      get isOver() {
        return isOver;
      },
      hand() {
        if (caller === service) return;
        isHanded = true;
        idle = setTimeout(() => cut("nothing of it was taken for a minute"), cutAfterMs).unref();
        if (overdue.has(giveWay)) cutOverdue();
      },
      takeBack() {
        isHanded = false;
        clearTimeout(idle);
      },
      spend: (ms) => budget.spend(caller, ms),
      leave() {
        if (isOver) return;
        isOver = true;
        clearTimeout(idle);
        clearTimeout(age);
        overdue.delete(giveWay);
        places.delete(place);
        counts.done += 1;
        onEnd();
        givePlace(caller);
      },
    };
    places.add(place);
    return place;
  }

  return {
    async enter(caller, onEnd) {
      if (isClosed) throw new CairnError("unavailable");
      budget.check(caller);
      if (taken < width && mayRun(caller.name, caller.hasCredential)) takePlace(caller);
      else await wait(caller);
      return makePlace(caller, onEnd);
    },
    counts: () => ({
      ...counts,
      running: taken,
      waiting: waiting.length,
      oldest: places.values().next().value?.since,
    }),
    close() {
      isClosed = true;
      for (let one = waiting.take(); one; one = waiting.take()) one.reject(new CairnError("unavailable"));
    },
  };
}

/** In the queue, callers with a credential are kept apart from those without. */
function queueName({ name, hasCredential }: Caller): string {
  return `${hasCredential ? "+" : "-"}${name}`;
}
