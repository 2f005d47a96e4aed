// Takes the log's pages into the database file. What SQLite would do in the middle of some commit, and hold up everybody
// for it, is done beside; only the rest that was written meanwhile is taken over here, so that the log begins anew.

import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "pino";
import type { Beside } from "./sqlite-beside.ts";

/** Pages of 4 kB: when it is time, and how many may be left to take over here. */
const enough = 4_000;
const rest = 500;

const passive = "PRAGMA wal_checkpoint(PASSIVE)";

export interface Checkpoints {
  /** Must be called when no transaction is open on the writer. */
  afterCommit(): void;
}

export function createCheckpoints(writer: DatabaseSync, beside: Beside, log: Logger): Checkpoints {
  const look = writer.prepare("PRAGMA wal_checkpoint(NOOP)");
  const finish = writer.prepare(passive);
  let isUnderWay = false;
  let isBegun = false;

  function pagesLeft(): number {
    const state = look.get() as { log: number; checkpointed: number };
    return state.log - state.checkpointed;
  }

  async function takeBeside(): Promise<void> {
    isUnderWay = true;
    try {
      await beside.run(passive);
      isBegun = true;
    } catch (error) {
      complain(error);
    }
    isUnderWay = false;
  }

  function goOn(): void {
    const left = pagesLeft();
    if (isBegun && left <= rest) {
      finish.get();
      isBegun = false;
    } else if (isBegun || left >= enough) void takeBeside();
  }

  /** Nothing is lost by it: the log grows until it works again. */
  function complain(error: unknown): void {
    log.warn({ err: error }, "the database's log could not be taken in");
  }

  return {
    afterCommit() {
      if (isUnderWay) return;
      try {
        goOn();
      } catch (error) {
        complain(error);
      }
    },
  };
}
