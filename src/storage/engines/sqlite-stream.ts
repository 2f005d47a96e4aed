// A thread that reads much, from one moment, on a connection of its own: reports, exports, backups.
// sqlite-streams.ts starts it and asks for one batch after the other. It reads no further than it is asked to.

import { setPriority } from "node:os";
import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { Row, Value } from "#storage/port.ts";
import { connectReader, type ReaderFile } from "./sqlite-connect.ts";
import { prepare } from "./sqlite-statements.ts";

/** A batch ends early when its rows have become so large: what the server's thread does with one takes a millisecond or two. */
const batchBytes = 128 * 1024;
/** Between 0 and 19: the server's thread comes first where there are not enough cores. */
const niceness = 10;

export interface StreamStart extends ReaderFile {
  /** The number of the abandoned iteration. */
  stopped: Int32Array;
}

/** `begin` and `end` enclose one moment; each of the others but `leave` is answered once, in order. */
export type StreamRequest =
  | { op: "begin" | "end" }
  | { op: "all"; sql: string; params: readonly Value[] }
  | { op: "iterate"; number: number; sql: string; params: readonly Value[]; batchSize: number }
  | { op: "next" | "leave"; number: number };

export interface StreamAnswer {
  rows: Row[];
  isEnd: boolean;
  /** How long the statements took, by the clock of the thread. */
  spentMs?: number;
  error?: { message: string; errcode: number | undefined };
}

class Left extends Error {}

interface Iteration {
  rows: Iterator<Row>;
  batchSize: number;
}

// Only there the priority is that of the thread, and not of the process.
if (process.platform === "linux") setPriority(niceness);

const { stopped, ...file } = workerData as StreamStart;
let database: DatabaseSync | undefined;
let current = 0;
const iterations = new Map<number, Iteration>();

function pastDeadline(): number {
  if (Atomics.load(stopped, 0) === current) throw new Left();
  return 0;
}

function connected(): DatabaseSync {
  database ??= connectReader(file, { functions: { past_deadline: pastDeadline } });
  // Whole reports are sorted here: in files, so that memory stays flat.
  if (!file.isImmutable) database.exec("PRAGMA temp_store = FILE");
  return database;
}

function begin(): void {
  connected().exec("BEGIN");
  // The first read fixes the moment.
  connected().prepare("SELECT 1 FROM migrations").get();
}

function nextBatch(number: number): StreamAnswer {
  const iteration = iterations.get(number);
  if (!iteration) return { rows: [], isEnd: true };
  current = number;
  const rows: Row[] = [];
  for (let bytes = 0; rows.length < iteration.batchSize && bytes < batchBytes; ) {
    const { value, done } = iteration.rows.next();
    if (done) return { rows, isEnd: true };
    for (const name in value) bytes += typeof value[name] === "string" ? (value[name] as string).length : 8;
    rows.push(value);
  }
  return { rows, isEnd: false };
}

function perform(request: StreamRequest): StreamAnswer | undefined {
  switch (request.op) {
    case "begin":
      begin();
      return undefined;
    case "all":
      current = 0;
      return { rows: prepare(connected(), request.sql).all<Row>(request.params), isEnd: true };
    case "iterate": {
      const statement = prepare(connected(), request.sql);
      const rows = statement.iterate<Row>(request.params)[Symbol.iterator]();
      iterations.set(request.number, { rows, batchSize: request.batchSize });
      return undefined;
    }
    case "next":
      return nextBatch(request.number);
    case "leave":
      iterations.get(request.number)?.rows.return?.();
      iterations.delete(request.number);
      return undefined;
    case "end":
      iterations.clear();
      // With everything it holds: a connection that stays would keep the log from beginning again.
      database?.close();
      database = undefined;
      return undefined;
  }
}

/** An error of a step without an answer; reported with the next answer. */
let failure: StreamAnswer["error"];

parentPort?.on("message", (request: StreamRequest) => {
  const began = performance.now();
  let answer: StreamAnswer | undefined;
  try {
    answer = perform(request);
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number };
    if (!(error instanceof Left)) failure ??= { message, errcode };
  }
  if (request.op !== "all" && request.op !== "next") return;
  answer ??= { rows: [], isEnd: true };
  answer.spentMs = performance.now() - began;
  parentPort?.postMessage(failure ? { ...answer, error: failure } : answer);
  failure = undefined;
});
