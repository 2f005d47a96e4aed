// A copy of an object with its files: the one write of objects that needs bytes. Callers get copies only of files that they
// may fetch (clone-files.ts).

import { isAdminPersona } from "#access/actor.ts";
import { allowTarget } from "#access/allow.ts";
import { adminOnlyCollections } from "#access/permissions.ts";
import { CairnError, fail, temporarilyUnavailable } from "#base/errors.ts";
import { uid } from "#base/ids.ts";
import type { Collection } from "#content/collections/collection.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { isStranger, openCollection } from "#content/collections/open-collection.ts";
import { ensureCollection } from "#content/collections/put-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { findGuard } from "#content/extension-guard.ts";
import { type ObjectKey, removeAllFiles } from "#content/file-removal.ts";
import { openRecorder, type Recorder } from "#content/history/record.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { checkSingleton, takenId } from "#content/objects/choose-id.ts";
import { buildNew, storeBuilt } from "#content/objects/insert-objects.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { getObject } from "#content/objects/objects.ts";
import { noHashes } from "#content/objects/password-hashes.ts";
import {
  checkIfMatch,
  findPresentSecrets,
  lockExisting,
  noObject,
  storedDocument,
} from "#content/objects/stored-document.ts";
import { answerOf, finishWrites, type Written } from "#content/objects/write-work.ts";
import { checkTag, type Precondition } from "#content/preconditions.ts";
import { auditWrite } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { checkSentId, unguessableId } from "#schemas/build.ts";
import { forgetFormerPlaces } from "#schemas/values/former-places.ts";
import { type Tx, UniqueViolation } from "#storage/port.ts";
import { lockCounters } from "#storage/tables/collections.ts";
import type { ObjectRow } from "#storage/tables/object-row.ts";
import { findObject, hasObject } from "#storage/tables/objects.ts";
import { tryOut } from "#storage/try-out.ts";
import { type CloneSource, filesToCopy, secretsToCopy } from "./clone-files.ts";

export interface CloneTarget extends Precondition {
  id?: string | undefined;
  collection?: string | undefined;
}

/** Without a target the clone is the source itself. */
export async function cloneObject(
  ctx: Context,
  collectionId: string,
  id: string,
  target: CloneTarget,
): Promise<ObjectAnswer> {
  const targetCollection = target.collection ?? collectionId;
  allowTarget(ctx, targetCollection);
  const source = await getObject(ctx, collectionId, id);
  if (adminOnlyCollections.has(collectionId) && !isAdminPersona(ctx.actor)) {
    fail("forbidden", `Only an administrator clones objects of "${collectionId}".`);
  }
  checkTag(target.ifMatch, source.etag);
  const askedId = target.id === undefined ? id : checkSentId(target.id);
  await openCollection(ctx, "create", targetCollection);
  if (targetCollection === collectionId && askedId === id) return source;
  const collection = await ensureCollection(ctx, targetCollection);
  const targetId = isStranger(ctx, targetCollection) ? strangersId(collection, askedId, ctx.clock.iso()) : askedId;
  const copy = {
    source: { collection: collectionId, id },
    target: { collection: targetCollection, id: targetId },
    ifMatch: target.ifMatch,
  };
  const answer = await withObjectFilesLock(ctx, copy.target, () => copyObject(ctx, collection, copy));
  followWrite(ctx, collection);
  auditWrite(ctx, "created", { collection: targetCollection, id: targetId });
  return answer;
}

/** A copy has no number of its own to be called by, so its id ends in random characters in any case. */
function strangersId({ schema }: Collection, title: string, now: string): string {
  return unguessableId(schema, { title }, now) ?? uid();
}

interface Copy extends Precondition {
  source: ObjectKey;
  target: ObjectKey;
}

