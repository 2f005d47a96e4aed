// Undoes several objects in one transaction, each by the ordinary write inside it. Only plain ones: no value of theirs names a
// file, no extension checks their changes, and no reference or rule looks at their deletion. Any refusal takes the transaction
// back, and its objects are then undone one by one (undo-object.ts).

import { fail } from "#base/errors.ts";
import { createPause } from "#base/event-loop.ts";
import { inParallel } from "#base/in-parallel.ts";
import { react } from "#content/collection-hooks.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openCollection, seesDrafts } from "#content/collections/open-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { findGuard } from "#content/extension-guard.ts";
import { dropCopies } from "#content/history/past-files.ts";
import { openRecorder, type Recorder, recordDeletion } from "#content/history/record.ts";
import { prepareReinstatement, type Reinstatement, reinstateIn } from "#content/history/reinstate.ts";
import { changeObjectIn } from "#content/objects/change-object.ts";
import { isDraft } from "#content/objects/stored-document.ts";
import { finishWrites, type Written } from "#content/objects/write-work.ts";
import { openDeletion } from "#content/relations/on-delete.ts";
import { auditWrite, type ChangeRules, finishChange, hasCollectionRules, openChange } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { Tx } from "#storage/port.ts";
import { bumpCounters } from "#storage/tables/collections.ts";
import { findDeletion } from "#storage/tables/history/deletions.ts";
import { lockStored, type StoredObject } from "#storage/tables/object-batches.ts";
import { deleteObject } from "#storage/tables/object-writes.ts";
import { deleteReferences } from "#storage/tables/relations/object-references.ts";
import { cleanValues, type PlannedObject } from "./plan-object.ts";
import { stepOf } from "./undo-object.ts";

/** Writes that are under way in the transaction: the statements of several reach a database over the network together. */
const atOnce = 8;
/** Each may be some megabytes. */
const readAtOnce = 4;

/** `within` runs in the same transaction, with those that are written by it. Resolves to these. */
export async function undoTogether(
  ctx: Context,
  objects: readonly PlannedObject[],
  within: (tx: Tx, written: readonly PlannedObject[]) => Promise<void>,
): Promise<readonly PlannedObject[]> {
  const works: Work[] = [];
  for (const [name, own] of Map.groupBy(objects, ({ collection }) => collection)) {
    for (const [action, open] of openers) {
      const planned = own.filter((object) => object.action === action);
      const work = planned.length > 0 ? await open(ctx, name, planned) : undefined;
      if (work && work.planned.length > 0) works.push(work);
    }
  }
  const done = works.flatMap(({ planned }) => planned);
  if (done.length === 0) return done;
  await ctx.storage.write(async (tx) => {
    await within(tx, done);
    for (const { writeIn } of works) await writeIn(tx);
  });
  for (const { collection, follow } of works) {
    followWrite(ctx, collection);
    follow();
  }
  return done;
}

/** What is done in one collection. */
interface Work {
  collection: Collection;
  planned: readonly PlannedObject[];
  writeIn(tx: Tx): Promise<void>;
  /** After the commit. */
  follow(): void;
}

/** Undefined: its objects are not plain. */
type OpenWork = (ctx: Context, name: string, planned: readonly PlannedObject[]) => Promise<Work | undefined>;

const openReverts: OpenWork = async (ctx, name, planned) => {
  const collection = await openCollection(ctx, "update", name);
  const { schema } = collection;
  if (schema.holdsFiles || (await findGuard(ctx, collection, "update"))) return undefined;
  const rules = new Map<string, readonly ChangeRules[]>();
  for (const { id } of planned) rules.set(id, await openChange(ctx, { collection, id, sent: {} }));
  const recorder = await openRecorder(ctx, [collection]);
  let written: Written[] = [];
  return {
    ...{ collection, planned },
    async writeIn(tx) {
      written = [];
      await eachRow(ctx, tx, { collection, planned, operation: "update" }, async (object, row) => {
        const work = workOf(ctx, collection, { recorder, rules: rules.get(object.id) ?? [] });
        const step = stepOf(schema, cleanValues(object.properties));
        written.push(await changeObjectIn(work, tx, { ...row, secrets: JSON.parse(row.secrets) }, step));
      });
      await finishWrites(tx, written);
    },
    follow() {
      for (const own of rules.values()) finishChange(own);
      for (const { id, watched } of written)
        if (watched.length > 0) auditWrite(ctx, "changed", { collection: name, id }, { changed: [...watched] });
    },
  };
};

