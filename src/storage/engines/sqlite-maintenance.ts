// A worker that runs long statements one after the other on a connection of its own, so that the server's loop is free.
// sqlite-worker.ts starts it and talks to it.

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

/** The result of each statement. */
export interface Answer {
  rows?: Record<string, unknown>[];
  error?: { message: string; errcode: number | undefined };
}

const { file } = workerData as { file: string };
const database = new DatabaseSync(file, { timeout: 30_000 });

parentPort?.on("message", (sql: string) => parentPort?.postMessage(run(sql)));

function run(sql: string): Answer {
  try {
    return { rows: database.prepare(sql).all() };
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    return { error: { message, errcode } };
  }
}