/** Files first, then the row. When the source changes in between, its files are copied again. */
async function copyObject(ctx: Context, collection: Collection, copy: Copy): Promise<ObjectAnswer> {
  const { source, target, ifMatch } = copy;
  const recorder = await openRecorder(ctx, [collection]);
  for (let tries = 0; tries < 5; tries += 1) {
    const from = await getCollection(ctx, source.collection);
    const row = (await findObject(ctx.storage, source.collection, source.id)) ?? noObject(source.collection, source.id);
    const secrets = (await findPresentSecrets(ctx.storage, from, source.id)) ?? {};
    checkIfMatch(ifMatch, row, from.schema);
    if (await hasObject(ctx.storage, target.collection, target.id)) throw takenId(target);
    const document = storedDocument(ctx, from.schema, row);
    const cloned = { collection: from, id: source.id, document, secrets };
    const files = await filesToCopy(ctx, cloned, { collection, id: target.id });
    // The copies lie under the present names, whatever the source says.
    forgetFormerPlaces(from.schema, document);
    let failure: unknown;
    try {
      const planned = { ...copy, collection, cloned, recorder, seen: row };
      const checked = await checkCopy(ctx, planned);
      for (const file of files) await ctx.files.copy(wholeKey(source, file.from), wholeKey(target, file.to));
      const written = await ctx.storage.write((tx) => insertCopy(ctx, tx, checked));
      if (written) return answerOf(written);
    } catch (error) {
      failure = error;
    }
    await removeCopies(ctx, target);
    if (failure instanceof UniqueViolation) throw new CairnError("exists");
    if (failure !== undefined && !(await isMoved(ctx, row, failure))) throw failure;
  }
  throw temporarilyUnavailable("The object changes all the time. Try again in a moment.");
}

/** A file that was replaced when it was to be copied is not there; the object has another one now. */
async function isMoved({ storage }: Context, row: ObjectRow, failure: unknown): Promise<boolean> {
  if (!(failure instanceof CairnError) || failure.word !== "not-found") return false;
  const now = await findObject(storage, row.collection, row.id);
  return now !== undefined && !isSame(now, row);
}

/** Files of renamed properties move without a new revision: the document alone says where they lie. */
function isSame(now: ObjectRow, before: ObjectRow): boolean {
  return now.rev === before.rev && now.doc === before.doc;
}

function wholeKey({ collection, id }: ObjectKey, key: string): string {
  return `${collection}/${id}/${key}`;
}

/** Unless the object was created meanwhile. */
async function removeCopies(ctx: Context, { collection, id }: ObjectKey): Promise<void> {
  if (!(await hasObject(ctx.storage, collection, id))) await removeAllFiles(ctx, `${collection}/${id}`);
}

interface CopyRow extends Copy {
  collection: Collection;
  cloned: CloneSource;
  recorder: Recorder | undefined;
  /** The source whose files are copied; undefined is answered when it is another one now. */
  seen: ObjectRow;
}

/** Extensions see the copy as it would be stored; what they change is changed in the document that is copied. */
async function checkCopy(ctx: Context, copy: CopyRow): Promise<CopyRow> {
  const guard = await findGuard(ctx, copy.collection, "create");
  const tried = guard && (await tryOut(ctx.storage, (tx) => insertCopy(ctx, tx, copy)));
  if (!tried) return copy;
  const after = JSON.parse(tried.text) as JsonObject;
  const added = await guard.check({ id: tried.id, before: null, after });
  return { ...copy, cloned: { ...copy.cloned, document: { ...copy.cloned.document, ...added } } };
}

async function insertCopy(ctx: Context, tx: Tx, copy: CopyRow): Promise<Written | undefined> {
  const { collection, source, target, cloned, seen } = copy;
  const row = await lockExisting(tx, source.collection, source.id);
  if (!isSame(row, seen)) return undefined;
  if (await hasObject(tx, target.collection, target.id)) throw takenId(target);
  const counters = await lockCounters(tx, target.collection);
  checkSingleton(collection, counters.totalObjects, isStranger(ctx, target.collection));
  const work = { ctx, collection, isTrusted: false, now: ctx.clock.iso(), hashes: noHashes, recorder: copy.recorder };
  const copied = secretsToCopy(cloned, collection.schema);
  const built = buildNew(work, cloned.document, { id: target.id, counter: counters.count + 1, copied });
  const [written] = await storeBuilt(tx, [{ work, built }]);
  if (!written) throw new UniqueViolation();
  await finishWrites(tx, [written]);
  return written;
}
