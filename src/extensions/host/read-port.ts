// Reads what the thread of extensions sends: a few messages in one turn of the event loop, so that requests of others are
// answered between them however many there are. Node itself would hand over a thousand and more at once.

import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { cells, type FromHost } from "./messages.ts";

/** In one turn. */
const workPerTurn = 8;
/** The end of a call is most of a request: it is answered, and the caller sends the next one. So two of them fill a turn. */
const ends: ReadonlySet<FromHost["type"]> = new Set(["result", "refused", "crashed"]);
const endWork = workPerTurn / 2;
/** A thread that ended left no more than its calls, its questions and its lines. */
const maxLeft = 1_000;
const free: ReadonlySet<FromHost["type"]> = new Set(["ready", "pong", "began"]);

export interface PortReader {
  /** Reads what is there, over as many turns as it takes. */
  read(): void;
  /** At once, when the thread has ended. */
  readLast(): void;
}

export function createPortReader(port: MessagePort, cell: Int32Array, hear: (message: FromHost) => void): PortReader {
  let isReading = false;

  const next = () => receiveMessageOnPort(port)?.message as FromHost | undefined;

  function turn(): void {
    let work = 0;
    while (work < workPerTurn) {
      const message = next() ?? lastLook();
      if (message === undefined) {
        isReading = false;
        return;
      }
      if (!free.has(message.type)) work += ends.has(message.type) ? endWork : 1;
      hear(message);
    }
    setImmediate(turn);
  }

  /** What comes after this calls again; what came before is seen now. */
  function lastLook(): FromHost | undefined {
    Atomics.store(cell, cells.awake, 0);
    return next();
  }

  return {
    read() {
      if (isReading) return;
      isReading = true;
      turn();
    },
    readLast() {
      for (let left = 0; left < maxLeft; left += 1) {
        const message = next();
        if (message === undefined) return;
        hear(message);
      }
    },
  };
}
