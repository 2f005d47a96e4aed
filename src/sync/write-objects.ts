// The objects of an import, inside its transaction: each is made, replaced or found to be the same.
// Replacing keeps what belongs to the receiver: files, passwords, and what it noted about its own work.

import { isDeepStrictEqual } from "node:util";
import { isAdminPersona, system } from "#access/actor.ts";
import { inParallel } from "#base/in-parallel.ts";
import { react } from "#content/collection-hooks.ts";
import { stripDefaults } from "#content/collections/collection-settings.ts";
import { checkUnique, droppedFiles, objectWrite, storedDocument } from "#content/objects/change-object.ts";
import { sentTime } from "#content/objects/insert-objects.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { buildDocument } from "#schemas/build.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { lockIds } from "#storage/object-batches.ts";
import { type Tx, UniqueViolation } from "#storage/port.ts";
import { bumpCounters, findCollectionRow, insertCollection, lockCounters } from "#storage/tables/collections.ts";
import type { LockedObject } from "#storage/tables/object-row.ts";
import { updateObject } from "#storage/tables/object-writes.ts";
import { lockObject } from "#storage/tables/objects.ts";
import type { PendingFile } from "#storage/tables/pending-files.ts";
import { createRow, type RowWork } from "#transfer/write-row.ts";
import type { Problems } from "./definition.ts";
import { createPause } from "./pause.ts";
import type { ImportMode, PlannedObjects } from "./plan.ts";
import { withoutLocal, withoutTimes, withReceiverValues } from "./receiver-owned.ts";
import { placeOf, type SnapshotTarget, snapshotText } from "./snapshots/snapshots.ts";

/** What is replaced, on its way to become snapshots. */
export interface Keep {
  now: string;
  snapshots: PendingFile[];
}

export function keepBefore({ now, snapshots }: Keep, target: SnapshotTarget, content: JsonObject): void {
  snapshots.push({ kind: "snapshot", place: placeOf(target), content: snapshotText(content), stamped: now });
}

export interface ObjectsWork {
  ctx: Context;
  mode: ImportMode;
  keep: Keep;
  /** Plain password -> hash, of objects that are new. */
  hashes: ReadonlyMap<string, string>;
  problems: Problems;
}

export type Done = "created" | "updated" | "unchanged" | "skipped";

export interface ObjectDone {
  id: string;
  done: Done;
  /** Keys of files that the object has lost. */
  dropped: string[];
}

type Changed = ObjectDone & { done: "created" | "updated" };

export function isChange(one: ObjectDone): one is Changed {
  return one.done === "created" || one.done === "updated";
}

/** Everything that is wrong with any of them is noted; the caller gives up then, and the transaction with it. */
export async function writeObjects(work: ObjectsWork, tx: Tx, group: PlannedObjects): Promise<ObjectDone[]> {
  const { ctx, hashes, problems } = work;
  const { now } = work.keep;
  const { collection: id, settings, schema, items } = group;
  const collection = { id, settings, schema, isVirtual: false };
  await ensureRow(tx, group, now);
  // The objects before the counters, as all who change one have them: else two would wait for each other.
  const taken = await lockIds(
    tx,
    id,
    items.map((item) => item.id),
  );
  const { count, totalObjects } = await lockCounters(tx, id);
  const isTrusted = isAdminPersona(ctx.actor);
  // Code that an administrator brings in by an import belongs to the service.
  const owner = isTrusted ? { ...ctx, actor: system } : ctx;
  const rowWork: RowWork = { ctx, collection, isTrusted, now, hashes, counters: { count, totalObjects } };
  const itemWork: ItemWork = { ...work, rowWork, taken };
  const atOnce = areIndependent(rowWork) ? writtenAtOnce : 1;
  const done: ObjectDone[] = [];
  const pause = createPause();
  for (let from = 0; from < items.length && !problems.isFull; from += atOnce) {
    const some: ObjectDone[] = [];
    await inParallel(items.slice(from, from + atOnce), atOnce, async (item) => {
      try {
        some.push(await writeItem(itemWork, tx, item));
      } catch (error) {
        problems.addRefusal(`objects.${id}.${item.id}`, error);
      }
    });
    for (const one of some)
      if (isChange(one)) await react(owner, tx, { type: `import.${one.done}`, collection: id, id: one.id });
    done.push(...some);
    await pause();
  }
  const created = done.filter((one) => one.done === "created").length;
  if (done.some(isChange))
    await bumpCounters(tx, id, { created, total: created, lastUpdated: now, schemaRev: schema.rev });
  return done;
}

/** Their statements travel together where each is a journey. */
const writtenAtOnce = 20;

/** Whether no object of an import depends on what is written for another: no number is counted up, no value unique. */
function areIndependent({ collection }: RowWork): boolean {
  const { isNumbered, hasUnique } = collection.schema;
  return !isNumbered && !hasUnique && !collection.settings.singleton;
}

/** A reserved collection comes into being with the first object in it. */
async function ensureRow(tx: Tx, { collection, settings, schema }: PlannedObjects, now: string): Promise<void> {
  if (await findCollectionRow(tx, collection)) return;
  const stored = JSON.stringify(stripDefaults(settings));
  await insertCollection(tx, {
    id: collection,
    settings: stored,
    lastUpdated: now,
    updated: now,
    indexedRev: schema.rev,
  });
}

type ItemWork = ObjectsWork & { rowWork: RowWork; taken: ReadonlySet<string> };
type Item = PlannedObjects["items"][number];

async function writeItem(work: ItemWork, tx: Tx, { id, data }: Item): Promise<ObjectDone> {
  const { mode, rowWork, taken } = work;
  const collection = rowWork.collection.id;
  const stored = taken.has(id) ? await lockObject(tx, collection, id) : undefined;
  if (stored && mode === "skip-existing") return { id, done: "skipped", dropped: [] };
  if (stored) return replaceRow(work, tx, { stored, data });
  const row = await createRow(rowWork, tx, { ...data, id });
  // Another writer has made it meanwhile: look again.
  if (row.done !== "created") throw new UniqueViolation();
  return { id: row.id, done: "created", dropped: [] };
}

async function replaceRow(
  { ctx, keep, rowWork }: ItemWork,
  tx: Tx,
  { stored, data }: { stored: LockedObject; data: JsonObject },
): Promise<ObjectDone> {
  const { collection, isTrusted, counters, now } = rowWork;
  const { schema } = collection;
  const { id } = stored;
  const current = storedDocument(ctx, schema, stored);
  const whereabouts = { collection: collection.id, schema };
  const { document, secrets } = buildDocument(
    schema,
    { ...withReceiverValues(whereabouts, withoutLocal(whereabouts, data), current), id },
    {
      now,
      created: sentTime(rowWork, data, "created") ?? stored.created,
      modified: sentTime(rowWork, data, "modified") ?? now,
      isTrusted,
      counter: counters.count,
      htmlclean: htmlclean(ctx),
      hashes: rowWork.hashes,
      secrets: stored.secrets,
      files: current,
    },
  );
  if (isDeepStrictEqual(withoutTimes(schema, document), withoutTimes(schema, current))) {
    return { id, done: "unchanged", dropped: [] };
  }
  await checkUnique(ctx, tx, collection, document);
  keepBefore(keep, { kind: "object", collection: collection.id, id }, current);
  await updateObject(tx, stored.rid, objectWrite(collection, document, secrets));
  return { id, done: "updated", dropped: droppedFiles(schema, current, document) };
}
