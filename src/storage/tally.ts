// Counts that are kept in memory and written in the background: many requests make one write. What a crash takes is the count of
// the last seconds.

import type { Logger } from "pino";

const flushAfterMs = 5_000;
/** In one transaction, so that other writers wait no longer than for a write of their own. */
const flushedAtOnce = 200;

export interface Tally<T> {
  /** `add` adds to what is waiting under the id, if anything is. */
  count(id: string, add: (known: T | undefined) => T): void;
  flush(): Promise<void>;
  readonly size: number;
}

interface Writing<T> {
  /** Called in order of id, so that processes do not wait for each other in a circle. */
  write(counts: readonly T[]): Promise<void>;
  /** For the log: "uses of redirects". */
  what: string;
  log: Pick<Logger, "warn">;
}

export function createTally<T>({ write, what, log }: Writing<T>): Tally<T> {
  const pending = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    const counts = [...pending].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
    pending.clear();
    for (let at = 0; at < counts.length; at += flushedAtOnce) await write(counts.slice(at, at + flushedAtOnce));
  }

  const tally: Tally<T> = {
    count(id, add) {
      pending.set(id, add(pending.get(id)));
      timer ??= setTimeout(() => {
        tally.flush().catch((error) => log.warn({ err: error }, `${what} could not be counted`));
      }, flushAfterMs).unref();
    },
    flush() {
      clearTimeout(timer);
      timer = undefined;
      flushing = flushing.catch(() => {}).then(writeAll);
      return flushing;
    },
    get size() {
      return pending.size;
    },
  };
  return tally;
}
