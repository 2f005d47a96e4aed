// Notes: small writes that read nothing and whose result nobody waits for, such as the last use of a key. A process that only
// reads collects their statements and sends them to the one that writes, four times a second. Its batches are numbered, so that
// one whose answer was lost is sent again and counted once.

import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { CairnError } from "#base/errors.ts";
import { NeedsWriter, type WriterLine } from "#base/writer-line.ts";
import { unclaimed } from "./claimed-writes.ts";
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
  return storage.note ? storage.note(work) : unclaimed(() => storage.write(work));
}

interface Batch {
  sender: string;
  number: number;
  /** When it was made. */
  at: string;
  notes: Note[];
}

const placeOf = (sender: string) => `notes:${sender}`;
/** A sender that has sent nothing for so long has ended. */
const forgetMs = 86_400_000;

/** In the process that writes. */
export async function storeNotes(storage: Storage, sent: unknown): Promise<void> {
  // Workers of the version before send their notes alone.
  const batch = Array.isArray(sent) ? undefined : (sent as Batch);
  await storage.write(async (tx) => {
    if (batch && !(await isNew(tx, batch))) return;
    for (const { sql, params } of batch?.notes ?? (sent as Note[])) await tx.run(sql, params);
  });
}

/** Its number is stored with the notes: together, or not at all. */
async function isNew(tx: Tx, { sender, number, at }: Batch): Promise<boolean> {
  const scope = placeOf(sender);
  const last = await tx.one<{ stamped: string }>("SELECT stamped FROM stamps WHERE scope = ?", [scope]);
  if (number <= Number(last?.stamped.split(" ")[1] ?? 0)) return false;
  if (!last) {
    const before = new Date(Date.parse(at) - forgetMs).toISOString();
    await tx.run("DELETE FROM stamps WHERE scope > ? AND scope < ? AND stamped < ?", ["notes:", "notes;", before]);
  }
  await tx.run(
    "INSERT INTO stamps (scope, stamped) VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET stamped = excluded.stamped",
    [scope, `${at} ${number}`],
  );
  return true;
}

export interface Notes {
  add(work: (tx: Tx) => Promise<void>): Promise<void>;
  /** Sends what waits, for the last time. */
  close(): Promise<void>;
}

export function createNotes(dialect: Dialect, line: WriterLine, log: Logger): Notes {
  const sender = randomUUID();
  let waiting: Note[] = [];
  /** The last one that was sent, until it is answered: it is sent again as it was. */
  let batch: Batch | undefined;
  let sentBatches = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  async function send(): Promise<void> {
    while (batch || waiting.length > 0) {
      if (!batch) {
        sentBatches += 1;
        const notes = waiting.splice(0, sentAtOnce);
        batch = { sender, number: sentBatches, at: new Date().toISOString(), notes };
      }
      await line.call("notes", batch).catch(dropWhenRefused);
      batch = undefined;
    }
  }

  /** What fails there would fail each time, and keep all others waiting. */
  function dropWhenRefused(error: unknown): void {
    if (!(error instanceof CairnError) || error.word !== "internal") throw error;
    log.warn({ notes: batch?.notes.length }, "notes that the process that writes cannot store were dropped");
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
          if (batch || waiting.length > 0) schedule();
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
