// The durable queue: a job is a row, held under a lease by the process that runs it. When that process dies, the next
// process that looks takes the job over, up to its number of attempts. Any number of processes may work on one queue.
// After a crash a handler may run again, never twice at a time. A handler that throws ends its job, unless its kind retries.

import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Clock } from "#base/clock.ts";
import { settleWithin } from "#base/settle-within.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Storage } from "#storage/port.ts";
import * as rows from "#storage/tables/jobs.ts";
import { claimJob, toJob } from "./claim.ts";
import { toJobRow } from "./enqueue.ts";
import { countOf, type JobHandler, type JobOutcome, type Kind, type KindOptions, type NewJob } from "./job.ts";
import { createHolder } from "./job-lease.ts";
import { afterOpenWrites, reportEnd, runJob } from "./run-job.ts";

const defaultConcurrency = 2;
/** How often a waiting process looks for work. A look costs a few microseconds. */
const pollMs = 1_000;
const pruneMs = 3_600_000;
const keepMs = 30 * 86_400_000;
const drainMs = 5_000;
const abortMs = 500;

export interface Jobs {
  handle(kind: string, handler: JobHandler, options?: KindOptions): void;
  /** Which jobs of a kind can be cancelled. */
  cancels(kind: string): NonNullable<KindOptions["cancels"]>;
  /** Looks at once for running jobs that somebody cancelled; otherwise it happens with the next renewal of leases. */
  noticeCancelled(): void;
  /** The kinds that this process handles. */
  kinds(): string[];
  /** Works until stop(). Jobs that this process queues start at once. */
  start(): void;
  /** Does what is due and what dead processes left; returns the number of jobs done. */
  tick(): Promise<number>;
  /** Runs it at once, without a retry; it is listed with the others. `work` replaces the handler of its kind. */
  run(job: NewJob, work?: JobHandler): Promise<JobOutcome>;
  /** Begins nothing more from the queue, and waits for what is running, for at most so long. */
  pause(ms: number): Promise<void>;
  /** Waits a few seconds for running jobs; another process takes over what is left. */
  stop(ms?: number): Promise<void>;
}

export interface JobParts {
  storage: Storage;
  clock: Clock;
  log: Logger;
  /** Called before each job: no request has reloaded settings and schemas. */
  prepare?(): void;
}

export function createJobs({ storage, clock, log, prepare = () => {} }: JobParts): Jobs {
  const kinds = new Map<string, Kind>();
  const holder = createHolder({ storage, clock, log });
  const parts = { storage, clock, log, prepare, holder };
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

  /** Starts what is due, up to the concurrency of each kind; returns the number started. */
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
    while (!isStopping && kind.running < countOf(kind.options.concurrency ?? defaultConcurrency)) {
      const { row, exhausted } = await claimJob(storage, kind.name, parts);
      for (const lost of exhausted)
        await reportEnd(parts, kind, { job: toJob(lost), status: "failed", result: null, error: lost.error });
      if (!row) break;
      launch(kind, row);
      started += 1;
    }
    return started;
  }

  function launch(kind: Kind, row: rows.JobRow): void {
    kind.running += 1;
    const { key } = row;
    const known = key === null ? kind : { ...kind, handler: afterOpenWrites(parts, kind.handler, key) };
    const work = runJob(parts, known, holder.hold(row.id, toJob(row))).catch((error) => {
      // Its lease runs out, and another attempt follows.
      log.error({ err: error, job: row.id, kind: kind.name }, "the end of a job could not be stored");
    });
    running.add(work);
    void work.finally(() => {
      running.delete(work);
      kind.running -= 1;
      if (isStarted) wake();
    });
  }

  function wake(): void {
    pump().catch((error) => {
      log.warn({ err: error }, "the queue could not be read");
      // Look again at the next poll, whatever has changed.
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

  /** Waits until every job that another process held at the start is renewed, ended or ours. */
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

  function endClaims(): void {
    isStopping = true;
    isStarted = false;
    unwatch();
    clearInterval(poll);
  }

  return {
    handle(kind, handler, options = {}) {
      kinds.set(kind, { name: kind, handler, options, running: 0 });
    },
    cancels: (kind) => kinds.get(kind)?.options.cancels ?? "queued",
    noticeCancelled: () => holder.look(),
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
      const row = toJobRow({ ...spec, maxAttempts: 1 });
      const lease = holder.lease();
      const held = holder.hold(row.id, { ...row, payload: spec.payload, attempts: 1 });
      const begin = () => storage.write((tx) => rows.insertRunningJob(tx, row, lease));
      // The work of a caller writes for itself; a handler may also do what no database knows of.
      const stored = work ? unclaimed(begin) : begin();
      const outcome = runJob(parts, kind, held, stored);
      running.add(outcome);
      return outcome.finally(() => running.delete(outcome));
    },
    async pause(ms) {
      endClaims();
      await settleWithin([...running, ...(pumping !== undefined ? [pumping] : [])], ms);
    },
    async stop(ms = drainMs + abortMs) {
      endClaims();
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
