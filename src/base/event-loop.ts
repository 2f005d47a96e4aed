// Work that holds the event loop for a while takes turns with everything else: a few pieces between two looks at the
// network, so that whoever waits for little does not wait for all of it, and answers on their way go on.

const piecesAtOnce = 3;
const waiting: (() => void)[] = [];
let isGiving = false;

/** Resolves when it is this piece's turn. */
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

/** So long work runs before everybody else has a turn. */
const turnMs = 2;

/** For a loop over much: to be called after each piece. Waits for the others when this turn has been long enough. */
export function takeTurns(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < turnMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        began = performance.now();
        resolve();
      }),
    );
  };
}

const maxGatherMs = 0.5;

/**
 * Who was answered together asks again at about the same time: the first of them waits a moment for the others, until half
 * as many are there as last time. One alone never waits.
 */
export async function waitForBatch(waiting: readonly unknown[], lastTime: number): Promise<void> {
  const deadline = performance.now() + maxGatherMs;
  while (waiting.length < lastTime / 2 && performance.now() < deadline) await new Promise(setImmediate);
}
