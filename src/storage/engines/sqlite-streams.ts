// Long reads beside the server's own work, on two threads. Batches are requested ahead, two at most.

import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { CairnError, temporarilyUnavailable } from "#base/errors.ts";
import type { Budget } from "#lanes/budget.ts";
import { type Caller, service } from "#lanes/caller.ts";
import { createStreamTurns, type Place } from "#lanes/stream-turns.ts";
import type { Row, Storage, StreamCounts, Value, View } from "#storage/port.ts";
import type { ReaderFile } from "./sqlite-connect.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import type { StreamAnswer, StreamRequest, StreamStart } from "./sqlite-stream.ts";

const width = 2;
const batchesAhead = 2;
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

/** One moment, on a thread of its own. */
interface Session {
  thread: Thread;
  place: Place;
  watching: NodeJS.Timeout;
}

/** When an open read keeps the log from being reset for too long. */
const usualWatch = { afterMs: 300_000, bytes: 1024 ** 3 };

export interface StreamsOptions {
  file: ReaderFile;
  budget: Budget;
  log: Logger;
  cutAfterMs?: number;
  watch?: typeof usualWatch;
}

export function openStreams({ file, budget, log, cutAfterMs, watch = usualWatch }: StreamsOptions): Streams {
  const free: Thread[] = [];
  const threads = new Set<Thread>();
  const turns = createStreamTurns({ width, budget, log, cutAfterMs });
  let number = 0;
  let holdingLog = 0;
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
    for (const { reject } of thread.answers.splice(0)) reject(temporarilyUnavailable());
  }

  async function open(caller: Caller): Promise<Session> {
    let session: Session | undefined;
    const place = await turns.enter(caller, () => session && end(session));
    if (isClosed) throw new CairnError("unavailable");
    const thread = free.pop() ?? start();
    clearTimeout(thread.idle);
    thread.worker.ref();
    session = { thread, place, watching: setInterval(() => look(caller), watch.afterMs).unref() };
    thread.worker.postMessage({ op: "begin" } satisfies StreamRequest);
    return session;
  }

  /** An open read keeps the log from being reset. */
  function look({ name }: Caller): void {
    const bytes = logBytes();
    if (bytes <= watch.bytes) return;
    holdingLog += 1;
    log.warn({ caller: name, bytes }, "a long read is open for minutes, and the database's log grows meanwhile");
  }

  function logBytes(): number {
    return statSync(`${file.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  function end({ thread, watching }: Session): void {
    clearInterval(watching);
    thread.worker.postMessage({ op: "end" } satisfies StreamRequest);
    if (threads.has(thread)) rest(thread);
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
    const { thread, place } = session;
    if (place.isOver || !threads.has(thread)) return Promise.reject(temporarilyUnavailable());
    const answer = new Promise<StreamAnswer>((resolve, reject) => thread.answers.push({ resolve, reject }));
    thread.worker.postMessage(request);
    return answer.then((reply) => {
      place.spend(reply.spentMs ?? 0);
      if (!reply.error) return reply;
      log.error({ err: reply.error }, "the database refused a long read");
      throw new CairnError("internal");
    });
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
        if (session.place.isOver) throw temporarilyUnavailable("The answer was not read for a minute.");
        const { rows, isEnd } = await (ahead.shift() as Promise<StreamAnswer>);
        if (!isEnd) ahead.push(next());
        if (rows.length > 0) {
          session.place.hand();
          yield rows as T[];
          session.place.takeBack();
          // A quick thread would be read without end: other requests are served after each batch.
          await new Promise(setImmediate);
        }
        if (isEnd) return;
      }
    } finally {
      session.place.takeBack();
      Atomics.store(session.thread.stopped, 0, own);
      if (!session.place.isOver) post({ op: "leave", number: own });
    }
  }

  return {
    async *iterate<T>(sql: string, params: readonly Value[], batchSize: number, caller = service): AsyncIterable<T[]> {
      const session = await open(caller);
      try {
        yield* iterate<T>(session, sql, params, batchSize);
      } finally {
        session.place.leave();
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
        session.place.leave();
      }
    },
    counts: () => ({ ...turns.counts(), holdingLog, logBytes: logBytes() }),
    async close() {
      isClosed = true;
      turns.close();
      const ended = [...threads].map((thread) => {
        Atomics.store(thread.stopped, 0, -1);
        return thread.worker.terminate();
      });
      for (const thread of [...threads]) drop(thread);
      await Promise.all(ended);
    },
  };
}
