// Brings a deleted collection back: its schema if that is gone, the collection with its settings at once, and its objects in
// a job, in batches, with the rights that the caller has then.

import type { Author } from "#access/actor.ts";
import { CairnError, fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection, forgetCollections, getCollection } from "#content/collections/collection-cache.ts";
import { fillSettings } from "#content/collections/collection-settings.ts";
import { allowForms } from "#content/collections/form-rights.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { allowOpenings, auditOpenings, findOpenings } from "#content/collections/openings.ts";
import { insertCollectionIn } from "#content/collections/put-collection.ts";
import { createSchema } from "#content/collections/schemas.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { noHashes } from "#content/objects/password-hashes.ts";
import { finishWrites } from "#content/objects/write-work.ts";
import { authorOf, findOnBehalf, nameOfAuthor } from "#content/on-behalf.ts";
import { confirmOrder } from "#content/write-rules.ts";
import type { App, Context } from "#context.ts";
import type { Door } from "#contract/history.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import { endBehind, goOnWithNumbers, lastNumber, type OwnNumbers } from "#storage/log/own-numbers.ts";
import { UniqueViolation } from "#storage/port.ts";
import type { ChangeRow } from "#storage/tables/history/changes.ts";
import {
  type Deletion,
  findCollectionDeletion,
  findDeletion,
  findHighestDeleted,
  findStoredObject,
  listDeletionsBy,
} from "#storage/tables/history/deletions.ts";
import type { ObjectKey } from "#storage/tables/object-row.ts";
import { dropCopies } from "./past-files.ts";
import { openRecorder } from "./record.ts";
import { prepareReinstatement, reinstateIn } from "./reinstate.ts";
import { doorOf } from "./writer.ts";

const kind = "restore-collection";
const batchSize = 50;
const maxNamed = 100;

interface Payload {
  collection: string;
  /** Of the deletion of the collection, and of those of its objects. */
  change: number;
  writer: number;
  author: Author;
  door: Door;
  /** The collection has the count of before, with all that comes back. */
  isCounted: boolean;
}

export function handleCollectionRestores(app: App): void {
  app.jobs.handle(kind, (job, run) => runRestore(app, job, run), { cancels: "running" });
}

/** The caller may make collections: that was asked. The id of the job. */
export async function restoreCollection(ctx: Context, deletion: Deletion): Promise<{ job: string }> {
  const { collection: id } = deletion;
  const { settings, schema: text, numbers, count } = JSON.parse(deletion.content) as JsonObject;
  if (!isJsonObject(settings)) return fail("not-found", "What was deleted cannot be read any more.");
  if ((await findCollection(ctx, id))?.isVirtual === false) refuseTaken(id);
  await confirmOrder(ctx, id, "anything");
  const config = fillSettings({ ...settings, id });
  const openings = findOpenings(undefined, config);
  await allowOpenings(ctx, id, openings);
  allowForms(ctx, undefined, config);
  if (!findFlatSchema(ctx, config.schema) && typeof text === "string")
    await createSchema(ctx, JSON.parse(text) as Json);
  const schema = findFlatSchema(ctx, config.schema) ?? fail("invalid", `The schema "${config.schema}" is gone.`);
  const payload: Payload = {
    collection: id,
    change: deletion.seq,
    writer: deletion.writer,
    author: authorOf(ctx),
    door: doorOf(ctx),
    isCounted: typeof count === "number",
  };
  const own = await findFormerNumbers(ctx, deletion, numbers as unknown as OwnNumbers | undefined);
  const job = await ctx.storage.write(async (tx) => {
    const former = { numbers: goOnWithNumbers(own, await lastNumber(tx)), count: Number(count ?? 0) };
    if (!(await insertCollectionIn(ctx, tx, { config, schema, former }))) return undefined;
    return enqueue(tx, { kind, subject: id, payload: payload as unknown as JsonObject });
  });
  forgetCollections(ctx);
  if (job !== undefined) auditOpenings(ctx, id, openings);
  return job === undefined ? refuseTaken(id) : { job };
}

/** Only one collection can have the id: what was deleted waits in the trash. */
function refuseTaken(id: string): never {
  fail("exists", `There is a collection "${id}", or it is being deleted. Delete that one first.`, { id: ["is taken"] });
}

/**
 * `recorded`: with its deletion; an earlier version recorded none. Where others write at the same time, objects with higher
 * numbers were stored after it was recorded.
 */
async function findFormerNumbers(
  { storage }: Context,
  deletion: Deletion,
  recorded: OwnNumbers | undefined,
): Promise<OwnNumbers> {
  if (recorded && !storage.isShared) return recorded;
  const highest = await findHighestDeleted(storage, deletion);
  if (recorded) return endBehind(recorded, highest);
  const previous = await findCollectionDeletion(storage, deletion.collection, deletion.seq);
  return [[previous ? await findHighestDeleted(storage, previous) : 0, highest]];
}

async function runRestore(app: App, job: Job, run: JobRun): Promise<Json> {
  const { collection: id, change, writer, author, door, isCounted } = job.payload as unknown as Payload;
  let done = 0;
  const failed: { id: string; error: string }[] = [];
  for (let after = change; ; ) {
    run.signal.throwIfAborted();
    run.cancelled.throwIfAborted();
    const found = await findOnBehalf(app, author);
    if (!found) return fail("forbidden", `${nameOfAuthor(author)}, who started this, has no rights any more.`);
    const ctx = { ...found, trail: { door, run: job.id, kind: "restore" as const } };
    await openCollection(ctx, "create", id);
    const collection = await getCollection(app, id);
    const rows = await listDeletionsBy(app.storage, writer, { after, limit: batchSize });
    for (const row of rows) {
      const error = await restoreOne(ctx, collection, { ...row, isCounted });
      if (error === undefined) done += 1;
      else if (failed.length < maxNamed) failed.push({ id: row.id, error });
    }
    run.progress(done, 0);
    if (rows.length < batchSize) break;
    after = rows.at(-1)?.seq as number;
    await yieldToEventLoop();
  }
  return { done, failed };
}

/** Why it stays deleted; undefined: it is there. */
async function restoreOne(
  ctx: Context,
  collection: Collection,
  { seq, rid, isCounted }: ChangeRow & { isCounted: boolean },
): Promise<string | undefined> {
  const deletion = await findDeletion(ctx.storage, seq);
  if (!deletion) return "It is not in the trash any more.";
  try {
    const recorder = await openRecorder(ctx, [collection]);
    const key = { collection: collection.id, id: deletion.id };
    await withObjectFilesLock(ctx, key, async () => {
      const back = await prepareReinstatement(ctx, collection, deletion);
      const work = { ctx, collection, isTrusted: false, now: ctx.clock.iso(), hashes: noHashes, recorder };
      try {
        await ctx.storage.write(async (tx) => {
          const written = await reinstateIn(work, tx, back);
          await finishWrites(tx, [{ ...written, isBack: isCounted }]);
        });
      } catch (error) {
        await dropCopies(ctx, key, back);
        throw error;
      }
    });
    return undefined;
  } catch (error) {
    if (error instanceof UniqueViolation) return "Its id is taken.";
    // A job that runs again after a crash meets what it has done.
    if (error instanceof CairnError && error.word === "exists")
      return isBack(ctx, { collection: collection.id, rid }, error);
    if (error instanceof CairnError && error.status < 500) return error.message;
    throw error;
  }
}

async function isBack({ storage }: Context, object: ObjectKey, error: CairnError): Promise<string | undefined> {
  return (await findStoredObject(storage, object)) ? undefined : error.message;
}
