// Applies an undo as a job: with the rights that its author has at that time. Its objects are rows, in the order of keys, each
// with the version that was planned; the write of an object takes its row in the same transaction. So a crash, or a second
// process, undoes nothing twice. An object that has moved is planned again, and named in the result.

import { setTimeout as sleep } from "node:timers/promises";
import type { Author } from "#access/actor.ts";
import { CairnError, errorCatalogue, fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { inParallel } from "#base/in-parallel.ts";
import { writerOf } from "#content/history/writer.ts";
import { authorOf, findOnBehalf, nameOfAuthor } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { UndoResult } from "#contract/history.ts";
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
import { deleteQueuedJob, lockJobRow, requeueJob } from "#storage/tables/jobs.ts";
import { keyOf, type Plan, phaseOf } from "./plan.ts";
import { type PlannedObject, planObject } from "./plan-object.ts";
import { isSelectedBy, type Selection } from "./selection.ts";
import { undoObject } from "./undo-object.ts";

const kind = "undo";
/** Each restart of the server may cost one. */
const maxAttempts = 20;
/** Targets that one transaction stores. */
const storedAtOnce = 2_000;
/** A plan that is not stored completely by then was left by a dead process. */
const storingMs = 600_000;
/** No object has this name: while it is a target, the plan is not stored completely. */
const incomplete = "";
/** Objects between two looks at the author's rights. */
const batchSize = 200;
/** Objects that are written at the same time: their writes share commits. */
const width = 8;
const maxListed = 1_000;
const maxMessage = 300;
/** When an object moves between its plan and its write. */
const maxTries = 5;
/** Pauses while the database or the disk refuses writes for a moment. */
const pausesMs = [500, 2_000, 5_000, 15_000];

interface Payload {
  author: Author;
  total: number;
  selection: Selection;
}

/** One object of the job, as its row says. */
interface Target {
  /** The text of the row. */
  text: string;
  key: string;
  rid: number;
  rev: number;
  first: number;
  isForced: boolean;
}

export function handleUndo(app: App): void {
  app.jobs.handle(kind, (job, run) => runUndo(app, job, run), {
    cancels: "running",
    async ended({ job, status }) {
      // A failed job may be retried.
      if (status === "succeeded") while (await app.storage.write((tx) => deleteSomeTargets(tx, job.id)));
    },
  });
}

/** The id of the job. Its objects are stored in several transactions, so that other writers get their turn. */
export async function enqueueUndo(ctx: Context, plan: Plan, force: readonly string[]): Promise<string> {
  const { storage, clock } = ctx;
  const forced = new Set(force);
  const targets = plan.objects.flatMap((object) => {
    const isForced = object.conflict === "edited" && forced.has(keyOf(object));
    return object.action === "keep" && !isForced ? [] : [textOf(object, isForced)];
  });
  const payload: Payload = { author: authorOf(ctx), total: targets.length, selection: plan.selected.selection };
  const runAt = new Date(clock.now() + storingMs).toISOString();
  const job = await storage.write(async (tx) => {
    const id = await enqueue(tx, { kind, payload: payload as unknown as JsonObject, runAt, maxAttempts });
    await insertTargets(tx, id, [incomplete]);
    return id;
  });
  try {
    for (let from = 0; from < targets.length; from += storedAtOnce)
      await storage.write((tx) => insertTargets(tx, job, targets.slice(from, from + storedAtOnce)));
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

/** Sorted by text they are in the order of keys; of one key deletions come first. */
function textOf(object: PlannedObject, isForced: boolean): string {
  const { rid, rev, first } = object;
  return [keyOf(object), isForced ? 0 : phaseOf(object), rid, rev, first, isForced ? 1 : 0].join("\t");
}

function readTarget(text: string): Target {
  const [key = "", , rid, rev, first, isForced] = text.split("\t");
  return { text, key, rid: Number(rid), rev: Number(rev), first: Number(first), isForced: isForced === "1" };
}

/** What the result holds beside the failures, which are rows. It counts what this attempt did. */
type Tally = Omit<UndoResult, "failed" | "writer">;

async function runUndo(app: App, job: Job, run: JobRun): Promise<Json> {
  const { storage } = app;
  const { total, author, selection } = job.payload as unknown as Payload;
  if (await hasTarget(storage, { job: job.id, id: incomplete }))
    fail("invalid", "The server stopped before the plan was stored. Nothing was undone; start it again.");
  const tally: Tally = { reverted: 0, deleted: 0, restored: 0, moved: [], lost: [] };
  const isSelected = isSelectedBy(selection);
  let done = total - (await countTargets(storage, job.id)) + (await countTargets(storage, job.id, true));
  run.progress(done, total);
  let ctx = await getAuthor(app, author, job.id);
  for (let after = ""; ; ) {
    const texts = await listTargets(storage, job.id, { after, limit: batchSize });
    const last = texts.at(-1);
    if (last === undefined) break;
    ctx = await getAuthor(app, author, job.id);
    await inParallel(byKeys(texts.map(readTarget)), width, async (targets) => {
      for (const target of targets) {
        await yieldToEventLoop();
        run.signal.throwIfAborted();
        run.cancelled.throwIfAborted();
        await undoTarget(ctx, job.id, { target, isSelected, tally });
        done += 1;
        run.progress(done, total);
      }
    });
    after = last;
  }
  const failed = (await listTargetFailures(storage, job.id, maxListed)).map((text) => JSON.parse(text) as Json);
  const writer = String(await writerOf(ctx));
  return { ...tally, writer, failed } as unknown as Json;
}

/** What has one key is undone in turn. */
function byKeys(targets: readonly Target[]): Target[][] {
  const groups: Target[][] = [];
  for (const target of targets) {
    const group = groups.at(-1);
    if (group?.[0]?.key === target.key) group.push(target);
    else groups.push([target]);
  }
  return groups;
}

/** All changes of one undo have a writer of their own, so that they can be undone together. */
async function getAuthor(app: App, author: Author, run: string): Promise<Context> {
  const ctx = await findOnBehalf(app, author);
  if (!ctx) fail("forbidden", `${nameOfAuthor(author)}, who started this, has no rights any more.`);
  return { ...ctx, trail: { door: "undo", kind: "undo", run } };
}

/** Thrown inside a transaction to roll it back: another process has undone the object already. */
class TakenElsewhere extends Error {}

interface TargetWork {
  target: Target;
  isSelected: ReturnType<typeof isSelectedBy>;
  tally: Tally;
}

async function undoTarget(ctx: Context, job: string, work: TargetWork): Promise<void> {
  const row: BulkTarget = { job, id: work.target.text };
  for (const pause of [...pausesMs, undefined]) {
    try {
      await undoCurrent(ctx, row, work);
      return;
    } catch (error) {
      if (error instanceof TakenElsewhere) return;
      if (!isPassing(error)) {
        const failure = JSON.stringify(failureOf(ctx, work.target, error));
        await ctx.storage.write((tx) => noteTargetFailure(tx, row, failure));
        return;
      }
      if (pause === undefined) throw error;
      await sleep(pause);
    }
  }
}

async function undoCurrent(ctx: Context, row: BulkTarget, { target, isSelected, tally }: TargetWork): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const found = await planObject(ctx, { ...target, collection: collectionOf(target) }, isSelected);
    const planned = found && forced(found, target);
    const hasMoved = planned?.rev !== target.rev;
    try {
      const lost = await undoObject(ctx, planned ?? { ...nothing, ...target }, async (tx) => {
        if (!(await takeTarget(tx, row))) throw new TakenElsewhere();
      });
      if (hasMoved && tally.moved.length < maxListed) tally.moved.push(target.key);
      if (planned?.action === "revert") tally.reverted += 1;
      if (planned?.action === "delete") tally.deleted += 1;
      if (planned?.action === "restore") tally.restored += 1;
      const room = maxListed - tally.lost.length;
      tally.lost.push(...lost.slice(0, room).map((key) => `${target.key}/${key}`));
      return;
    } catch (error) {
      const isOvertaken = error instanceof CairnError && error.word === "precondition-failed";
      if (!isOvertaken || tries === maxTries) throw error;
    }
  }
}

const nothing = { collection: "", id: "", action: "keep" as const, properties: [], isVisible: false };

/** An object that others have edited is deleted where the caller asked for it. */
function forced(planned: PlannedObject, { isForced }: Target): PlannedObject {
  return isForced && planned.conflict === "edited" ? { ...planned, action: "delete" } : planned;
}

function collectionOf({ key }: Target): string {
  return key.slice(0, key.indexOf("/"));
}

/** Not the object's fault: it can be undone later. */
function isPassing(error: unknown): boolean {
  return error instanceof CairnError && (error.status === 503 || error.status === 507);
}

/** Cut short: a result holds many of them. */
function failureOf({ log }: Context, target: Target, error: unknown): UndoResult["failed"][number] {
  const collection = collectionOf(target);
  const id = target.key.slice(collection.length + 1);
  if (!(error instanceof CairnError)) {
    log.error({ err: error, collection, id }, "an object of an undo failed");
    return { collection, id, message: errorCatalogue.internal.message };
  }
  const details = error.details && { details: error.details };
  return { collection, id, message: error.message.slice(0, maxMessage), ...details };
}