const openDeletions: OpenWork = async (ctx, name, planned) => {
  const collection = await openCollection(ctx, "delete", name);
  const isWatched = hasCollectionRules(ctx, name) || (await openDeletion(ctx, name)) !== undefined;
  if (isWatched || collection.schema.holdsFiles || (await findGuard(ctx, collection, "delete"))) return undefined;
  const recorder = await openRecorder(ctx, [collection]);
  return {
    ...{ collection, planned },
    async writeIn(tx) {
      const now = ctx.clock.iso();
      await eachRow(ctx, tx, { collection, planned, operation: "delete" }, async ({ id }, row) => {
        // A property that the schema had before may name a file.
        if (row.attic !== noValues) fail("precondition-failed");
        await deleteObject(tx, row, recordDeletion(ctx, { collection, recorder, now }));
        await react(ctx, tx, { type: "object.deleted", collection: name, id });
      });
      const ids = planned.map(({ id }) => id);
      await deleteReferences(tx, name, ids);
      await bumpCounters(tx, name, { created: 0, total: -ids.length, lastUpdated: now });
    },
    follow() {
      for (const { id } of planned) auditWrite(ctx, "deleted", { collection: name, id });
    },
  };
};

/** Of objects that come back as they were deleted. */
const openReturns: OpenWork = async (ctx, name, planned) => {
  const collection = await openCollection(ctx, "create", name);
  if (collection.schema.holdsFiles) return undefined;
  const plain: { object: PlannedObject; back: Reinstatement }[] = [];
  await inParallel(planned, readAtOnce, async (object) => {
    const deletion = object.properties.length > 0 ? undefined : await findDeletion(ctx.storage, object.deletion ?? 0);
    const back = deletion && (await prepareReinstatement(ctx, collection, deletion));
    if (back?.copied.length === 0) plain.push({ object, back });
    else if (back) await dropCopies(ctx, object, back);
  });
  const recorder = await openRecorder(ctx, [collection]);
  return {
    collection,
    planned: plain.map(({ object }) => object),
    async writeIn(tx) {
      const written: Written[] = [];
      const work = workOf(ctx, collection, { recorder, rules: [] });
      await inParallel(plain, atOnce, async ({ back }) => void written.push(await reinstateIn(work, tx, back)));
      await finishWrites(tx, written);
    },
    follow() {
      for (const { back } of plain) auditWrite(ctx, "created", { collection: name, id: back.id });
    },
  };
};

const openers: readonly [PlannedObject["action"], OpenWork][] = [
  ["delete", openDeletions],
  ["revert", openReverts],
  ["restore", openReturns],
];

const noValues = "{}";

interface Opened {
  recorder: Recorder | undefined;
  rules: readonly ChangeRules[];
}

function workOf(ctx: Context, collection: Collection, opened: Opened) {
  return { ctx, collection, isTrusted: false, now: ctx.clock.iso(), hashes: new Map(), ...opened };
}

interface Rows extends Pick<Work, "collection" | "planned"> {
  operation: "update" | "delete";
}

/** Locks them all, in one order. Fails where one is not as it was planned. */
async function eachRow(
  ctx: Context,
  tx: Tx,
  { collection, planned, operation }: Rows,
  work: (object: PlannedObject, row: StoredObject) => Promise<void>,
): Promise<void> {
  const ids = planned.map(({ id }) => id);
  const rows = new Map((await lockStored(tx, collection.id, ids)).map((row) => [row.id, row]));
  const seesAll = seesDrafts(ctx, operation, collection.id);
  const pause = createPause();
  await inParallel(planned, atOnce, async (object) => {
    const row = rows.get(object.id);
    const isPlanned = row?.rid === object.rid && row.rev === object.rev;
    if (!isPlanned || (!seesAll && isDraft(row))) fail("precondition-failed");
    await work(object, row);
    await pause();
  });
}
