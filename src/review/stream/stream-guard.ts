// Answers that stay open: each caller is asked for again every few seconds, so that a stream is closed soon when its rights
// have ended, or when that could not be checked. Nothing runs while none is open.

import type { Logger } from "pino";
import { inParallel } from "#base/in-parallel.ts";

/** With the rounds that a stream may miss, and one to spare, this stays below the 15 seconds that are promised. */
const askAgainMs = 3_500;
const maxMissed = 2;
/** Those asked together share what they ask of the database. */
const askedAtOnce = 32;

export interface StreamGuard<S> {
  add(stream: S): void;
  remove(stream: S): void;
  close(): void;
}

/** `ask` ends the stream where its caller has lost the right, and throws where that is not known. */
export function createStreamGuard<S extends { end(): void }>(
  { log }: { log: Logger },
  ask: (stream: S) => Promise<void>,
): StreamGuard<S> {
  /** With the number of rounds in which it was not known whether it may still listen. */
  const missed = new Map<S, number>();
  let rounds: NodeJS.Timeout | undefined;
  let isAsking = false;

  async function askAll(): Promise<void> {
    for (const [stream, count] of missed) {
      if (count >= maxMissed) stream.end();
      else missed.set(stream, count + 1);
    }
    if (isAsking) return;
    isAsking = true;
    await inParallel([...missed.keys()], askedAtOnce, async (stream) => {
      try {
        await ask(stream);
        if (missed.has(stream)) missed.set(stream, 0);
      } catch (error) {
        log.error({ err: error }, "failed to re-authenticate a stream");
      }
    });
    isAsking = false;
  }

  return {
    add(stream) {
      missed.set(stream, 0);
      rounds ??= setInterval(() => void askAll(), askAgainMs).unref();
    },
    remove(stream) {
      missed.delete(stream);
      if (missed.size > 0) return;
      clearInterval(rounds);
      rounds = undefined;
    },
    close() {
      missed.clear();
      clearInterval(rounds);
    },
  };
}
