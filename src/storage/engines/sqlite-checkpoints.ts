// Checkpoints: moves the log's pages into the database file. SQLite would do that inside some commit and block all
// requests; here a thread does it, and only pages written meanwhile are moved here, so that the log is reset.

import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "pino";
import type { SqliteWorker } from "./sqlite-worker.ts";

/** Pages of 8 kB in the log: when to start, when writers must wait, and how many may be left to move here. */
const enough = 2_000;
const tooMany = 6_000;
const rest = 250;

const passive = "PRAGMA wal_checkpoint(PASSIVE)";

export interface Checkpoints {
  /** Call it when no transaction is open on the writer. The next one waits for the returned promise. */
  afterCommit(): Promise<void> | undefined;
}

export function createCheckpoints(writer: DatabaseSync, beside: SqliteWorker, log: Logger): Checkpoints {
  const look = writer.prepare("PRAGMA wal_checkpoint(NOOP)");
  const finish = writer.prepare(passive);
  let underWay: Promise<void> | undefined;
  let isBegun = false;

  /** Pages in the log, and how many of them are not moved yet. */
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
    // By all of them: writes while the thread is late make the log longer, however much it has moved.
    return all >= tooMany ? underWay : undefined;
  }

  /** A failure loses nothing: the log grows until it works again. */
  function complain(error: unknown): void {
    log.warn({ err: error }, "a checkpoint of the database's log failed");
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
