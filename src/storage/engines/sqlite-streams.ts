// Reading much beside the server's own work: two threads, and a queue for them in which callers take turns.
// Batches are asked for ahead, two at most. A reader that takes nothing for a minute is cut off, because what it looks at
// keeps the log from beginning again.

import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { awayForNow, CairnError } from "#base/errors.ts";
import { createFairQueue } from "#storage/fair-queue.ts";
import { busy } from "#storage/lanes.ts";
import {
  type Caller,
  type Row,
  type Storage,
  type StreamCounts,
  service,
  type Value,
  type View,
} from "#storage/port.ts";
import type { ReaderFile } from "./sqlite-connect.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { StreamAnswer, StreamRequest, StreamStart } from "./sqlite-stream.ts";

const width = 2;
const maxWaiting = 16;
const maxWaitingEach = 12;
const batchesAhead = 2;
const idleReaderMs = 60_000;
const idleThreadMs = 10_000;
const heapMb = 256;

export interface Streams extends Pick<Storage, "iterate" | "view"> {
  counts(): StreamCounts;
  close(): Promise<void>;
}

interface Thread {
  worker: Worker;
  stopped: Int32Array;
  answers: { resolve(answer: StreamAnswer): void; reject(error: unknown): void }[];
  idle?: NodeJS.Timeout;
}

interface Waiting {
  caller: Caller;
  /** Its place is taken already. */
  resolve(): void;
  reject(error: unknown): void;
}

/** One moment, on a thread that nothing else uses meanwhile. */
interface Session {
  thread: Thread;
  caller: Caller;
  since: number;
  isOver: boolean;
  /** Set while the reader has the turn. */
  idle?: NodeJS.Timeout | undefined;
}

