// Replaces the workers of a supervisor (supervise.ts) one after the other, without a request that fails. Of several processes on
// the embedded database the one that writes is first: it has nothing to do any more when it ends, and the next one begins then.

import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import {
  beginMessage,
  endMessage,
  type FromWorker,
  goOnMessage,
  holdMessage,
  replacedMessage,
} from "./server-process.ts";

/** How long the others have to say that they hold back. */
const holdMs = 2_000;

export interface Replacing {
  /** One after the other, each by one that is ready before the old one stops accepting connections. */
  replaceAll(): Promise<void>;
  /** Its end is no failure: it is leaving, or it was to take a place and the round ends without it. */
  knows(worker: Worker): boolean;
  stop(): void;
}

interface Options {
  fork(): Worker;
  /** Of several processes on the embedded database. */
  writing: {
    present(): Worker | undefined;
    /** It loads its code and waits. */
    forkNext(): Worker;
    /** Instead of one that has died while it waited. */
    fork(): void;
    take(next: Worker): void;
  };
  /** A worker that takes longer to end is killed. */
  longestStopMs: number;
  log: Logger;
}

export function createReplacing({ fork, writing, longestStopMs, log }: Options): Replacing {
  const leaving = new WeakSet<Worker>();
  const joining = new WeakSet<Worker>();
  let isStopping = false;
  let last: Promise<void> = Promise.resolve();

  const stay = (worker: Worker): false => {
    log.error({ pid: worker.process.pid }, "a new worker ended before it was ready: the old ones stay");
    return false;
  };

  async function replaceEach(): Promise<void> {
    const old = presentWorkers().filter((worker) => !leaving.has(worker));
    const writer = writing.present();
    // Before the others: new code needs what the new writer adds to the database, and older code does not mind it.
    if (writer && !(await replaceWriter(writer))) return;
    for (const worker of old) {
      if (isStopping) return;
      // One that died meanwhile has been replaced already.
      if (worker === writer || worker.isDead()) continue;
      const next = fork();
      joining.add(next);
      if (!(await hears(next, "isReady"))) return void stay(next);
      joining.delete(next);
      leaving.add(worker);
      if (!worker.isConnected()) continue;
      worker.send(replacedMessage);
      await hears(worker, "isLeaving");
    }
    log.info({ workers: old.length }, "all workers are replaced");
  }

  async function replaceWriter(old: Worker): Promise<boolean> {
    const next = writing.forkNext();
    joining.add(next);
    if (!(await hears(next, "isStandby"))) return stay(next);
    if (old.isDead() || !old.isConnected()) {
      // It died meanwhile, and has been replaced already.
      next.process.kill("SIGTERM");
      return true;
    }
    leaving.add(old);
    const ended = new Promise((resolve) => old.once("exit", resolve));
    old.send(replacedMessage);
    if (await hears(old, "isAlone")) await holdOthers([old, next]);
    if (old.isConnected()) old.send(endMessage);
    const late = setTimeout(() => old.process.kill("SIGKILL"), longestStopMs);
    await ended;
    clearTimeout(late);
    try {
      return !isStopping && (await begin(next));
    } finally {
      tellAll(goOnMessage);
    }
  }

  async function begin(next: Worker): Promise<boolean> {
    if (!next.isConnected()) {
      writing.fork();
      return stay(next);
    }
    // From now on it is replaced when it dies.
    joining.delete(next);
    writing.take(next);
    const ready = hears(next, "isReady");
    next.send(beginMessage);
    return ready;
  }

  async function holdOthers(except: Worker[]): Promise<void> {
    const others = presentWorkers().filter((worker) => worker.isConnected() && !except.includes(worker));
    const holding = others.map((worker) => hears(worker, "isHolding"));
    for (const worker of others) worker.send(holdMessage);
    await Promise.race([Promise.all(holding), sleep(holdMs)]);
  }

  return {
    replaceAll() {
      last = last.then(replaceEach);
      return last;
    },
    knows: (worker) => leaving.has(worker) || joining.has(worker),
    stop() {
      isStopping = true;
      tellAll(goOnMessage);
    },
  };
}

function tellAll(message: string): void {
  for (const worker of presentWorkers()) if (worker.isConnected()) worker.send(message);
}

function presentWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

/** False when the worker ends before it has said so. */
function hears(
  worker: Worker,
  word: "isReady" | "isLeaving" | "isStandby" | "isAlone" | "isHolding",
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isHeard: boolean) => {
      worker.off("message", listen);
      worker.off("exit", exit);
      resolve(isHeard);
    };
    const listen = (message: FromWorker) => message[word] && end(true);
    const exit = () => end(false);
    worker.on("message", listen);
    worker.once("exit", exit);
  });
}
