// Carries out the plan of one object, by the ordinary write of it: a change, a deletion, or a deleted object that comes back.
// The version that was planned is the condition. `within` runs in the same transaction.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { findGuard } from "#content/extension-guard.ts";
import { type DroppedFile, removeFiles } from "#content/file-removal.ts";
import { dropCopies, type PastFiles, takeBackFiles } from "#content/history/past-files.ts";
import { openRecorder } from "#content/history/record.ts";
import { prepareReinstatement, type Reinstatement, reinstateIn } from "#content/history/reinstate.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import type { ChangeStep } from "#content/objects/change.ts";
import { changeObject, changeObjectIn } from "#content/objects/change-object.ts";
import { deleteObject } from "#content/objects/objects.ts";
import { etagOf, findPresentSecrets, lockExisting, storedDocument } from "#content/objects/stored-document.ts";
import { retryOnTakenId } from "#content/objects/unique.ts";
import { type ChangeWork, finishWrites } from "#content/objects/write-work.ts";
import { auditWrite, openChange } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import { findDeletion } from "#storage/tables/history/deletions.ts";
import { findObject } from "#storage/tables/objects.ts";
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
    const past = await withFiles(ctx, collection, { planned, values: sent });
    try {
      await write(past.values, true);
    } catch (error) {
      await dropCopies(ctx, planned, past);
      throw error;
    }
    return past.lost;
  });
}

/** Old values name files that the service has kept: it vouches for them. */
export function stepOf(schema: FlatSchema, values: JsonObject): ChangeStep {
  return {
    sent: {},
    change: (current) => ({
      input: { ...current, ...values },
      changed: new Set(Object.keys(values)),
      ...(schema.holdsFiles && ({ isOwn: true, isReturn: true } as const)),
    }),
  };
}

interface PastValues extends Pick<PastFiles, "lost" | "copied"> {
  values: JsonObject;
}

/** `back`: the object comes back at the same time, as this says. */
async function withFiles(
  ctx: Context,
  holder: Collection,
  { planned, values, back }: { planned: PlannedObject; values: JsonObject; back?: Reinstatement },
): Promise<PastValues> {
  const { schema } = holder;
  const { collection, id, rid } = planned;
  const row = back ? undefined : await findObject(ctx.storage, collection, id);
  const secrets = back ? back.secrets : ((await findPresentSecrets(ctx.storage, holder, id)) ?? {});
  const now = back ? back.document : row && storedDocument(ctx, schema, row);
  const { document, lost, copied } = await takeBackFiles(ctx, schema, {
    ...{ object: { collection, id, rid }, document: values, secrets },
    current: now && { schema, document: now },
  });
  const kept = Object.keys(values).map((name) => [name, document[name] ?? null]);
  return { values: Object.fromEntries(kept), lost, copied };
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
    const copied = [...back.copied];
    try {
      const past = await withFiles(ctx, collection, { planned, values: sent, back });
      copied.push(...past.copied);
      const values = await checkValues(ctx, collection, { back, values: past.values });
      const work = { ctx, collection, isTrusted: false, hashes: new Map(), rules, recorder };
      const dropped = await retryOnTakenId(() =>
        ctx.storage.write(async (tx) => {
          await within(tx);
          return storeBack({ ...work, now: ctx.clock.iso() }, tx, { back, values });
        }),
      );
      followWrite(ctx, collection);
      auditWrite(ctx, "created", { collection: name, id });
      await removeFiles(ctx, { collection: name, id }, dropped);
      return [...back.lost, ...past.lost];
    } catch (error) {
      await dropCopies(ctx, planned, { copied });
      throw error;
    }
  });
}

/** What changes of an object that comes back, with what extensions add to it. */
async function checkValues(
  ctx: Context,
  collection: Collection,
  { back: { id, document }, values }: { back: Reinstatement; values: JsonObject },
): Promise<JsonObject> {
  const guard = Object.keys(values).length > 0 ? await findGuard(ctx, collection, "update") : undefined;
  if (!guard) return values;
  return { ...values, ...(await guard.check({ id, before: document, after: { ...document, ...values } })) };
}

/** The files that the object has lost again. */
async function storeBack(
  work: ChangeWork,
  tx: Tx,
  { back, values }: { back: Reinstatement; values: JsonObject },
): Promise<DroppedFile[]> {
  const { collection } = work;
  const written = [await reinstateIn(work, tx, back)];
  if (Object.keys(values).length > 0) {
    const row = await lockExisting(tx, collection.id, back.id);
    const changed = await changeObjectIn(work, tx, row, stepOf(collection.schema, values));
    await finishWrites(tx, written);
    written[0] = changed;
  }
  await finishWrites(tx, written);
  return written.flatMap((one) => one.dropped);
}
