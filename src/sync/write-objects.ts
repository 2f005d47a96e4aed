// Writes the objects of an import inside its transaction: each is created, replaced or left unchanged.
// Replacing keeps the values that belong to the receiver: files, passwords and service properties.

import { isDeepStrictEqual } from "node:util";
import { isAdminPersona, system } from "#access/actor.ts";
import { createPause } from "#base/event-loop.ts";
import { inParallel } from "#base/in-parallel.ts";
import { react } from "#content/collection-hooks.ts";
import { ensureCollectionIn } from "#content/collections/put-collection.ts";
import type { DroppedFile } from "#content/file-removal.ts";
import type { Recorder } from "#content/history/record.ts";
import { changeObjectIn } from "#content/objects/change-object.ts";
import type { PasswordHashes } from "#content/objects/password-hashes.ts";
import {
  announceWrites,
  type ChangeWork,
  type CountedWrite,
  countWrites,
  type LaterCheck,
  type Written,
} from "#content/objects/write-work.ts";
import { checkLater } from "#content/relations/check-references.ts";
import type { Context } from "#context.ts";
import type { SnapshotTarget } from "#contract/admin.ts";
import type { JsonObject } from "#contract/json.ts";
import { type Tx, UniqueViolation } from "#storage/port.ts";
import { lockCounters } from "#storage/tables/collections.ts";
import { lockIds } from "#storage/tables/object-batches.ts";
import type { LockedObject } from "#storage/tables/object-row.ts";
import { lockObject } from "#storage/tables/objects.ts";
import type { PendingFile } from "#storage/tables/pending-files.ts";
import { createRow } from "#transfer/write-row.ts";
import type { Problems } from "./definition.ts";
import type { ImportMode, PlannedObjects } from "./plan.ts";
import { ownedBy, withoutLocal, withoutTimes, withReceiverValues } from "./receiver-owned.ts";
import { placeOf, snapshotText } from "./snapshots/snapshots.ts";

/** Replaced content that becomes snapshots after the commit. */
export interface SnapshotQueue {
  now: string;
  snapshots: PendingFile[];
}

export function queueSnapshot({ now, snapshots }: SnapshotQueue, target: SnapshotTarget, content: JsonObject): void {
  snapshots.push({ kind: "snapshot", place: placeOf(target), content: snapshotText(content), stamped: now });
}

export interface ObjectsWork {
  ctx: Context;
  mode: ImportMode;
  keep: SnapshotQueue;
  /** Plain password -> hash, of objects that are new. */
  hashes: PasswordHashes;
  recorder: Recorder | undefined;
  problems: Problems;
  /** Objects may refer to those that come after them. */
  later: LaterCheck[];
}

export type Done = "created" | "updated" | "unchanged" | "skipped";

export interface ObjectDone {
  id: string;
  done: Done;
  /** Keys of files that the object has lost. */
  dropped: readonly DroppedFile[];
  /** Changed properties that the audit log names. */
  watched: readonly string[];
}

/** Collects the problems of all objects. When there are any, the caller fails and the transaction is rolled back. */
export async function writeObjects(work: ObjectsWork, tx: Tx, group: PlannedObjects): Promise<ObjectDone[]> {
  const { ctx, hashes, recorder, problems, later } = work;
  const { now } = work.keep;
  const { collection: id, settings, schema, items, rules } = group;
  const collection = { id, settings, schema, isVirtual: false };
  // A reserved collection is created with its first object.
  await ensureCollectionIn(ctx, tx, { config: settings, schema });
  // Objects before counters, as in all writes (decision 018): otherwise two writers could wait for each other.
  const taken = await lockIds(
    tx,
    id,
    items.map((item) => item.id),
  );
  const counters = await lockCounters(tx, id);
  const isTrusted = isAdminPersona(ctx.actor);
  const changeWork: ChangeWork = { ctx, collection, isTrusted, now, hashes, recorder, counters, rules, later };
  // The author of code that an administrator imports is the service.
  const ownerWork = isTrusted ? { ...changeWork, ctx: { ...ctx, actor: system } } : changeWork;
  const itemWork: ItemWork = { ...work, changeWork, taken };
  const atOnce = areIndependent(collection) ? writtenAtOnce : 1;
  const done: ObjectDone[] = [];
  const written: CountedWrite[] = [];
  const pause = createPause();
  for (let from = 0; from < items.length && !problems.isFull; from += atOnce) {
    const some: Written[] = [];
    await inParallel(items.slice(from, from + atOnce), atOnce, async (item) => {
      try {
        const one = await writeItem(itemWork, tx, item);
        if ("work" in one) some.push({ ...one, work: ownerWork });
        const { dropped, watched } = "work" in one ? one : nothing;
        done.push({ id: one.id, done: one.done, dropped, watched });
      } catch (error) {
        problems.addRefusal(`objects.${id}.${item.id}`, error);
      }
    });
    await announceWrites(tx, some, "import");
    for (const { work: own, done: what, time } of some) written.push({ work: own, done: what, time });
    await pause();
  }
  await countWrites(tx, written);
  if (written.length > 0) {
    const created = written.filter((one) => one.done === "created").length;
    const updated = written.length - created;
    await react(ctx, tx, { type: "import.completed", collection: id, created, updated });
  }
  return done;
}

const nothing = { dropped: [], watched: [] };

/** Statements that are sent together, where each is a round trip. */
const writtenAtOnce = 20;

/** Whether no object depends on another of the same import: no numbering, no unique value. */
function areIndependent({ schema, settings }: Pick<PlannedObjects, "schema" | "settings">): boolean {
  return !schema.isNumbered && !schema.hasUnique && !settings.singleton;
}

type ItemWork = ObjectsWork & { changeWork: ChangeWork; taken: ReadonlySet<string> };
type Item = PlannedObjects["items"][number];

/** An object that was not written. */
interface Left {
  id: string;
  done: "unchanged" | "skipped";
}

async function writeItem(work: ItemWork, tx: Tx, { id, data }: Item): Promise<Written | Left> {
  const { mode, changeWork, taken } = work;
  const stored = taken.has(id) ? await lockObject(tx, changeWork.collection.id, id) : undefined;
  if (stored && mode === "skip-existing") return { id, done: "skipped" };
  if (stored) return replaceRow(work, tx, { stored, data });
  const row = await createRow(changeWork, tx, { value: { ...data, id } });
  // Another writer has just created it: try again.
  if (!row) throw new UniqueViolation();
  return row;
}

async function replaceRow(
  { ctx, keep, changeWork }: ItemWork,
  tx: Tx,
  { stored, data }: { stored: LockedObject; data: JsonObject },
): Promise<Written | Left> {
  const { id: collection, schema } = changeWork.collection;
  const { id } = stored;
  const owned = ownedBy(ctx, collection, schema);
  const written = await changeObjectIn(changeWork, tx, stored, {
    sent: data,
    change: (current) => ({ input: withReceiverValues(owned, withoutLocal(owned, data), current) }),
    isSame: (before, after) => isDeepStrictEqual(withoutTimes(schema, after), withoutTimes(schema, before)),
  });
  if (!written) return { id, done: "unchanged" };
  queueSnapshot(keep, { kind: "object", collection, id }, written.before ?? {});
  return written;
}

/** After the objects of all collections. */
export async function checkReferencesOf({ ctx, later, problems }: ObjectsWork, tx: Tx): Promise<void> {
  for (const one of later) {
    try {
      await checkLater(ctx, tx, one);
    } catch (error) {
      problems.addRefusal(`objects.${one.collection.id}.${String(one.document.id)}`, error);
    }
  }
}
