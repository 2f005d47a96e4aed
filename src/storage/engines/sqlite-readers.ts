// The threads that run queries. Each is started on demand, and all but one end after a while without work.
// A statement that cannot be stopped keeps its thread until it ends; one that is far too late loses its thread.

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { CairnError } from "#base/errors.ts";
import type { Budget } from "#lanes/budget.ts";
import { createLanes, type Lanes, type Outcome, type ReadOptions, type Run, type RunTime } from "#lanes/lanes.ts";
import type { Question } from "#storage/port.ts";
import { TooLarge } from "#storage/query/questions.ts";
import type { ReaderFile } from "./sqlite-connect.ts";
import type { Asking, ReaderMessage, ReaderStart } from "./sqlite-reader.ts";

const idleMs = 10_000;
/** A thread is replaced this long after the end of its time. */
const givenUpAfterMs = 30_000;
const heapMb = 128;

export interface ReadersOptions extends ReadOptions {
  file: ReaderFile;
  budget: Budget;
  log: Logger;
}

export interface Readers extends Lanes {
  close(): Promise<void>;
}

interface Thread {
  worker: Worker;
  stopped: Int32Array;
  isReady: boolean;
  idle?: NodeJS.Timeout;
  task?: Task;
}

interface Task {
  asking: Asking;
  onBegin(): void;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
  late?: NodeJS.Timeout | undefined;
}

export function threadsFor(asked: number): number {
  if (asked > 0) return asked;
  const cores = availableParallelism();
  return cores <= 2 ? 2 : cores <= 4 ? 3 : 4;
}

export function openReaders({ file, threads: asked, limits, budget, log }: ReadersOptions): Readers {
  const width = threadsFor(asked);
  const threads = new Set<Thread>();
  const givenUp = new Set<Worker>();
  let replaced = 0;
  let number = 0;
  let isClosed = false;

  function start(): Thread {
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const workerData: ReaderStart = { ...file, stopped };
    const worker = new Worker(new URL("./sqlite-reader.ts", import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    worker.unref();
    const thread: Thread = { worker, stopped, isReady: false };
    worker.on("message", (reply: ReaderMessage | "ready") => (reply === "ready" ? ready(thread) : take(thread, reply)));
    worker.on("error", (error) => {
      log.error({ err: error }, "a thread that reads the database has failed");
      drop(thread);
    });
    worker.on("exit", () => {
      givenUp.delete(worker);
      drop(thread);
    });
    threads.add(thread);
    return thread;
  }

  function ready(thread: Thread): void {
    thread.isReady = true;
    if (thread.task) begin(thread, thread.task);
  }

  function begin(thread: Thread, task: Task): void {
    const { ms } = task.asking;
    if (ms > 0) task.late = setTimeout(() => giveUp(thread), ms + givenUpAfterMs).unref();
    task.onBegin();
  }

  function take(thread: Thread, reply: ReaderMessage): void {
    const { task } = thread;
    if (!task) return;
    free(thread);
    if (reply.error) {
      log.error({ err: reply.error }, "the database refused a question");
      task.reject(new CairnError("internal"));
    } else if (reply.isTooLarge) task.reject(new TooLarge());
    else task.resolve({ answer: reply.answer, workMs: reply.workMs });
  }

  function free(thread: Thread): void {
    clearTimeout(thread.task?.late);
    delete thread.task;
    thread.worker.unref();
    thread.idle = setTimeout(() => end(thread), idleMs).unref();
  }

  /** One is kept, so that the next query need not wait for a start. */
  function end(thread: Thread): void {
    if (thread.task || threads.size <= 1) return;
    threads.delete(thread);
    void thread.worker.terminate();
  }

  /** It ends by itself: its statement cannot be stopped. */
  function giveUp(thread: Thread): void {
    if (givenUp.size >= width) return;
    replaced += 1;
    givenUp.add(thread.worker);
    log.warn("a query could not be stopped: its thread is left to itself, and another takes its place");
    drop(thread);
    void thread.worker.terminate();
  }

  function drop(thread: Thread): void {
    threads.delete(thread);
    clearTimeout(thread.idle);
    clearTimeout(thread.task?.late);
    thread.task?.reject(new CairnError("unavailable"));
    delete thread.task;
  }

  function findIdle(): Thread | undefined {
    for (const thread of threads) if (!thread.task) return thread;
    return undefined;
  }

  function run({ wanted, documents }: Question, { sliceMs, ms, onBegin }: RunTime): Run {
    const thread = findIdle() ?? start();
    const asking: Asking = { number: ++number, wanted, ...(documents && { documents }), sliceMs, ms };
    clearTimeout(thread.idle);
    // A waiting caller keeps the process alive.
    thread.worker.ref();
    const outcome = new Promise<Outcome>((resolve, reject) => {
      thread.task = { asking, onBegin, resolve, reject };
    });
    thread.worker.postMessage(asking);
    if (thread.isReady && thread.task) begin(thread, thread.task);
    return { outcome, stop: () => Atomics.store(thread.stopped, 0, asking.number) };
  }

  const lanes = createLanes({ width, limits, budget, run });
  return {
    ...lanes,
    ask: (question) => (isClosed ? Promise.reject(new CairnError("unavailable")) : lanes.ask(question)),
    counts: () => ({ ...lanes.counts(), replaced }),
    async close() {
      isClosed = true;
      const ended = [...threads].map(({ worker, stopped, task }) => {
        if (task) Atomics.store(stopped, 0, task.asking.number);
        return worker.terminate();
      });
      for (const thread of [...threads]) drop(thread);
      await Promise.all(ended);
    },
  };
}
