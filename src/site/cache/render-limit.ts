// How many pages are rendered at once, and how many in a minute for one caller. Others wait, and callers take turns; when too many
// wait, a caller that waits already is refused, and one that does not gets its turn.

import { availableParallelism } from "node:os";
import { CairnError, rateLimited } from "#base/errors.ts";
import { NeedsWriter } from "#base/writer-line.ts";
import type { App } from "#context.ts";
import { type Caller, service } from "#lanes/caller.ts";
import { createPairedQueue } from "#lanes/fair-queue.ts";

const maxWaiting = 200;
/** With those that wait for one page each. */
const crowd = 5;
const retrySeconds = 1;
/** A signed-in user looks at what was just changed, in previews too. */
const knownFactor = 10;

export interface RenderLimit {
  run<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
}

export function createRenderLimit(most = 2 * availableParallelism(), waitingMost = maxWaiting): RenderLimit {
  const waiting = createPairedQueue<() => void>();
  let running = 0;

  function mayWait(caller: Caller): boolean {
    if (waiting.length < waitingMost) return true;
    return waiting.length < crowd * waitingMost && waiting.of(caller).lengthOf(caller.name) === 0;
  }

  return {
    async run(caller, work) {
      if (running < most) running += 1;
      else if (mayWait(caller)) await new Promise<void>((resolve) => waiting.of(caller).push(caller.name, resolve));
      else throw tooMany();
      try {
        return await work();
      } finally {
        // The place is handed over, so that nobody who comes later takes it.
        const next = waiting.take();
        if (next) next();
        else running -= 1;
      }
    },
  };
}

function tooMany(): CairnError {
  const error = new CairnError("busy", "Too many pages are being rendered. Try again in a moment.");
  error.retryAfter = retrySeconds;
  return error;
}

/** One rendering of this minute. One that another process has to do counts there. */
export async function countRendering<T>(
  { settings, limiter, clock }: Pick<App, "settings" | "limiter" | "clock">,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  const limit = settings.get("site.renderLimit") * (caller.hasCredential ? knownFactor : 1);
  if (limit === 0 || caller === service) return work();
  const name = `page:${caller.name}`;
  const { remaining, reset } = limiter.count(name, limit);
  if (remaining < 0)
    throw rateLimited(
      reset - clock.now(),
      "Too many new pages were asked for in this minute. Pages that are kept are sent.",
    );
  try {
    return await work();
  } catch (error) {
    if (error instanceof NeedsWriter) limiter.takeBack(name);
    throw error;
  }
}
