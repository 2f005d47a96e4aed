// Deletes a collection with everything in it. It vanishes at once; its objects and files go in batches afterwards, also
// after a crash in between.

import { allow } from "#access/allow.ts";
import { fail, temporarilyUnavailable } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { react } from "#content/collection-hooks.ts";
import { removeAllFiles } from "#content/file-removal.ts";
import { findDeletionRecord, openCollectionRecord, recordCollection } from "#content/history/collection-record.ts";
import type { Precondition } from "#content/preconditions.ts";
import { checkCollectionDeletion, clearReferencesInto } from "#content/relations/collection-deletion.ts";
import type { App, Context } from "#context.ts";
import { withLease } from "#jobs/leases.ts";
import { dropIndexes } from "#storage/query/indexes.ts";
import {
  deleteCollectionRow,
  findCollectionRow,
  listCollectionRows,
  lockAllCounters,
  lockCollectionRow,
  markDeleting,
} from "#storage/tables/collections.ts";
import { deleteSomeObjects } from "#storage/tables/object-writes.ts";
import { deleteSomeReferences } from "#storage/tables/relations/object-references.ts";
import { noCollection, readConfig } from "./collection-cache.ts";
import { checkConfigTag } from "./settings-tag.ts";

const batchSize = 100;
const settleMs = 60_000;

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
  await finishDeletion(ctx, id);
}

/** At the start of a server: deletions that a crash has cut off. */
export function resumeDeletions(app: App): void {
  const resume = async () => {
    for (const row of await listCollectionRows(app.storage)) {
      if (row.isDeleting) await finishDeletion(app, row.id);
    }
  };
  resume().catch((error) => app.log.error({ err: error }, "a deletion is unfinished; the next start continues it"));
}

/** One at a time: a second one must not delete objects of a new collection of the same id. */
function finishDeletion(app: App, id: string): Promise<void> {
  return withLease(app, `deletion ${id}`, async () => {
    const row = await findCollectionRow(app.storage, id);
    if (!row?.isDeleting) return;
    const record = await findDeletionRecord(app, row);
    // Writers that have not seen the mark come to their end; those that begin now are refused.
    if (!(await app.storage.settle(settleMs)))
      throw temporarilyUnavailable(
        "Earlier writes are not over yet. The collection is deleted once they are: try again.",
      );
    while (
      (await app.storage.write((tx) => deleteSomeObjects(tx, { collection: id, limit: batchSize }, record))) ===
      batchSize
    )
      await yieldToEventLoop();
    await clearReferencesInto(app, id);
    while (await app.storage.write((tx) => deleteSomeReferences(tx, id))) await yieldToEventLoop();
    await removeAllFiles(app, id);
    await dropIndexes(app.storage, id);
    await app.storage.write((tx) => deleteCollectionRow(tx, id));
  });
}
