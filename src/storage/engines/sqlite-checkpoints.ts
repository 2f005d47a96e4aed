// Takes the log's pages into the database file. What SQLite would do in the middle of some commit, and hold up everybody
// for it, is done beside; only the rest that was written meanwhile is taken over here, so that the log begins anew.

import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "pino";
import type { SqliteWorker } from "./sqlite-worker.ts";

/** Pages of 8 kB in the log: when it is time, when writers have to wait, and how many may be left to take over here. */
const enough = 2_000;
const tooMany = 6_000;
const rest = 250;

const passive = "PRAGMA wal_checkpoint(PASSIVE)";

export interface Checkpoints {
  /** To be called when no transaction is open on the writer. The next one waits for what it returns. */
  afterCommit(): Promise<void> | undefined;
}

export function createCheckpoints(writer: DatabaseSync, beside: SqliteWorker, log: Logger): Checkpoints {
  const look = writer.prepare("PRAGMA wal_checkpoint(NOOP)");
  const finish = writer.prepare(passive);
  let underWay: Promise<void> | undefined;
  let isBegun = false;

  /** Pages in the log, and how many of them are still to be taken in. */
  function pages(): { all: number; left: number } {
    const { log: all, checkpointed } = look.get() as { log: number; checkpointed: number };
    return { all, left: all - checkpointed };
  }

  async function takeBeside(): Promise<void> {
    try {
      await beside.run(passive);
      isBegun = true;
    } catch (error) {
      complain(error);
    }
    underWay = undefined;
  }

  function goOn(): Promise<void> | undefined {
    const { all, left } = pages();
    if (!underWay && isBegun && left <= rest) {
      finish.get();
      isBegun = false;
    } else if (!underWay && (isBegun || left >= enough)) underWay = takeBeside();
    // By all of them: what is written while the thread is late makes the log longer, however much it has taken in.
    return all >= tooMany ? underWay : undefined;
  }

  /** Nothing is lost by it: the log grows until it works again. */
  function complain(error: unknown): void {
    log.warn({ err: error }, "the database's log could not be taken in");
  }

  return {
    afterCommit() {
      try {
        return goOn();
      } catch (error) {
        complain(error);
        return undefined;
      }
    },
  };
}
