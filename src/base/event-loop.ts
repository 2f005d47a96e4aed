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

/** So long the first looks for others without a pause; after that once in a millisecond. */
const maxGatherMs = 0.5;
const gatherShare = 0.25;
const longestGatherMs = 3;
const enough = 0.9;

export interface Batch {
  /** How many there were, and how long they took. */
  size: number;
  ms: number;
}

/**
 * Callers that were answered together ask again at about the same time: the first of them waits a moment for the
 * others, until nearly as many have arrived as last time. A single caller never waits. What takes long (a disk that is slow to
 * sync) is worth a longer wait: some callers are answered through other processes.
 */
export async function waitForBatch(waiting: readonly unknown[], last: Batch): Promise<void> {
  const began = performance.now();
  const spent = () => performance.now() - began;
  const longest = Math.min(last.ms * gatherShare, longestGatherMs);
  const isShort = () => waiting.length < last.size * enough;
  while (isShort() && spent() < maxGatherMs) await new Promise(setImmediate);
  while (isShort() && spent() < longest) await new Promise((resolve) => setTimeout(resolve, 1));
}
