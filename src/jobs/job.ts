// A job, from the order for it to its outcome, and what its handler gets.

import { CairnError } from "#base/errors.ts";
import type { Json, JsonObject } from "#contract/json.ts";

export interface NewJob {
  kind: string;
  /** At most one queued job of a kind has this key, and at most one runs at a time. */
  key?: string;
  /** What it is about; jobs are listed by it. */
  subject?: string;
  payload: JsonObject;
  /** Not before this moment. */
  runAt?: string;
  /** Counts crashes, and errors where the kind retries on errors. */
  maxAttempts?: number;
}

export interface Job {
  id: string;
  kind: string;
  subject: string;
  payload: JsonObject;
  /** Including the present one. */
  attempts: number;
  maxAttempts: number;
  created: string;
}

export interface JobRun {
  progress(done: number, total: number): void;
  /** Kept with the job, up to a limit. */
  log(line: string): void;
  /** Aborted when the lease is lost, or the process stops. */
  signal: AbortSignal;
  /** Aborted with JobCancelled when somebody cancels it. Kinds that can be cancelled look between two steps. */
  cancelled: AbortSignal;
}

/** What a cancelled job ends with. Callers that wait for it see the message. */
export class JobCancelled extends CairnError {
  constructor() {
    super("unavailable", "The job was cancelled.");
  }
}

export interface JobOutcome {
  job: Job;
  status: "succeeded" | "failed";
  result: Json;
  /** The message, when it failed. */
  error: string | null;
  isCancelled?: boolean;
  /** What was thrown, when it was thrown in this process. */
  thrown?: unknown;
}

export type JobHandler = (job: Job, run: JobRun) => Promise<Json | undefined>;

/** Fixed, or read from a setting each time. */
export type Count = number | (() => number);

export interface KindOptions {
  /**
   * Which jobs can be cancelled: those that wait, which is the default; also those that run, where the handler looks at
   * `cancelled`; or none, where records of their own wait for them.
   */
  cancels?: "queued" | "running" | "none";
  /** A job whose handler throws is tried again, after longer and longer pauses. */
  retriesOnError?: boolean;
  /** How many at a time in one process. */
  concurrency?: Count;
  /** How many finished ones of a subject are kept. */
  keep?: Count;
  /** Called after the end of a job is stored; not after an attempt that is retried. */
  ended?(outcome: JobOutcome): Promise<void>;
}

/** A kind of jobs that this process handles. */
export interface Kind {
  name: string;
  handler: JobHandler;
  options: KindOptions;
  running: number;
}

export function countOf(value: Count): number {
  return typeof value === "function" ? value() : value;
}
