// A bulk change of many objects, as a job: with the rights that its author has at that time. Its targets are rows, and the
// change of an object takes its row in the same transaction. So a crash, or a second process, changes nothing twice.

import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Author } from "#access/actor.ts";
import { CairnError, fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { inParallel } from "#base/in-parallel.ts";
import { decryptSecret, encryptSecret, getSiteKey } from "#base/secrets.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { doorOf } from "#content/history/writer.ts";
import { authorOf, findOnBehalf, nameOfAuthor } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { BulkFailure, BulkRequest } from "#contract/admin.ts";
import type { Door } from "#contract/history.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
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
} from "#storage/tables/bulk-targets.ts";
import { deleteQueuedJob, type JobRow, lockJobRow, requeueJob } from "#storage/tables/jobs.ts";
import { type BulkWork, bulkWidth, changeOne, failureOf, neededFor } from "./bulk-work.ts";

const kind = "bulk";
/** Each restart of the server may cost one. */
const maxAttempts = 20;
/** Targets that one transaction stores. */
const storedAtOnce = 2_000;
/** A selection that is not stored completely by then was left by a dead process. */
const storingMs = 600_000;
/** No object has this id: while it is a target, the selection is not stored completely. */
const incomplete = "";
/** Objects between two looks at the author's rights. */
const batchSize = 200;
const maxFailures = 1_000;
/** Pauses while the database or the disk refuses writes for a moment. */
const pausesMs = [500, 2_000, 5_000, 15_000];

interface Payload extends Pick<BulkWork, "collection" | "operation"> {
  author: Author;
  /** By which the author came; absent in jobs from before the log. */
  door?: Door;
  note?: string | undefined;
  total: number;
  /** The body, encrypted: it may hold passwords. */
  sealed: string;
}

export function handleBulkChanges(app: App): void {
  app.jobs.handle(kind, (job, run) => runBulk(app, job, run), {
    cancels: "running",
    async ended({ job, status }) {
      // A failed job may be retried.
      if (status === "succeeded") while (await app.storage.write((tx) => deleteSomeTargets(tx, job.id)));
    },
  });
}

/** The id of the job. Its targets are stored in several transactions, so that other writers get their turn. */
export async function enqueueBulk(ctx: Context, work: BulkWork, ids: readonly string[]): Promise<string> {
  const { collection, operation, body } = work;
  const { storage, clock } = ctx;
  const sealed = encryptSecret(getSiteKey(ctx.settings.dataDir), JSON.stringify(body), purposeOf(collection));
  const payload = { collection, operation, author: authorOf(ctx), ...trailOf(ctx), total: ids.length, sealed };
  const runAt = new Date(clock.now() + storingMs).toISOString();
  const job = await storage.write(async (tx) => {
    const added = { kind, subject: collection, payload: payload as unknown as JsonObject, runAt, maxAttempts };
    const id = await enqueue(tx, added);
    await insertTargets(tx, id, [incomplete]);
    return id;
  });
  try {
    for (let from = 0; from < ids.length; from += storedAtOnce)
      await storage.write((tx) => insertTargets(tx, job, ids.slice(from, from + storedAtOnce)));
    await storage.write(async (tx) => {
      await takeTarget(tx, { job, id: incomplete });
      // It may have been cancelled meanwhile.
      if ((await lockJobRow(tx, job))?.status !== "queued") return;
      await requeueJob(tx, job, { runAt: clock.iso(), error: null });
    });
  } catch (error) {
    await storage.write((tx) => deleteQueuedJob(tx, job)).catch(() => {});
    throw error;
  }
  return job;
}

function trailOf(ctx: Context): Pick<Payload, "door" | "note"> {
  return { door: doorOf(ctx), note: ctx.trail?.note };
}

function purposeOf(collection: string): string {
  return `bulk ${collection}`;
}

/** Kinds of jobs that callers start and follow themselves. */
const ownKinds: readonly string[] = [kind, "undo"];

/** Whether the caller has started it. */
export function isOwnJob(ctx: Pick<Context, "actor" | "surface">, row: Pick<JobRow, "kind" | "payload">): boolean {
  return ownKinds.includes(row.kind) && isDeepStrictEqual((JSON.parse(row.payload) as Payload).author, authorOf(ctx));
}

async function runBulk(app: App, job: Job, run: JobRun): Promise<Json> {
  const { storage } = app;
  const { total, ...payload } = job.payload as unknown as Payload;
  if (await hasTarget(storage, { job: job.id, id: incomplete }))
    fail("invalid", "The server stopped before the selection was stored. Nothing was changed; start it again.");
  const work = { ...payload, body: openBody(app, payload) };
  let done = total - (await countTargets(storage, job.id)) + (await countTargets(storage, job.id, true));
  run.progress(done, total);
  for (let after = ""; ; ) {
    const ids = await listTargets(storage, job.id, { after, limit: batchSize });
    const last = ids.at(-1);
    if (last === undefined) break;
    const { door, note } = payload;
    const ctx = { ...(await getAuthor(app, payload)), trail: { door, note, run: job.id } };
    await inParallel(ids, bulkWidth, async (id) => {
      await yieldToEventLoop();
      run.signal.throwIfAborted();
      run.cancelled.throwIfAborted();
      await changeTarget(ctx, work, { job: job.id, id });
      done += 1;
      run.progress(done, total);
    });
    after = last;
  }
  const failed = (await listTargetFailures(storage, job.id, maxFailures)).map(
    (text) => JSON.parse(text) as BulkFailure,
  );
  return { done: total - (await countTargets(storage, job.id, true)), failed } as unknown as Json;
}

function openBody({ settings }: App, { collection, sealed }: Pick<Payload, "collection" | "sealed">): JsonObject {
  const text = decryptSecret(getSiteKey(settings.dataDir), sealed, purposeOf(collection));
  if (text === undefined) fail("invalid", "The values of this change cannot be decrypted any more. Start it again.");
  return JSON.parse(text) as JsonObject;
}

/** Fails as a whole when the author may not do this any more, or the collection is gone. */
async function getAuthor(
  app: App,
  { author, collection, operation }: { author: Author; collection: string; operation: BulkRequest["operation"] },
): Promise<Context> {
  const ctx = await findOnBehalf(app, author);
  if (!ctx) fail("forbidden", `${nameOfAuthor(author)}, who started this, has no rights any more.`);
  await openCollection(ctx, neededFor[operation], collection);
  return ctx;
}

/** Thrown inside a transaction to roll it back: another process has changed the object already. */
class TakenElsewhere extends Error {}

async function changeTarget(ctx: Context, work: BulkWork, target: BulkTarget): Promise<void> {
  for (const pause of [...pausesMs, undefined]) {
    try {
      await changeOne(ctx, work, target.id, async (tx) => {
        if (!(await takeTarget(tx, target))) throw new TakenElsewhere();
      });
      return;
    } catch (error) {
      if (error instanceof TakenElsewhere) return;
      if (!isPassing(error)) {
        const failure = JSON.stringify(failureOf(ctx, target.id, error));
        await ctx.storage.write((tx) => noteTargetFailure(tx, target, failure));
        return;
      }
      if (pause === undefined) throw error;
      await sleep(pause);
    }
  }
}

/** Not the object's fault: it can be changed later. */
function isPassing(error: unknown): boolean {
  return error instanceof CairnError && (error.status === 503 || error.status === 507);
}
