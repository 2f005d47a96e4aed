// Notes: small writes that read nothing and whose result nobody waits for, such as the last use of a key. A process that only
// reads collects their statements and sends them to the one that writes, four times a second.

import type { Logger } from "pino";
import { NeedsWriter, type WriterLine } from "#base/writer-line.ts";
import type { Dialect, Storage, Tx, Value } from "./port.ts";

const sendEveryMs = 250;
const sentAtOnce = 1_000;
/** While the writer cannot be reached, the oldest are dropped beyond this. */
const maxWaiting = 20_000;

interface Note {
  sql: string;
  params: readonly Value[];
}

/** The work calls `run` alone: it reads nothing, and touches no scope. */
export function note(storage: Storage, work: (tx: Tx) => Promise<void>): Promise<void> {
  return storage.note ? storage.note(work) : storage.write(work);
}

/** In the process that writes. */
export async function storeNotes(storage: Storage, sent: unknown): Promise<void> {
  await storage.write(async (tx) => {
    for (const { sql, params } of sent as Note[]) await tx.run(sql, params);
  });
}

export interface Notes {
  add(work: (tx: Tx) => Promise<void>): Promise<void>;
  /** Sends what waits, for the last time. */
  close(): Promise<void>;
}

export function createNotes(dialect: Dialect, line: WriterLine, log: Logger): Notes {
  let waiting: Note[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const sent = waiting.slice(0, sentAtOnce);
      await line.call("notes", sent);
      waiting.splice(0, sent.length);
    }
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      sending = send()
        .catch((error) => {
          log.debug({ err: error, waiting: waiting.length }, "notes could not be sent; they are sent again");
          if (waiting.length > maxWaiting) waiting = waiting.slice(-maxWaiting);
        })
        .finally(() => {
          timer = undefined;
          if (waiting.length > 0) schedule();
        });
    }, sendEveryMs).unref();
  }

  return {
    async add(work) {
      const notes: Note[] = [];
      await work(recordingTx(dialect, notes));
      waiting.push(...notes);
      schedule();
    },
    async close() {
      clearTimeout(timer);
      await sending;
      await send().catch((error) => log.warn({ err: error }, "the last notes could not be sent"));
    },
  };
}

function recordingTx(dialect: Dialect, notes: Note[]): Tx {
  const refuse = () => Promise.reject(new NeedsWriter());
  return {
    dialect,
    all: refuse,
    one: refuse,
    insert: refuse,
    async run(sql, params = []) {
      notes.push({ sql, params });
      return 0;
    },
    touch: () => {
      throw new NeedsWriter();
    },
    beforeCommit: () => {
      throw new NeedsWriter();
    },
  };
}
