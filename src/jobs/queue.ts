// The durable queue: a job is a row, held under a lease by the process that runs it. When that process dies, whoever
// looks next takes the job over, up to its number of attempts. Any number of processes may work on one queue.
// A handler may run twice over a crash, never twice at a time; what it throws is its end, unless its kind says otherwise.

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { type Clock, systemClock } from "#base/clock.ts";
import { uuid } from "#base/ids.ts";
import { noteOperation } from "#base/loop-guard.ts";
import { settleWithin } from "#base/settle-within.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { type Storage, type Tx, UniqueViolation } from "#storage/port.ts";
import * as rows from "#storage/tables/jobs.ts";
import { createHolder, type Held } from "./job-lease.ts";

const defaults = { maxAttempts: 4, concurrency: 2, keep: 1_000 };
/** How often a waiting process looks whether there is something to do. A look costs a few microseconds. */
const pollMs = 1_000;
const pruneMs = 3_600_000;
const keepMs = 30 * 86_400_000;
/** After a first, second, third attempt that ended with its process: how long its lease must be over. */
const patienceMs = [0, 5_000, 30_000];
/** Before the next try of a handler that threw. */
const retryMs = [10_000, 60_000, 300_000, 1_800_000, 7_200_000];
/** For the transactions that found a job waiting and are still open when it is taken. */
const settleMs = 3_000;
const drainMs = 5_000;
const abortMs = 500;

export interface NewJob {
  kind: string;
  /** At most one queued job of a kind has this key, and at most one runs at a time. */
  key?: string;
  /** What it is about, to be found by. */
  subject?: string;
  payload: JsonObject;
  /** Not before this moment. */
  runAt?: string;
  /** Over crashes, and over errors where the kind is tried again on those. */
  maxAttempts?: number;
}

export interface Job {
  id: string;
  kind: string;
  subject: string;
  payload: JsonObject;
  /** This one counts. */
  attempts: number;
  maxAttempts: number;
  created: string;
}

export interface JobRun {
  progress(done: number, total: number): void;
  /** Kept with the job, up to a limit. */
  log(line: string): void;
  /** Aborted when the job is no longer ours, or the process stops. */
  signal: AbortSignal;
}

export interface JobOutcome {
  job: Job;
  status: "succeeded" | "failed";
  result: Json;
  /** The message, when it failed. */
  error: string | null;
  /** What was thrown, when it was thrown in this process. */
  thrown?: unknown;
}

export type JobHandler = (job: Job, run: JobRun) => Promise<Json | undefined>;

/** Fixed, or as a setting has it now. */
type Count = number | (() => number);

export interface KindOptions {
  /** What it throws is no end: it is tried again, later each time. */
  retriesOnError?: boolean;
  /** How many at a time in one process. */
  concurrency?: Count;
  /** How many finished ones of a subject are kept. */
  keep?: Count;
  /** After the end of a job is stored; not after a try that another follows. */
  ended?(outcome: JobOutcome): Promise<void>;
}

export interface Jobs {
  handle(kind: string, handler: JobHandler, options?: KindOptions): void;
  /** Those that are handled here. */
  kinds(): string[];
  /** Works until stop(), at once on what this process queues. */
  start(): void;
  /** Does what is due, and what a dead process has left; the number of jobs done. */
  tick(): Promise<number>;
  /** Runs it here and now: it neither waits nor is tried again, and is listed with the others. `work`: what only the caller has. */
  run(job: NewJob, work?: JobHandler): Promise<JobOutcome>;
  /** Lets running jobs end, for some seconds or for less; what is left is taken up by whoever looks next. */
  stop(ms?: number): Promise<void>;
}

/**
 * The id of the job, or of the one of the same kind and key that waits already, which then runs after this transaction:
 * so it comes after the changes that the job is about.
 */
export function enqueue(tx: Tx, job: NewJob): Promise<string> {
  return rows.insertJob(tx, toRow(job));
}

function toRow({ kind, key, subject = "", payload, runAt, maxAttempts = defaults.maxAttempts }: NewJob): rows.NewJob {
  const created = systemClock.iso();
  const text = JSON.stringify(payload);
  return { id: uuid(), kind, key: key ?? null, subject, payload: text, maxAttempts, runAt: runAt ?? created, created };
}

interface Kind {
  name: string;
  handler: JobHandler;
  options: KindOptions;
  running: number;
}

export interface JobParts {
  storage: Storage;
  clock: Clock;
  log: Logger;
  /** Before each job: no request has brought up to date what it goes by. */
  prepare?(): void;
}

