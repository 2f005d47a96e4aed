// Mail that waits to be sent, in memory: composed and sent in the background, so that no answer waits for it or tells
// by its time whether there was anything to send. What fails is tried again, later each time.
// A message that is still waiting when the process dies is lost; people can ask for another.

import type { Logger } from "pino";
import { findMailProblem, MailError, type MailSettings, type Message, sendMail } from "./mail.ts";

export interface Outbox {
  /** Returns at once. `compose` runs later; undefined: there is nothing to send after all. */
  post(compose: () => Promise<Message | undefined>): void;
  /** What waits is tried once more, for a few seconds. */
  close(): Promise<void>;
}

export interface OutboxParts {
  /** Asked for each message: settings may change meanwhile. */
  settings(): MailSettings;
  log: Pick<Logger, "warn">;
}

interface Job {
  compose(): Promise<Message | undefined>;
  failures: number;
}

const waitsMs = [1_000, 5_000, 25_000];
const atOnce = 4;
const capacity = 1_000;
const closingMs = 5_000;

export function createOutbox({ settings, log }: OutboxParts): Outbox {
  const ready: Job[] = [];
  const delayed = new Map<Job, NodeJS.Timeout>();
  let running = 0;
  let isClosing = false;
  let onEmpty: (() => void) | undefined;

  function enqueue(job: Job): void {
    delayed.delete(job);
    ready.push(job);
    // Never in the turn of whoever posts.
    setImmediate(startJobs);
  }

  function startJobs(): void {
    while (running < atOnce) {
      const job = ready.shift();
      if (!job) break;
      running += 1;
      void work(job).finally(() => {
        running -= 1;
        startJobs();
      });
    }
    if (running + ready.length + delayed.size === 0) onEmpty?.();
  }

  async function work(job: Job): Promise<void> {
    try {
      const current = settings();
      const problem = findMailProblem(current);
      if (problem) throw new MailError(problem, true);
      const message = await job.compose();
      if (!message) return;
      // Composed once: each composing may make a new token.
      job.compose = async () => message;
      await sendMail(current, message);
    } catch (error) {
      retry(job, error);
    }
  }

  function retry(job: Job, error: unknown): void {
    const waitMs = waitsMs[job.failures];
    job.failures += 1;
    const isFinal = isClosing || waitMs === undefined || !(error instanceof MailError) || error.isFinal;
    if (isFinal) log.warn({ err: error }, "a mail was not sent");
    else delayed.set(job, setTimeout(enqueue, waitMs, job));
  }

  return {
    post(compose) {
      if (isClosing || ready.length + delayed.size >= capacity) log.warn("too many mails wait; one was not sent");
      else enqueue({ compose, failures: 0 });
    },
    async close() {
      isClosing = true;
      for (const [job, timer] of delayed) {
        clearTimeout(timer);
        enqueue(job);
      }
      if (running + ready.length === 0) return;
      const deadline = Promise.withResolvers<void>();
      onEmpty = deadline.resolve;
      const timer = setTimeout(deadline.resolve, closingMs);
      await deadline.promise;
      clearTimeout(timer);
      const lost = ready.length + running;
      if (lost > 0) log.warn({ lost }, "mails were not sent before the end");
    },
  };
}
