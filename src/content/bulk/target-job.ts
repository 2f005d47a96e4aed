// A job over many objects, for bulk changes and undo: its targets are rows, and the write of an object takes its row in the
// same transaction. So a crash, or a second process, writes nothing twice. Rights are looked at again between batches.

import { setTimeout as sleep } from "node:timers/promises";
import { CairnError, fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { inParallel, slices } from "#base/in-parallel.ts";
import type { App, Context } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Tx } from "#storage/port.ts";
import {
  type BulkTarget,
  countTargets,
  deleteSomeTargets,
  hasTarget,
  insertTargets,
  listTargetFailures,
  listTargets,
  noteTargetFailure,
  takeTarget,
  takeTargets,
} from "#storage/tables/bulk-targets.ts";
import { deleteQueuedJob, lockJobRow, requeueJob } from "#storage/tables/jobs.ts";

/** Each restart of the server may cost one. */
const maxAttempts = 20;
/** Targets that one transaction stores. */
const storedAtOnce = 2_000;
/** Targets that are not stored completely by then were left by a dead process. */
const storingMs = 600_000;
/** No object has this name: while it is a target, the others are not stored completely. */
const incomplete = "";
/** Objects between two looks at the author's rights. */
const batchSize = 200;
const maxFailures = 1_000;
/** Pauses while the database or the disk refuses writes for a moment. */
const pausesMs = [500, 2_000, 5_000, 15_000];

export function handleTargets(app: App, kind: string, work: (job: Job, run: JobRun) => Promise<Json>): void {
  app.jobs.handle(kind, work, {
    cancels: "running",
    async ended({ job, status }) {
      // A failed job may be retried.
      if (status === "succeeded") while (await app.storage.write((tx) => deleteSomeTargets(tx, job.id)));
    },
  });
}

interface NewTargets {
  kind: string;
  subject?: string;
  payload: JsonObject;
  targets: readonly string[];
}

/** The id of the job. Its targets are stored in several transactions, so that other writers get their turn. */
export async function enqueueTargets({ storage, clock }: Context, { targets, ...added }: NewTargets): Promise<string> {
  const runAt = new Date(clock.now() + storingMs).toISOString();
  // Nothing is done before the job may run: the last transaction.
  const job = await unclaimed(() =>
    storage.write(async (tx) => {
      const id = await enqueue(tx, { ...added, runAt, maxAttempts });
      await insertTargets(tx, id, [incomplete]);
      return id;
    }),
  );
  try {
    for (let from = 0; from < targets.length; from += storedAtOnce)
      await unclaimed(() => storage.write((tx) => insertTargets(tx, job, targets.slice(from, from + storedAtOnce))));
    await storage.write(async (tx) => {
      await takeTarget(tx, { job, id: incomplete });
      // It may have been cancelled meanwhile.
      if ((await lockJobRow(tx, job))?.status !== "queued") return;
      await requeueJob(tx, job, { runAt: clock.iso(), error: null });
    });
  } catch (error) {
    await unclaimed(() => storage.write((tx) => deleteQueuedJob(tx, job))).catch(() => {});
    throw error;
  }
  return job;
}

interface TargetRun<T> {
  job: Job;
  run: JobRun;
  total: number;
  /** Where the targets were not stored: what to say. */
  incomplete: string;
  /** Objects that are written at the same time: their writes share commits. */
  width: number;
  /** Fails as a whole where the author has no rights any more. */
  author(): Promise<Context>;
  /** What is written in turn, of the targets in their order. */
  groups(targets: readonly string[]): T[][];
  idOf(target: T): string;
  /** `take` is called in the transaction of the write. */
  write(ctx: Context, target: T, take: (tx: Tx) => Promise<void>): Promise<void>;
  /**
   * Several of them in one transaction, each with a group of its own. Resolves to those that it left for `write`; so are all
   * where it throws.
   */
  writeTogether?(ctx: Context, targets: readonly T[], take: TakeSome<T>): Promise<readonly T[]>;
  /** Cut short: a result holds many of them. */
  failureOf(ctx: Context, target: T, error: unknown): object;
}

/** Called in the transaction of their writes. */
export type TakeSome<T> = (tx: Tx, targets: readonly T[]) => Promise<void>;

/** Targets of one transaction, and such transactions at the same time. */
const together = { targets: 50, atOnce: 2 };

/** Writes all targets; the failures of this attempt and of those before it. */
export async function runTargets<T>({ storage }: App, work: TargetRun<T>): Promise<Json[]> {
  const { job, run, total } = work;
  if (await hasTarget(storage, { job: job.id, id: incomplete })) fail("invalid", work.incomplete);
  let done = total - (await countTargets(storage, job.id)) + (await countTargets(storage, job.id, true));
  run.progress(done, total);
  for (let after = ""; ; ) {
    const targets = await listTargets(storage, job.id, { after, limit: batchSize });
    const last = targets.at(-1);
    if (last === undefined) break;
    const ctx = await work.author();
    const next = async () => {
      await yieldToEventLoop();
      run.signal.throwIfAborted();
      run.cancelled.throwIfAborted();
    };
    const progress = (count: number) => {
      done += count;
      run.progress(done, total);
    };
    const writeEach = (groups: readonly T[][]) =>
      inParallel(groups, work.width, async (group) => {
        for (const target of group) {
          await next();
          await writeTarget(ctx, work, target);
          progress(1);
        }
      });
    const groups = work.groups(targets);
    if (!work.writeTogether) await writeEach(groups);
    else
      await inParallel(slices(groups, together.targets), together.atOnce, async (some) => {
        await next();
        const left = await writeSome(ctx, work, some);
        progress(some.flat().length - left.flat().length);
        await writeEach(left);
      });
    after = last;
  }
  return (await listTargetFailures(storage, job.id, maxFailures)).map((text) => JSON.parse(text) as Json);
}

/** The groups that are left. */
async function writeSome<T>(ctx: Context, work: TargetRun<T>, groups: readonly T[][]): Promise<readonly T[][]> {
  const single = groups.flatMap((group) => (group.length === 1 ? group : []));
  const take: TakeSome<T> = async (tx, targets) => {
    const ids = targets.map(work.idOf);
    if ((await takeTargets(tx, work.job.id, ids)) < ids.length) throw new TakenElsewhere();
  };
  try {
    const left = new Set(await work.writeTogether?.(ctx, single, take));
    return groups.filter((group) => group.length > 1 || left.has(group[0] as T));
  } catch {
    // Alone each one says what is wrong with it, and waits where it must.
    return groups;
  }
}

/** Thrown inside a transaction to roll it back: another process has written the object already. */
class TakenElsewhere extends Error {}

async function writeTarget<T>(ctx: Context, work: TargetRun<T>, target: T): Promise<void> {
  const row: BulkTarget = { job: work.job.id, id: work.idOf(target) };
  for (const pause of [...pausesMs, undefined]) {
    try {
      await work.write(ctx, target, async (tx) => {
        if (!(await takeTarget(tx, row))) throw new TakenElsewhere();
      });
      return;
    } catch (error) {
      if (error instanceof TakenElsewhere) return;
      if (!isPassing(error)) {
        const failure = JSON.stringify(work.failureOf(ctx, target, error));
        await ctx.storage.write((tx) => noteTargetFailure(tx, row, failure));
        return;
      }
      if (pause === undefined) throw error;
      await sleep(pause);
    }
  }
}

/** Not the object's fault: it can be written later. */
function isPassing(error: unknown): boolean {
  return error instanceof CairnError && (error.status === 503 || error.status === 507);
}
