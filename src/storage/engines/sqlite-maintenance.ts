// A worker that runs one long statement on a connection of its own, so that the server's loop goes on.

import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const { file, sql } = workerData as { file: string; sql: string };
const database = new DatabaseSync(file, { timeout: 30_000 });
try {
  parentPort?.postMessage(database.prepare(sql).all());
} finally {
  database.close();
}
