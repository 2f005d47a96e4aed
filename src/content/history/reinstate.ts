// Brings a deleted object back: with its number, so that its history goes on and no tag of a version repeats. It is stored
// like a new object, with its index entry, words, references, counters and reactions. What it was is not judged again, except
// for what must be unique now.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { hiddenValues, keepSecrets } from "#content/collections/reindex.ts";
import { findGuard } from "#content/extension-guard.ts";
import { checkSingleton, takenId } from "#content/objects/choose-id.ts";
import { checkUnique, needsCollectionLock } from "#content/objects/unique.ts";
import { objectRow, type WriteWork, type Written } from "#content/objects/write-work.ts";
import { noteNew } from "#content/relations/store-references.ts";
import { applyRules } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { checkIdLength } from "#schemas/bounds.ts";
import { proposeId } from "#schemas/build.ts";
import { moveFormerSecrets } from "#schemas/former-names.ts";
import { indexEntry } from "#schemas/index-entry.ts";
import { isOwnNumber } from "#storage/log/own-numbers.ts";
import type { Tx } from "#storage/port.ts";
import { lockCounters, ownsNumber } from "#storage/tables/collections.ts";
import { type Deletion, findStoredObject, lastChangeOf } from "#storage/tables/history/deletions.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import { reinstateObject } from "#storage/tables/object-writes.ts";
import { hasObject } from "#storage/tables/objects.ts";
import { dropCopies, type PastFiles, takeBackFiles } from "./past-files.ts";
import { recordCreation } from "./record.ts";
import { presentVersion, readDeleted } from "./version.ts";

/** What is to be stored of an object that comes back. */
export interface Reinstatement {
  deletion: Deletion;
  id: string;
  /** Under the present schema. */
  document: JsonObject;
  /** With the values that the schema does not show. */
  whole: JsonObject;
  secrets: ObjectSecrets;
  /** Keys of files that are gone: the document does not name them. */
  lost: string[];
  /** Keys of files that were put back. */
  copied: string[];
}

/** Before the transaction, under the lock of its files: they are put back. When the write fails they go again: `dropCopies`. */
export async function prepareReinstatement(
  ctx: Context,
  collection: Collection,
  deletion: Deletion,
  newId = deletion.id,
): Promise<Reinstatement> {
  const { schema } = collection;
  if (!isOwnNumber(collection.numbers, deletion.rid)) formerCollection(collection.id);
  const deleted = readDeleted(schema, deletion.content);
  if (!deleted) return fail("not-found", "What was deleted cannot be read any more.");
  const modified = nextTime(deleted.modified, ctx.clock.iso());
  const whole = { ...deleted.whole, id: newId, created: deleted.created };
  const shown = presentVersion(ctx, schema, { whole, modified });
  const object = { collection: collection.id, id: newId, rid: deletion.rid };
  if (await hasObject(ctx.storage, collection.id, newId)) throw takenId(object);
  const secrets = keepSecrets(schema, moveFormerSecrets(schema, JSON.parse(deletion.secrets ?? "{}")));
  const returning = { object, document: shown, secrets, deletedAt: deletion.at };
  const past = await takeBackFiles(ctx, schema, returning);
  await checkReturn(ctx, collection, { id: newId, past });
  return { deletion, id: newId, whole, secrets, ...past };
}

/** Extensions check it like a new object, and may add to it. */
async function checkReturn(
  ctx: Context,
  collection: Collection,
  { id, past }: { id: string; past: PastFiles },
): Promise<void> {
  const guard = await findGuard(ctx, collection, "create");
  if (!guard) return;
  try {
    Object.assign(past.document, await guard.check({ id, before: null, after: past.document }));
  } catch (error) {
    await dropCopies(ctx, { collection: collection.id, id }, past);
    throw error;
  }
}

/**
 * Inside a transaction; neither counted nor announced: that is `finishWrites`. Throws UniqueViolation when another writer
 * takes the id or the number at the same moment: then the transaction runs again.
 */
export async function reinstateIn(work: WriteWork, tx: Tx, back: Reinstatement): Promise<Written> {
  const { ctx, collection } = work;
  const { schema } = collection;
  const { deletion, id, document, whole, secrets } = back;
  const { rid } = deletion;
  if (
    (await lastChangeOf(tx, rid)) !== deletion.seq ||
    (await findStoredObject(tx, { collection: collection.id, rid }))
  )
    fail("exists", "The object came back already.");
  const needsLock = collection.settings.singleton === true || needsCollectionLock(ctx, collection);
  const counters = work.counters ?? (needsLock ? await lockCounters(tx, collection.id) : undefined);
  if (await hasObject(tx, collection.id, id)) throw takenId({ collection: collection.id, id });
  if (counters) checkSingleton(collection, counters.totalObjects, false);
  if (needsLock) {
    await checkUnique(ctx, tx, collection, document);
    await applyRules(ctx, tx, collection.id, { actor: ctx.actor, after: { document, secrets }, now: work.now });
  }
  const write = { ...objectRow(collection, document, secrets), entry: indexEntry(schema, document) };
  const attic = JSON.stringify(hiddenValues(schema, whole, document));
  const rev = deletion.rev + 1;
  const record = recordCreation({ ...work, now: String(document.modified) }, document);
  await reinstateObject(tx, { rid, rev, attic }, { ...write, record });
  // Another collection of this id may be there by now. After the write: a deletion waits for this transaction, or is seen by it.
  if (!(await ownsNumber(tx, collection.id, rid))) formerCollection(collection.id);
  const noting = noteNew(tx, collection, () => [document]);
  if (noting !== undefined) await noting;
  const time = String(document.modified);
  return { work, done: "created", isBack: true, id, rid, rev, text: write.doc, time, dropped: [], watched: [] };
}

function formerCollection(id: string): never {
  fail("not-found", `This object was in a former collection "${id}".`);
}

/** The id that an object comes back under: its own, or another one that was asked for. */
export function returningId(ctx: Context, { schema }: Collection, own: string, sent: string | undefined): string {
  if (sent === undefined) return own;
  checkIdLength(sent);
  const { id } = proposeId(schema, { id: sent }, { now: ctx.clock.iso(), counter: 0 });
  return id;
}

/** Times of an object rise, also when the clock has stepped back. */
function nextTime(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString();
}