export function openStreams(file: ReaderFile, log: Logger, cutAfterMs = idleReaderMs): Streams {
  const free: Thread[] = [];
  const threads = new Set<Thread>();
  const sessions = new Set<Session>();
  const waiting = createFairQueue<Waiting>();
  /** By caller; the service itself is not counted. */
  const running = new Map<string, number>();
  const counts = { done: 0, busy: 0, cut: 0 };
  let taken = 0;
  let publicTaken = 0;
  let number = 0;
  let isClosed = false;

  function start(): Thread {
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const workerData: StreamStart = { ...file, stopped };
    const worker = new Worker(new URL("./sqlite-stream.ts", import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    worker.unref();
    const thread: Thread = { worker, stopped, answers: [] };
    worker.on("message", (answer: StreamAnswer) => thread.answers.shift()?.resolve(answer));
    worker.on("error", (error) => log.error({ err: error }, "a thread that reads for a report has failed"));
    worker.on("exit", () => drop(thread));
    threads.add(thread);
    return thread;
  }

  function drop(thread: Thread): void {
    threads.delete(thread);
    const at = free.indexOf(thread);
    if (at >= 0) free.splice(at, 1);
    for (const { reject } of thread.answers.splice(0)) reject(awayForNow());
  }

  /** The public never has all threads: a backup finds one. */
  function mayRun(name: string, hasCredential: boolean): boolean {
    if (name === service.name) return true;
    return !running.has(name) && (hasCredential || publicTaken < width - 1);
  }

  async function open(caller: Caller): Promise<Session> {
    if (isClosed) throw new CairnError("unavailable");
    if (taken < width && mayRun(caller.name, caller.hasCredential)) takePlace(caller);
    else await wait(caller);
    const thread = free.pop() ?? start();
    clearTimeout(thread.idle);
    thread.worker.ref();
    const session: Session = { thread, caller, since: performance.now(), isOver: false };
    sessions.add(session);
    thread.worker.postMessage({ op: "begin" } satisfies StreamRequest);
    return session;
  }

  function takePlace({ name, hasCredential }: Caller): void {
    taken += 1;
    if (!hasCredential) publicTaken += 1;
    running.set(name, (running.get(name) ?? 0) + 1);
  }

  function givePlace({ name, hasCredential }: Caller): void {
    const others = (running.get(name) ?? 1) - 1;
    taken -= 1;
    if (!hasCredential) publicTaken -= 1;
    if (others > 0) running.set(name, others);
    else running.delete(name);
    while (taken < width) {
      const next = waiting.take((each) => mayRun(each.slice(1), each.startsWith("+")));
      if (!next) return;
      takePlace(next.caller);
      next.resolve();
    }
  }

  async function wait(caller: Caller): Promise<void> {
    const { signal } = caller;
    const name = queueName(caller);
    const isFull =
      caller.name !== service.name && (waiting.length >= maxWaiting || waiting.lengthOf(name) >= maxWaitingEach);
    if (isFull) {
      counts.busy += 1;
      throw busy();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own: Waiting = { caller, resolve, reject };
    const leave = () => {
      waiting.remove(name, own);
      reject(awayForNow("The caller did not wait for the answer."));
    };
    waiting.push(name, own);
    signal?.addEventListener("abort", leave, { once: true });
    await promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  function close(session: Session): void {
    if (session.isOver) return;
    const { thread, caller } = session;
    session.isOver = true;
    clearTimeout(session.idle);
    sessions.delete(session);
    thread.worker.postMessage({ op: "end" } satisfies StreamRequest);
    counts.done += 1;
    if (threads.has(thread)) rest(thread);
    givePlace(caller);
  }

  function rest(thread: Thread): void {
    free.push(thread);
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      drop(thread);
      void thread.worker.terminate();
    }, idleThreadMs).unref();
  }

  function ask(session: Session, request: StreamRequest): Promise<StreamAnswer> {
    const { thread } = session;
    if (session.isOver || !threads.has(thread)) return Promise.reject(awayForNow());
    const answer = new Promise<StreamAnswer>((resolve, reject) => thread.answers.push({ resolve, reject }));
    thread.worker.postMessage(request);
    return answer.then((told) => {
      if (!told.error) return told;
      log.error({ err: told.error }, "the database refused a long read");
      throw new CairnError("internal");
    });
  }

  /** The reader has the turn: it is cut off when it does not come back. */
  function hold(session: Session): void {
    if (session.caller === service) return;
    session.idle = setTimeout(() => {
      counts.cut += 1;
      log.warn({ caller: session.caller.name }, "a long answer was cut off: nothing of it was taken for a minute");
      close(session);
    }, cutAfterMs).unref();
  }

  async function* iterate<T>(
    session: Session,
    sql: string,
    params: readonly Value[],
    batchSize: number,
  ): AsyncIterable<T[]> {
    const own = ++number;
    const post = (request: StreamRequest) => session.thread.worker.postMessage(request);
    const next = () => {
      const answer = ask(session, { op: "next", number: own });
      answer.catch(() => {});
      return answer;
    };
    post({ op: "iterate", number: own, sql, params, batchSize });
    const ahead = Array.from({ length: batchesAhead }, next);
    try {
      for (;;) {
        if (session.isOver) throw awayForNow("The answer was not taken for a minute.");
        const { rows, isEnd } = await (ahead.shift() as Promise<StreamAnswer>);
        if (!isEnd) ahead.push(next());
        if (rows.length > 0) {
          hold(session);
          yield rows as T[];
          clearTimeout(session.idle);
          // A thread that keeps up would be listened to without end: everybody else has a turn after each batch.
          await new Promise(setImmediate);
        }
        if (isEnd) return;
      }
    } finally {
      clearTimeout(session.idle);
      Atomics.store(session.thread.stopped, 0, own);
      if (!session.isOver) post({ op: "leave", number: own });
    }
  }

  return {
    async *iterate<T>(sql: string, params: readonly Value[], batchSize: number, caller = service): AsyncIterable<T[]> {
      const session = await open(caller);
      try {
        yield* iterate<T>(session, sql, params, batchSize);
      } finally {
        close(session);
      }
    },
    async view<T>(work: (view: View) => Promise<T>, caller = service): Promise<T> {
      const session = await open(caller);
      const all = async <R = Row>(sql: string, params: readonly Value[] = []) =>
        (await ask(session, { op: "all", sql, params })).rows as R[];
      try {
        return await work({
          dialect: sqliteDialect,
          all,
          one: async <R = Row>(sql: string, params?: readonly Value[]) => (await all<R>(sql, params))[0],
          iterate: (sql, params, batchSize) => iterate(session, sql, params, batchSize),
        });
      } finally {
        close(session);
      }
    },
    counts: () => ({
      ...counts,
      running: taken,
      waiting: waiting.length,
      oldest: [...sessions].reduce<number | undefined>(
        (least, { since }) => Math.min(least ?? since, since),
        undefined,
      ),
    }),
    async close() {
      isClosed = true;
      for (let one = waiting.take(); one; one = waiting.take()) one.reject(new CairnError("unavailable"));
      for (const session of sessions) session.isOver = true;
      const ended = [...threads].map((thread) => {
        Atomics.store(thread.stopped, 0, -1);
        return thread.worker.terminate();
      });
      for (const thread of [...threads]) drop(thread);
      await Promise.all(ended);
    },
  };
}

/** In the queue, callers with a credential are kept apart from those without. */
function queueName({ name, hasCredential }: Caller): string {
  return `${hasCredential ? "+" : "-"}${name}`;
}
