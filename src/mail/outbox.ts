// Mail that is caused by a request: composed in the background, so that no answer waits for it or reveals by its timing
// whether there was anything to send, and then stored and sent.

import type { Logger } from "pino";
import type { Message } from "./smtp.ts";

export interface Outbox {
  /** Returns at once. `compose` runs later; undefined means that there is nothing to send. */
  post(compose: () => Promise<Message | undefined>): void;
  /** Resolves when everything posted so far is stored. */
  close(): Promise<void>;
}

export interface OutboxParts {
  /** Stores the message; the queue retries until it is sent. */
  deliver(message: Message): Promise<void>;
  log: Pick<Logger, "warn">;
}

const atOnce = 4;
const capacity = 1_000;

export function createOutbox({ deliver, log }: OutboxParts): Outbox {
  const waiting: (() => Promise<Message | undefined>)[] = [];
  const running = new Set<Promise<void>>();

  function startAll(): void {
    while (running.size < atOnce) {
      const compose = waiting.shift();
      if (!compose) return;
      const work = handOn(compose).catch((error) => log.warn({ err: error }, "a mail was not sent"));
      running.add(work);
      void work.then(() => {
        running.delete(work);
        startAll();
      });
    }
  }

  async function handOn(compose: () => Promise<Message | undefined>): Promise<void> {
    const message = await compose();
    if (message) await deliver(message);
  }

  return {
    post(compose) {
      if (waiting.length >= capacity) return log.warn("too many mails wait; one was not sent");
      waiting.push(compose);
      // Never in the same turn as the caller.
      setImmediate(startAll);
    },
    async close() {
      startAll();
      while (running.size > 0) await Promise.all(running);
    },
  };
}
