// Carries out the plan of one object, by the ordinary write of it: a change, a deletion, or a deleted object that comes back.
// The version that was planned is the condition. `within` runs in the same transaction.

import { fail } from "#base/errors.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { removeFiles } from "#content/file-removal.ts";
import { takeBackFiles } from "#content/history/past-files.ts";
import { openRecorder } from "#content/history/record.ts";
import { prepareReinstatement, reinstateIn } from "#content/history/reinstate.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import type { ChangeStep } from "#content/objects/change.ts";
import { changeObject, changeObjectIn } from "#content/objects/change-object.ts";
import { deleteObject } from "#content/objects/objects.ts";
import { etagOf, lockExisting } from "#content/objects/stored-document.ts";
import { retryOnTakenId } from "#content/objects/unique.ts";
import { finishWrites } from "#content/objects/write-work.ts";
import { auditWrite, openChange } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import { findDeletion } from "#storage/tables/history/deletions.ts";
import { cleanValues, type PlannedObject } from "./plan-object.ts";

export type Within = (tx: Tx) => Promise<void>;

/** The keys of files that are not kept any more. */
export async function undoObject(ctx: Context, planned: PlannedObject, within: Within): Promise<string[]> {
  switch (planned.action) {
    case "delete": {
      const { collection, id, rid, rev } = planned;
      const { schema } = await getCollection(ctx, collection);
      await deleteObject(ctx, collection, id, { ifMatch: etagOf({ rid, rev }, schema), within });
      return [];
    }
    case "revert":
      return revert(ctx, planned, within);
    case "restore":
      return restore(ctx, planned, within);
    case "keep":
      await ctx.storage.write(within);
      return [];
  }
}

async function revert(ctx: Context, planned: PlannedObject, within: Within): Promise<string[]> {
  const { collection: name, id, rid, rev } = planned;
  const collection = await openCollection(ctx, "update", name, id);
  const { schema } = collection;
  const ifMatch = etagOf({ rid, rev }, schema);
  const write = (values: JsonObject, hasFilesLock: boolean) =>
    changeObject(ctx, { collection, id, ifMatch }, { ...stepOf(schema, values), within, hasFilesLock });
  const sent = cleanValues(planned.properties);
  if (!schema.holdsFiles) {
    await write(sent, false);
    return [];
  }
  return withObjectFilesLock(ctx, { collection: name, id }, async () => {
    const { values, lost } = await withFiles(ctx, schema, { planned, values: sent });
    await write(values, true);
    return lost;
  });
}

/** Old values name files that the service has kept: it vouches for them. */
function stepOf(schema: FlatSchema, values: JsonObject): ChangeStep {
  return {
    sent: {},
    change: (current) => ({
      input: { ...current, ...values },
      changed: new Set(Object.keys(values)),
      ...(schema.holdsFiles && { isOwn: true as const }),
    }),
  };
}

async function withFiles(
  ctx: Context,
  schema: FlatSchema,
  { planned: { collection, id, rid }, values }: { planned: PlannedObject; values: JsonObject },
): Promise<{ values: JsonObject; lost: string[] }> {
  const { document, lost } = await takeBackFiles(ctx, schema, { object: { collection, id, rid }, document: values });
  const kept = Object.keys(values).map((name) => [name, document[name] ?? null]);
  return { values: Object.fromEntries(kept), lost };
}

async function restore(ctx: Context, planned: PlannedObject, within: Within): Promise<string[]> {
  const { collection: name, id, deletion: seq = 0 } = planned;
  const collection = await openCollection(ctx, "create", name);
  const sent = cleanValues(planned.properties);
  if (Object.keys(sent).length > 0) await openCollection(ctx, "update", name, id);
  const deletion =
    (await findDeletion(ctx.storage, seq)) ?? fail("not-found", "What was deleted is not kept any more.");
  const rules = await openChange(ctx, { collection, id, sent });
  const recorder = await openRecorder(ctx, [collection]);
  return withObjectFilesLock(ctx, { collection: name, id }, async () => {
    const back = await prepareReinstatement(ctx, collection, deletion);
    const { values, lost } = await withFiles(ctx, collection.schema, { planned, values: sent });
    const dropped = await retryOnTakenId(() =>
      ctx.storage.write(async (tx) => {
        await within(tx);
        const work = { ctx, collection, isTrusted: false, now: ctx.clock.iso(), hashes: new Map(), rules, recorder };
        const written = [await reinstateIn(work, tx, back)];
        if (Object.keys(values).length > 0) {
          const row = await lockExisting(tx, name, id);
          const changed = await changeObjectIn(work, tx, row, stepOf(collection.schema, values));
          await finishWrites(tx, written);
          written[0] = changed;
        }
        await finishWrites(tx, written);
        return written.flatMap((one) => one.dropped);
      }),
    );
    followWrite(ctx, collection);
    auditWrite(ctx, "created", { collection: name, id });
    await removeFiles(ctx, { collection: name, id }, dropped);
    return [...back.lost, ...lost];
  });
}
