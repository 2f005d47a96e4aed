// A thread that answers questions on a read-only connection of its own. sqlite-readers.ts starts it and speaks to it.
// The statements ask `past_deadline()` every so many rows: it throws when the question's time is over, or nobody waits for
// its answer any more, and so ends the statement.

import { parentPort, workerData } from "node:worker_threads";
import { sliceWaitFactor } from "#lanes/slice.ts";
import type { Answer, Question, Row } from "#storage/port.ts";
import { answerQuestion, checkSize, TooLarge } from "#storage/query/questions.ts";
import { connectReader, type ReaderFile, threadMappedBytes } from "./sqlite-connect.ts";
import { statementCache } from "./sqlite-statements.ts";

export interface ReaderStart extends ReaderFile {
  /** The number of the query whose caller has disconnected. */
  stopped: Int32Array;
}

export interface Asking extends Pick<Question, "wanted" | "documents"> {
  number: number;
  sliceMs: number | undefined;
  ms: number;
}

export interface ReaderMessage {
  answer?: Answer;
  /** Stopped: its time was over. */
  isLate?: true;
  isTooLarge?: true;
  error?: { message: string; errcode: number | undefined };
  workMs: number;
}

class Stopped extends Error {}

const { stopped, ...file } = workerData as ReaderStart;
const database = connectReader(file, { functions: { past_deadline: pastDeadline }, mapped: threadMappedBytes });
let prepare = statementCache(database);
const begin = database.prepare("BEGIN");
const end = database.prepare("COMMIT");

let asked: Asking;
let began = 0;
let beganWork = 0;

function pastDeadline(): number {
  const spent = performance.now() - began;
  const { number, ms, sliceMs } = asked;
  if ((ms > 0 && spent > ms) || Atomics.load(stopped, 0) === number) throw new Stopped();
  if (sliceMs === undefined || spent <= sliceMs) return 0;
  if (spent > sliceMs * sliceWaitFactor || workMs() - beganWork > sliceMs) throw new Stopped();
  return 0;
}

/** Processor time of this thread, so that a busy machine makes no query slow. */
function workMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function find(): Answer {
  let bytes = 0;
  begin.run();
  return answerQuestion(asked, ({ sql, params }) => {
    const rows: Row[] = [];
    for (const row of prepare(sql).iterate<Row>(params)) {
      bytes = checkSize([row], bytes);
      rows.push(row);
    }
    return rows;
  });
}

function run(): ReaderMessage {
  began = performance.now();
  beganWork = workMs();
  const result: ReaderMessage = { workMs: 0 };
  try {
    result.answer = find();
  } catch (error) {
    // A statement that was ended in the middle would throw again the next time.
    prepare = statementCache(database);
    if (error instanceof Stopped) result.isLate = true;
    else if (error instanceof TooLarge) result.isTooLarge = true;
    else {
      const { message, errcode } = error as Error & { errcode?: number };
      result.error = { message, errcode };
    }
  }
  if (database.isTransaction) end.run();
  result.workMs = workMs() - beganWork;
  return result;
}

parentPort?.on("message", (question: Asking) => {
  asked = question;
  const result = run();
  const bytes = result.answer?.documents?.text;
  parentPort?.postMessage(result, bytes ? [bytes.buffer as ArrayBuffer] : []);
});
parentPort?.postMessage("ready");
