// Long work shares the event loop with everything else: a few pieces between two polls of the network, so that short
// requests do not wait for all of it.

const piecesAtOnce = 3;
const waiting: (() => void)[] = [];
let isGiving = false;

/** Resolves when this piece may run. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!isGiving) setImmediate(giveTurns);
    isGiving = true;
  });
}

/** The pieces run as soon as this returns; the next ones come after the network. */
function giveTurns(): void {
  for (const piece of waiting.splice(0, piecesAtOnce)) piece();
  isGiving = waiting.length > 0;
  if (isGiving) setImmediate(giveTurns);
}

/** How long work runs before it yields. */
const turnMs = 2;

/** For long loops: call it after each piece. Yields when this turn has been long enough. */
export function createPause(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < turnMs) return undefined;
    return yieldToEventLoop().then(() => {
      began = performance.now();
    });
  };
}

const maxGatherMs = 0.5;

/**
 * Callers that were answered together ask again at about the same time: the first of them waits a moment for the
 * others, until half as many have arrived as last time. A single caller never waits.
 */
export async function waitForBatch(waiting: readonly unknown[], lastTime: number): Promise<void> {
  const deadline = performance.now() + maxGatherMs;
  while (waiting.length < lastTime / 2 && performance.now() < deadline) await new Promise(setImmediate);
}
