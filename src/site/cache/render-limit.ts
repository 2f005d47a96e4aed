// How many pages are rendered at once. Others wait in order; when too many wait, the next one is refused.

import { availableParallelism } from "node:os";
import { CairnError } from "#base/errors.ts";

const maxWaiting = 200;
const retrySeconds = 1;

export interface RenderLimit {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createRenderLimit(most = 2 * availableParallelism(), waitingMost = maxWaiting): RenderLimit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < most) running += 1;
      else if (waiting.length < waitingMost) await new Promise<void>((resolve) => waiting.push(resolve));
      else throw tooMany();
      try {
        return await work();
      } finally {
        // The place is handed over, so that nobody who comes later takes it.
        const next = waiting.shift();
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