export function createJobs({ storage, clock, log, prepare = () => {} }: JobParts): Jobs {
  const kinds = new Map<string, Kind>();
  const holder = createHolder({ storage, clock, log });
  const running = new Set<Promise<unknown>>();
  let isStarted = false;
  let isStopping = false;
  let poll: NodeJS.Timeout | undefined;
  let unwatch = () => {};
  let seenVersion = -1;
  let nextLook = 0;
  let nextPrune = 0;
  let pumping: Promise<number> | undefined;
  let isAskedAgain = false;

  /** Starts all that is due, as far as there is room; the number started. */
  function pump(): Promise<number> {
    if (pumping !== undefined) isAskedAgain = true;
    pumping ??= claimAll().finally(() => {
      pumping = undefined;
      if (isAskedAgain && isStarted) wake();
      isAskedAgain = false;
    });
    return pumping;
  }

  async function claimAll(): Promise<number> {
    seenVersion = storage.version("jobs");
    let started = 0;
    let next = Number.MAX_SAFE_INTEGER;
    for (const { kind: name, runAt, lease } of await rows.listNextDue(storage, [...kinds.keys()])) {
      const due = Math.min(...[runAt, lease].map((at) => (at === null ? Number.MAX_SAFE_INTEGER : Date.parse(at))));
      next = Math.min(next, due);
      if (due <= clock.now()) started += await claimSome(kinds.get(name) as Kind);
    }
    nextLook = next;
    return started;
  }

  async function claimSome(kind: Kind): Promise<number> {
    let started = 0;
    while (!isStopping && kind.running < count(kind.options.concurrency ?? defaults.concurrency)) {
      const job = await claim(kind);
      if (!job) break;
      launch(kind, job);
      started += 1;
    }
    return started;
  }

  async function claim(kind: Kind): Promise<rows.JobRow | undefined> {
    const now = clock.now();
    const lapsed = patienceMs.map((ms) => new Date(now - ms).toISOString());
    const exhausted: rows.JobRow[] = [];
    const claimed = await storage.write(async (tx) => {
      exhausted.length = 0;
      for (;;) {
        const abandoned = await rows.lockAbandoned(tx, kind.name, lapsed);
        if (!abandoned) return rows.claimDue(tx, kind.name, holder.lease());
        if (abandoned.attempts < abandoned.maxAttempts) return rows.takeOver(tx, abandoned.seq, holder.lease());
        const error = "The process ended while the job ran.";
        const end = { status: "failed" as const, result: null, error, log: abandoned.log, finished: clock.iso() };
        await rows.finishJob(tx, abandoned.id, abandoned.owner as string, { ...abandoned, ...end });
        exhausted.push({ ...abandoned, error });
      }
    });
    for (const row of exhausted)
      await tell(kind, { job: toJob(row), status: "failed", result: null, error: row.error });
    return claimed;
  }

  function launch(kind: Kind, row: rows.JobRow): void {
    kind.running += 1;
    const { key } = row;
    const known = key === null ? kind : { ...kind, handler: afterAll(kind.handler, key) };
    const work = perform(known, holder.hold(row.id, toJob(row))).catch((error) => {
      // Its lease runs out, and it is taken up again.
      log.error({ err: error, job: row.id, kind: kind.name }, "the end of a job could not be stored");
    });
    running.add(work);
    void work.finally(() => {
      running.delete(work);
      kind.running -= 1;
      if (isStarted) wake();
    });
  }

  /**
   * Who found a job of the key waiting left it at that, and may not have committed yet: the handler must see what he
   * wrote. For one who takes too long there is another job.
   */
  function afterAll(handler: JobHandler, key: string): JobHandler {
    return async (job, run) => {
      if (!(await storage.settle(settleMs))) {
        const runAt = new Date(clock.now() + settleMs).toISOString();
        await storage.write((tx) => enqueue(tx, { ...job, key, runAt }));
      }
      return handler(job, run);
    };
  }

  async function perform(kind: Kind, held: Held, stored?: Promise<void>): Promise<JobOutcome> {
    const { job } = held;
    let outcome: JobOutcome;
    try {
      prepare();
      noteOperation(`job ${kind.name}`);
      const [result] = await Promise.all([kind.handler(job, held), stored]);
      outcome = { job, status: "succeeded", result: result ?? null, error: null };
    } catch (thrown) {
      outcome = { job, status: "failed", result: null, error: messageOf(thrown), thrown };
    }
    try {
      await stored;
      // Not ours any more, or left for others: whoever looks next takes it up.
      if (held.signal.aborted) return outcome;
      if (outcome.status === "failed" && kind.options.retriesOnError && job.attempts < job.maxAttempts) {
        if (await requeue(held, outcome)) return outcome;
      }
      if (await end(kind, held, outcome)) await tell(kind, outcome);
      return outcome;
    } finally {
      holder.release(job.id);
    }
  }

  /** False when another of its key waits: that one stands for both. */
  async function requeue(held: Held, { job, error }: JobOutcome): Promise<boolean> {
    const pause = retryMs[Math.min(job.attempts, retryMs.length) - 1] as number;
    const runAt = new Date(clock.now() + pause).toISOString();
    try {
      return await storage.write(async (tx) => {
        const isOurs = await rows.renewLease(tx, job.id, { ...holder.lease(), done: held.done, total: held.total });
        return isOurs && rows.requeueJob(tx, job.id, { runAt, error });
      });
    } catch (thrown) {
      // Queued at this very moment.
      if (thrown instanceof UniqueViolation) return false;
      throw thrown;
    }
  }

  function end(kind: Kind, held: Held, { job, status, result, error }: JobOutcome): Promise<boolean> {
    const text = JSON.stringify(result);
    const { done, total } = held;
    return storage.write(async (tx) => {
      const finished = clock.iso();
      const row = { status, finished, result: text, error, log: held.text(), done, total };
      const isOurs = await rows.finishJob(tx, job.id, holder.owner, row);
      if (isOurs) await rows.deleteAllButNewest(tx, kind.name, job.subject, count(kind.options.keep ?? defaults.keep));
      return isOurs;
    });
  }

  async function tell(kind: Kind, outcome: JobOutcome): Promise<void> {
    const { id } = outcome.job;
    if (outcome.status === "failed") log.warn({ job: id, kind: kind.name, error: outcome.error }, "a job failed");
    try {
      await kind.options.ended?.(outcome);
    } catch (error) {
      log.error({ err: error, job: id, kind: kind.name }, "what follows a job failed");
    }
  }

  function wake(): void {
    pump().catch((error) => {
      log.warn({ err: error }, "the queue could not be read");
      // Whatever has been touched meanwhile, it is looked at again.
      nextLook = 0;
    });
  }

  function look(): void {
    const now = clock.now();
    if (now >= nextPrune) {
      nextPrune = now + pruneMs;
      prune().catch((error) => log.warn({ err: error }, "finished jobs could not be removed"));
    }
    if (now >= nextLook || storage.version("jobs") !== seenVersion) wake();
  }

  async function prune(): Promise<void> {
    const before = new Date(clock.now() - keepMs).toISOString();
    await rows.deleteFinished(storage, { before });
  }

  /** Until every job that another process held when we began is renewed, ended or ours. */
  async function awaitAbandoned(): Promise<number> {
    let done = 0;
    let silent = await rows.listLeases(storage, holder.owner);
    while (silent.length > 0 && !isStopping) {
      await sleep(250);
      done += await drainDue();
      const now = new Map((await rows.listLeases(storage, holder.owner)).map((row) => [row.id, row]));
      silent = silent.filter((row) => {
        const current = now.get(row.id);
        const isDue = clock.now() < Date.parse(row.leaseUntil) + pollMs;
        return kinds.has(row.kind) && isDue && current?.leaseUntil === row.leaseUntil;
      });
    }
    return done;
  }

  async function drainDue(): Promise<number> {
    let done = 0;
    for (;;) {
      const started = await pump();
      if (started === 0 && running.size === 0) return done;
      done += started;
      if (running.size > 0) await Promise.race(running);
    }
  }

  return {
    handle(kind, handler, options = {}) {
      kinds.set(kind, { name: kind, handler, options, running: 0 });
    },
    kinds: () => [...kinds.keys()],
    start() {
      isStarted = true;
      unwatch = storage.watch("jobs", wake);
      poll = setInterval(look, pollMs);
      poll.unref();
      wake();
    },
    async tick() {
      const done = await drainDue();
      return done + (await awaitAbandoned());
    },
    async run(spec, work) {
      const known = kinds.get(spec.kind) as Kind;
      const kind = work ? { ...known, handler: work } : known;
      const row = toRow({ ...spec, maxAttempts: 1 });
      const lease = holder.lease();
      const held = holder.hold(row.id, { ...row, payload: spec.payload, attempts: 1 });
      const stored = storage.write((tx) => rows.insertRunningJob(tx, row, lease));
      const outcome = perform(kind, held, stored);
      running.add(outcome);
      return outcome.finally(() => running.delete(outcome));
    },
    async stop(ms = drainMs + abortMs) {
      isStopping = true;
      isStarted = false;
      unwatch();
      clearInterval(poll);
      const drained = performance.now() + Math.min(drainMs, ms - abortMs);
      const left = () => Math.max(0, drained - performance.now());
      if (pumping !== undefined) await settleWithin([pumping], left());
      if (running.size === 0) return;
      await settleWithin(running, left());
      holder.abandon();
      await settleWithin(running, abortMs);
      if (running.size > 0) log.warn({ jobs: running.size }, "jobs were left unfinished");
      await storage.write((tx) => rows.endLeases(tx, holder.owner, clock.iso()));
    },
  };
}

function toJob(row: rows.JobRow): Job {
  const { id, kind, subject, attempts, maxAttempts, created } = row;
  return { id, kind, subject, payload: JSON.parse(row.payload) as JsonObject, attempts, maxAttempts, created };
}

function count(value: Count): number {
  return typeof value === "function" ? value() : value;
}

/** Without the one character that not every database can hold. */
function messageOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.replaceAll("\0", "").slice(0, 4_000);
}
