// Deletes a collection with everything in it. It vanishes at once; its objects and files go in batches afterwards, also
// after a crash in between.

import { allow } from "#access/allow.ts";
import { fail, temporarilyUnavailable } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { inParallel } from "#base/in-parallel.ts";
import { react } from "#content/collection-hooks.ts";
import { keepAllFiles, removeAllFiles, removeKept } from "#content/file-removal.ts";
import { deletedPlaces } from "#content/history/attic.ts";
import { findDeletionRecord, openCollectionRecord, recordCollection } from "#content/history/collection-record.ts";
import type { Precondition } from "#content/preconditions.ts";
import { checkCollectionDeletion, clearReferencesInto } from "#content/relations/collection-deletion.ts";
import type { App, Context } from "#context.ts";
import { withFreeLease, withLease } from "#jobs/leases.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import type { DeletionRecord } from "#storage/log/change-record.ts";
import { dropIndexes } from "#storage/query/indexes.ts";
import {
  type CollectionRow,
  deleteCollectionRow,
  findCollectionRow,
  listCollectionRows,
  lockAllCounters,
  lockCollectionRow,
  markDeleting,
} from "#storage/tables/collections.ts";
import { readSlice } from "#storage/tables/object-batches.ts";
import { deleteSomeObjects } from "#storage/tables/object-writes.ts";
import { deleteSomeReferences } from "#storage/tables/relations/object-references.ts";
import { noCollection, readConfig } from "./collection-cache.ts";
import { checkConfigTag } from "./settings-tag.ts";

const batchSize = 100;
const clearedAtOnce = 8;
const settleMs = 60_000;
const resumeEveryMs = 600_000;

export async function deleteCollection(
  ctx: Context,
  id: string,
  { confirm, ifMatch }: { confirm?: string | undefined } & Precondition = {},
): Promise<void> {
  allow(ctx, "delete", { kind: "collections", collection: id });
  await checkCollectionDeletion(ctx, id);
  const kept = await openCollectionRecord(ctx, id);
  await ctx.storage.write(async (tx) => {
    // Else an object that is stored at this moment would go with it, unconfirmed.
    if (id === "auth" || confirm !== id) await lockAllCounters(tx);
    const row = await lockCollectionRow(tx, id);
    if (!row) return noCollection(id);
    checkConfigTag(ifMatch, row.isDeleting ? undefined : readConfig(ctx, row));
    if (row.totalObjects > 0 && id === "auth") fail("in-use", "The collection of the users cannot be deleted.");
    if (row.totalObjects > 0 && confirm !== id) {
      const message = `The collection "${id}" holds ${row.totalObjects} objects: add ?confirm=${id} to the address to delete them with it.`;
      fail("invalid", message, { confirm: [`must be "${id}"`] });
    }
    if (row.isDeleting) return;
    await markDeleting(tx, id);
    if (kept) await recordCollection(tx, row, kept);
    await react(ctx, tx, { type: "collection.deleted", collection: id });
  });
  await withLease(ctx, leaseOf(id), () => finishDeletion(ctx, id));
}

/** Finishes deletions that a crash has cut off, here or on another node: at the start of a server, and every ten minutes. */
export function followDeletions(app: App, everyMs = resumeEveryMs): () => void {
  let isBusy = false;
  let isStopped = false;
  const resume = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      // Another process that holds the lease is finishing it.
      for (const { id, isDeleting } of await listCollectionRows(app.storage))
        if (isDeleting && !isStopped)
          await withFreeLease(app, [leaseOf(id)], { work: () => finishDeletion(app, id), refuse: () => {} });
    } catch (error) {
      if (!isStopped) app.log.error({ err: error }, "a deletion is unfinished; it is tried again in ten minutes");
    } finally {
      isBusy = false;
    }
  };
  void resume();
  const timer = setInterval(resume, everyMs).unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

/** One at a time: a second one must not delete objects of a new collection of the same id. */
const leaseOf = (id: string) => `deletion ${id}`;

/** For callers that hold the lease. */
async function finishDeletion(app: App, id: string): Promise<void> {
  const row = await findCollectionRow(app.storage, id);
  if (!row?.isDeleting) return;
  const record = await findDeletionRecord(app, row);
  // Writers that have not seen the mark come to their end; those that begin now are refused.
  if (!(await app.storage.settle(settleMs)))
    throw temporarilyUnavailable(
      "Earlier writes are not over yet. The collection is deleted once they are: try again.",
    );
  if (record && !record.keepsContent) await clearKept(app, id);
  const some = { collection: id, limit: batchSize };
  while ((await app.storage.write((tx) => deleteSomeObjects(tx, some, record))) === batchSize) await yieldToEventLoop();
  await clearReferencesInto(app, id);
  while (await app.storage.write((tx) => deleteSomeReferences(tx, id))) await yieldToEventLoop();
  await takeFiles(app, row, record);
  await dropIndexes(app.storage, id);
  await app.storage.write((tx) => deleteCollectionRow(tx, id));
}

/** Nothing of the objects will come back, so nothing that they have lost will. */
async function clearKept(app: App, collection: string): Promise<void> {
  for (let after = ""; ; ) {
    const rows = await readSlice(app.storage, { collection, after, limit: batchSize });
    await inParallel(rows, clearedAtOnce, ({ rid }) => removeKept(app, rid));
    if (rows.length < batchSize) return;
    after = rows.at(-1)?.id as string;
  }
}

/** Where the objects are kept their files are too, each for the object that had it. */
async function takeFiles(app: App, row: CollectionRow, record: DeletionRecord | undefined): Promise<void> {
  const { id } = row;
  const config = record?.keepsContent ? readConfig(app, row) : undefined;
  const schema = config && findFlatSchema(app, config.schema);
  if (!schema) return removeAllFiles(app, id);
  let object: string | undefined;
  let isFailed = false;
  const objects = async function* () {
    for await (const { key } of app.files.list(id)) {
      const [, found = ""] = key.split("/");
      if (found !== object) yield found;
      object = found;
    }
  };
  try {
    for await (const found of objects()) {
      const places = await deletedPlaces(app, { id, schema }, found);
      if (places) isFailed = !(await keepAllFiles(app, `${id}/${found}`, places.placeOf)) || isFailed;
    }
  } catch (error) {
    isFailed = true;
    app.log.error({ err: error, collection: id }, "files of a deleted collection could not be kept");
  }
  // What could not be moved stays where it was: the collection finds it there when it comes back.
  if (!isFailed) await removeAllFiles(app, id);
}
