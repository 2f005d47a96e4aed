// Long statements beside the server's own: indexes, checkpoints, checks of the whole file.
// One thread runs them in order. It is started on demand and ended after a while without work.

import { Worker } from "node:worker_threads";
import { CairnError } from "#base/errors.ts";
import type { Answer } from "./sqlite-maintenance.ts";

const idleMs = 10_000;

type Row = Record<string, unknown>;

interface Waiting {
  resolve(rows: Row[]): void;
  reject(error: unknown): void;
}

export interface SqliteWorker {
  run(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

export function openSqliteWorker(file: string): SqliteWorker {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const waiting: Waiting[] = [];

  function start(): Worker {
    const started = new Worker(new URL("./sqlite-maintenance.ts", import.meta.url), { workerData: { file } });
    started.unref();
    started.on("message", take);
    started.on("error", (error) => {
      worker = undefined;
      refuse(error);
    });
    return started;
  }

  function refuse(error: unknown): void {
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  function take({ rows, error }: Answer): void {
    const asked = waiting.shift();
    if (rows) asked?.resolve(rows);
    else asked?.reject(Object.assign(new Error(error?.message), { errcode: error?.errcode }));
    if (waiting.length === 0) idle = setTimeout(end, idleMs).unref();
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  return {
    run(sql) {
      clearTimeout(idle);
      worker ??= start();
      worker.postMessage(sql);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    async close() {
      clearTimeout(idle);
      refuse(new CairnError("unavailable"));
      await end();
    },
  };
}
