// Applies an undo as a job over its objects (content/bulk/target-job.ts), in the order of keys, each with the version that was
// planned. An object that has moved is planned again, and named in the result.

import type { Author } from "#access/actor.ts";
import { opensOperation } from "#access/allow.ts";
import { CairnError, errorCatalogue, fail } from "#base/errors.ts";
import { enqueueTargets, handleTargets, runTargets, type TakeSome } from "#content/bulk/target-job.ts";
import { writerOf } from "#content/history/writer.ts";
import { authorOf, findOnBehalf, nameOfAuthor } from "#content/on-behalf.ts";
import type { App, Context } from "#context.ts";
import type { UndoResult } from "#contract/history.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import type { Tx } from "#storage/port.ts";
import { findObjectsWithChanges } from "#storage/tables/history/objects-with-changes.ts";
import { keyOf, type Plan, phaseOf } from "./plan.ts";
import { type PlannedObject, planObject, planRead } from "./plan-object.ts";
import { isSelectedBy, type Selection } from "./selection.ts";
import { undoObject } from "./undo-object.ts";
import { undoTogether } from "./undo-together.ts";

const kind = "undo";
/** Objects that are written at the same time: their writes share commits. */
const width = 8;
const maxListed = 1_000;
const maxMessage = 300;
/** When an object moves between its plan and its write. */
const maxTries = 5;

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
  handleTargets(app, kind, (job, run) => runUndo(app, job, run));
}

/** The id of the job. */
export function enqueueUndo(ctx: Context, plan: Plan, force: readonly string[]): Promise<string> {
  const forced = new Set(force);
  const targets = plan.objects.flatMap((object) => {
    const isForced = object.conflict === "edited" && forced.has(keyOf(object)) && mayDelete(ctx, object);
    return object.action === "keep" && !isForced ? [] : [textOf(object, isForced)];
  });
  const payload: Payload = { author: authorOf(ctx), total: targets.length, selection: plan.selected.selection };
  return enqueueTargets(ctx, { kind, payload: payload as unknown as JsonObject, targets });
}

/** Whether a key has the method for it; the deletion itself asks for the right. */
function mayDelete({ actor }: Context, { collection }: PlannedObject): boolean {
  return opensOperation(actor, "delete", collection);
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
  const { total, author, selection } = job.payload as unknown as Payload;
  const tally: Tally = { reverted: 0, deleted: 0, restored: 0, moved: [], lost: [] };
  const isSelected = isSelectedBy(selection);
  const failed = await runTargets<Target>(app, {
    ...{ job, run, total, width },
    incomplete: "The server stopped before the plan was stored. Nothing was undone; start it again.",
    author: () => getAuthor(app, author, job.id),
    groups: (texts) => byKeys(texts.map(readTarget)),
    idOf: ({ text }) => text,
    write: (ctx, target, take) => undoCurrent(ctx, { target, isSelected, tally, take }),
    writeTogether: (ctx, targets, take) => undoSome(ctx, targets, { isSelected, tally, take }),
    failureOf,
  });
  const writer = String(await writerOf(await getAuthor(app, author, job.id)));
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

interface TargetWork {
  target: Target;
  isSelected: ReturnType<typeof isSelectedBy>;
  tally: Tally;
  take(tx: Tx): Promise<void>;
}

async function undoCurrent(ctx: Context, { target, isSelected, tally, take }: TargetWork): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const found = await planObject(ctx, { ...target, collection: collectionOf(target) }, isSelected);
    const planned = found && forced(found, target);
    const hasMoved = planned?.rev !== target.rev;
    try {
      const lost = await undoObject(ctx, planned ?? { ...nothing, ...target }, take);
      if (hasMoved && tally.moved.length < maxListed) tally.moved.push(target.key);
      if (planned) count(tally, planned);
      const room = maxListed - tally.lost.length;
      tally.lost.push(...lost.slice(0, room).map((key) => `${target.key}/${key}`));
      return;
    } catch (error) {
      const isOvertaken = error instanceof CairnError && error.word === "precondition-failed";
      if (!isOvertaken || tries === maxTries) throw error;
    }
  }
}

interface TogetherWork extends Omit<TargetWork, "target" | "take"> {
  take: TakeSome<Target>;
}

/** Of objects that have not moved. Those that are not plain are left. */
async function undoSome(
  ctx: Context,
  targets: readonly Target[],
  { isSelected, tally, take }: TogetherWork,
): Promise<readonly Target[]> {
  const wanted = targets.map((target) => ({ ...target, collection: collectionOf(target) }));
  const reads = await findObjectsWithChanges(ctx.storage, wanted);
  const targetOf = new Map<PlannedObject, Target>();
  for (const target of targets) {
    const read = reads.get(target.rid);
    const object = { ...target, collection: collectionOf(target) };
    const planned = read && (await planRead(ctx, { object, read, isTrusted: true }, isSelected));
    const isCurrent = planned && planned !== "moved" && planned.rev === target.rev;
    if (isCurrent && !target.isForced) targetOf.set(planned, target);
  }
  const targetsOf = (some: readonly PlannedObject[]) => some.map((planned) => targetOf.get(planned) as Target);
  const done = await undoTogether(ctx, [...targetOf.keys()], (tx, some) => take(tx, targetsOf(some)));
  for (const planned of done) count(tally, planned);
  const written = new Set(targetsOf(done));
  return targets.filter((target) => !written.has(target));
}

function count(tally: Tally, { action }: PlannedObject): void {
  if (action === "revert") tally.reverted += 1;
  if (action === "delete") tally.deleted += 1;
  if (action === "restore") tally.restored += 1;
}

const nothing = { collection: "", id: "", action: "keep" as const, properties: [], isVisible: false };

/** An object that others have edited is deleted where the caller asked for it. */
function forced(planned: PlannedObject, { isForced }: Target): PlannedObject {
  return isForced && planned.conflict === "edited" ? { ...planned, action: "delete" } : planned;
}

function collectionOf({ key }: Target): string {
  return key.slice(0, key.indexOf("/"));
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
