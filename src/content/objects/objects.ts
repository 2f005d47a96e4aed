// Objects: get, create, replace (PUT), patch, delete. A copy with its files is media/clone-object.ts.
// Reading never parses a document that was written under the present schema: its text is the answer.

import { fail } from "#base/errors.ts";
import { slug } from "#base/ids.ts";
import { react } from "#content/collection-hooks.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openCollection, seesDrafts } from "#content/collections/open-collection.ts";
import { ensureCollection } from "#content/collections/put-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { compareChecked, findGuard, type Guard, untilCurrent } from "#content/extension-guard.ts";
import { keepAllFiles, removeAllFiles, removeKept } from "#content/file-removal.ts";
import { keepsFiles, placeByName, placesOf } from "#content/history/attic.ts";
import { openRecorder, recordDeletion } from "#content/history/record.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import type { Precondition } from "#content/preconditions.ts";
import { followCleared, openDeletion, settleReferences } from "#content/relations/on-delete.ts";
import { applyRules, auditWrite, hasCollectionRules, sentProblem, takeAsides } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { checkIdLength } from "#schemas/bounds.ts";
import { moveFormerSecrets } from "#schemas/former-names.ts";
import { relationsOf } from "#schemas/relations.ts";
import type { FlatSchema } from "#schemas/types.ts";
import type { Tx } from "#storage/port.ts";
import { bumpCounters, lockCounters } from "#storage/tables/collections.ts";
import { deleteObject as removeObject } from "#storage/tables/object-writes.ts";
import { findDocument } from "#storage/tables/objects.ts";
import { deleteReferences } from "#storage/tables/relations/object-references.ts";
import { tryOut } from "#storage/try-out.ts";
import { withLaterProblems, withStoredProblems } from "./all-problems.ts";
import { createTogether } from "./batch-creates.ts";
import type { ChangePlan, ObjectState } from "./change.ts";
import { changeObject } from "./change-object.ts";
import { hasId, replaceStrangersId } from "./choose-id.ts";
import { withIgnored } from "./ignored.ts";
import { type BuiltObject, buildAhead, createObjectIn, needsCounters } from "./insert-objects.ts";
import type { ObjectAnswer } from "./object-answer.ts";
import { type CachedObject, cacheObject, findCachedObject } from "./object-cache.ts";
import { hashPasswords, skipHashing } from "./password-hashes.ts";
import {
  checkIfMatch,
  damaged,
  documentText,
  etagOf,
  isDraft,
  lockExisting,
  noObject,
  replacedDocument,
} from "./stored-document.ts";
import { needsCollectionLock, retryOnTakenId } from "./unique.ts";
import { answerOf, finishWrites, type WriteWork, type Written } from "./write-work.ts";

export async function getObject(ctx: Context, collectionId: string, id: string): Promise<ObjectAnswer> {
  const collection = await openCollection(ctx, "read", collectionId, id);
  const object =
    findCachedObject(ctx.storage, collection, id) ??
    (await cacheObject(ctx.storage, collection, id, () => readObject(ctx, collection, id)));
  if (!object || (object.isDraft && !seesDrafts(ctx, "read", collectionId))) return noObject(collectionId, id);
  return object.answer;
}

async function readObject(ctx: Context, collection: Collection, id: string): Promise<CachedObject | undefined> {
  const { schema } = collection;
  const row = await findDocument(ctx.storage, collection.id, id);
  if (!row) return undefined;
  const text = documentText(ctx, schema, row);
  if (!text.endsWith("}")) return damaged();
  const answer: ObjectAnswer = { id, text, etag: etagOf(row, schema) };
  return { answer, isDraft: isDraft(row) };
}

export interface CreateOptions {
  /** Makes the body of what was sent, once the collection is open. May fail(). */
  prepare?(sent: JsonObject, collection: Collection): JsonObject;
  /** Only the first object of the collection is made, also of several at the same moment; the text refuses all others. */
  refusalUnlessFirst?: string;
  /** First of all in its transaction; what it throws refuses the object. */
  first?(tx: Tx): Promise<void>;
  /** The caller stands for strangers: what is wrong with the values says nothing about other objects. */
  isForStranger?: boolean;
  /** What must happen together with it. */
  within?(tx: Tx, id: string): Promise<void>;
}

export async function createObject(
  ctx: Context,
  collectionId: string,
  sent: JsonObject,
  options: CreateOptions = {},
): Promise<ObjectAnswer> {
  const found = await openCollection(ctx, "create", collectionId);
  const prepared = options.prepare ? options.prepare(sent, found) : sent;
  const collection = found.isVirtual ? await ensureCollection(ctx, collectionId) : found;
  checkBody(prepared);
  const { body } = takeAsides(ctx, collectionId, prepared);
  const refused = await sentProblem(ctx, collectionId, body);
  const hashes = refused ? skipHashing(collection.schema, body) : await hashPasswords(collection.schema, body);
  const recorder = await openRecorder(ctx, [collection]);
  const work = { ctx, collection, isTrusted: false, now: ctx.clock.iso(), hashes, recorder };
  const named = replaceStrangersId(ctx, collection, body);
  const tryInsert = () => tryOut(ctx.storage, (tx) => insertIn(work, tx, { body: named }, options));
  const naming = <T>(write: () => Promise<T>) => (options.isForStranger ? write() : namingAll(work, write));
  if (refused) throw options.isForStranger ? refused : await withLaterProblems(refused, () => naming(tryInsert));
  const guard = await findGuard(ctx, collection, "create");
  const answer = await naming(async () => {
    const whole = guard ? await checkNew(guard, { sent: named, tryInsert }) : named;
    return insert(work, whole, options);
  });
  followWrite(ctx, collection);
  auditWrite(ctx, "created", { collection: collectionId, id: answer.id });
  return withIgnored(answer, ctx, collection.schema, body);
}

/** An object that is refused is refused for all that is wrong with it. */
async function namingAll<T>(work: WriteWork, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw await withStoredProblems(work, work.ctx.storage, error);
  }
}

/**
 * Three ways, the cheapest that the object allows:
 * - Its id was sent and it depends on no other object: it is built now and stored in one batch with others.
 * - Its id was sent, but unique values or rules look at other objects: it is built now and stored under the collection's lock.
 * - Its id or a number in it depends on what is stored, or something must happen with it: all of it in the transaction, under
 *   that lock unless only the id is looked for.
 */
function insert(work: WriteWork, body: JsonObject, options: CreateOptions): Promise<ObjectAnswer> {
  const { refusalUnlessFirst, first, within } = options;
  const isBound = refusalUnlessFirst !== undefined || first !== undefined || within !== undefined;
  const built = isBound ? undefined : buildAhead(work, body);
  if (built && !needsCollectionLock(work.ctx, work.collection)) return createTogether(work, built);
  return insertAlone(work, { body, built }, options);
}

async function insertAlone(work: WriteWork, sent: SentObject, options: CreateOptions): Promise<ObjectAnswer> {
  let isContested = false;
  const insertOnce = () => work.ctx.storage.write((tx) => insertIn(work, tx, { ...sent, isContested }, options));
  return answerOf(
    await retryOnTakenId(() =>
      insertOnce().catch((error) => {
        isContested = true;
        throw error;
      }),
    ),
  );
}

interface SentObject {
  body: JsonObject;
  built?: BuiltObject | undefined;
  /** Others look for an id like this one at the same moment: one after the other. */
  isContested?: boolean;
}

async function insertIn(
  work: WriteWork,
  tx: Tx,
  { body, built, isContested }: SentObject,
  { refusalUnlessFirst, first, within }: CreateOptions,
): Promise<Written> {
  await first?.(tx);
  const isLocked = isContested || refusalUnlessFirst !== undefined || within !== undefined || needsCounters(work);
  const counters = isLocked ? await lockCounters(tx, work.collection.id) : undefined;
  if (refusalUnlessFirst !== undefined && counters && counters.totalObjects > 0) fail("forbidden", refusalUnlessFirst);
  const written = await createObjectIn({ ...work, counters }, tx, body, built);
  await finishWrites(tx, [written]);
  await within?.(tx, written.id);
  return written;
}

/**
 * The body with what extensions add to it. They see the object as it would be stored; an id that is yet to be made is not
 * shown.
 */
async function checkNew(
  guard: Guard,
  { sent: body, tryInsert }: { sent: JsonObject; tryInsert: () => Promise<Written> },
): Promise<JsonObject> {
  const { id, text } = await retryOnTakenId(tryInsert);
  const { id: _, ...unnamed } = JSON.parse(text) as JsonObject;
  const change = hasId(body) ? { id, after: { id, ...unnamed } } : { id: null, after: unnamed };
  const added = await guard.check({ ...change, before: null });
  return { ...body, ...added };
}

/** What must happen in the same transaction; may fail(). */
interface Bound {
  within?: ((tx: Tx) => Promise<void>) | undefined;
}

export interface ObjectChange extends Precondition, Bound {
  body: JsonObject;
  /** What of the body counts, once it is known what is stored. May fail(). Runs inside the transaction: it only computes. */
  prepare?(body: JsonObject, current: JsonObject, schema: FlatSchema): JsonObject;
}

/** PUT: what is left out goes back to its default; passwords stay unless sent. */
export function replaceObject(
  ctx: Context,
  collectionId: string,
  id: string,
  { body: sent, prepare = asSent, ...condition }: ObjectChange,
): Promise<ObjectAnswer> {
  return updateObject(ctx, { collectionId, id, sent, ...condition }, (body) => ({
    isWhole: true,
    change: (current, schema) => ({ input: prepare(body, current, schema) }),
  }));
}

/** PATCH: only what is sent changes; null goes back to the default. */
export function patchObject(
  ctx: Context,
  collectionId: string,
  id: string,
  { body: sent, prepare = asSent, ...condition }: ObjectChange,
): Promise<ObjectAnswer> {
  return updateObject(ctx, { collectionId, id, sent, ...condition }, (body) => ({
    change(current, schema) {
      const prepared = prepare(body, current, schema);
      return { input: { ...current, ...prepared }, changed: new Set(Object.keys(prepared)) };
    },
  }));
}

interface Update extends Precondition, Bound {
  collectionId: string;
  id: string;
  sent: JsonObject;
}

async function updateObject(
  ctx: Context,
  { collectionId, id, sent, ifMatch, within }: Update,
  changeBy: (body: JsonObject) => Pick<ChangePlan, "isWhole" | "change">,
): Promise<ObjectAnswer> {
  const collection = await openCollection(ctx, "update", collectionId, id);
  checkBody(sent, id);
  const { body, asides } = takeAsides(ctx, collectionId, sent);
  const answer = await changeObject(
    ctx,
    { collection, id, ifMatch },
    { sent: body, asides, ...(within && { within }), ...changeBy(body) },
  );
  return withIgnored(answer, ctx, collection.schema, body);
}

function asSent(body: JsonObject): JsonObject {
  return body;
}

export async function deleteObject(
  ctx: Context,
  collectionId: string,
  id: string,
  { ifMatch, within }: Precondition & Bound = {},
): Promise<void> {
  const collection = await openCollection(ctx, "delete", collectionId);
  const { schema } = collection;
  const rules = await openDeletion(ctx, collectionId);
  const recorder = await openRecorder(ctx, [collection]);
  const lockRow = async (tx: Tx) => {
    const row = await lockExisting(tx, collectionId, id);
    if (!seesDrafts(ctx, "delete", collectionId) && isDraft(row)) noObject(collectionId, id);
    checkIfMatch(ifMatch, row, schema);
    return row;
  };
  const remove = async (checkedRev?: number) => {
    const { cleared, time, row, before } = await ctx.storage.write(async (tx) => {
      const row = await lockRow(tx);
      compareChecked(row, checkedRev);
      // Rules look at other objects: two deletions at once must see each other.
      if (hasCollectionRules(ctx, collectionId)) await lockCounters(tx, collectionId);
      await within?.(tx);
      const changed = rules ? await settleReferences(ctx, tx, row, rules) : [];
      const now = ctx.clock.iso();
      await bumpCounters(tx, collectionId, { created: 0, total: -1, lastUpdated: now });
      const before = { document: replacedDocument(ctx, schema, row), secrets: moveFormerSecrets(schema, row.secrets) };
      await applyRules(ctx, tx, collectionId, { actor: ctx.actor, before, now });
      await removeObject(tx, row, recordDeletion(ctx, { collection, recorder, now }));
      if (relationsOf(schema).length > 0) await deleteReferences(tx, collectionId, [id]);
      await react(ctx, tx, { type: "object.deleted", collection: collectionId, id });
      return { cleared: changed, time: Date.parse(now), row, before };
    });
    followCleared(ctx, cleared);
    await takeFiles(ctx, collection, { id, rid: row.rid, time, before });
  };
  const guard = await findGuard(ctx, collection, "delete");
  const key = { collection: collectionId, id };
  if (guard)
    await untilCurrent(async () => {
      const row = await tryOut(ctx.storage, lockRow);
      await guard.check({ id, before: replacedDocument(ctx, schema, row), after: null });
      await withObjectFilesLock(ctx, key, () => remove(row.rev));
    });
  else await withObjectFilesLock(ctx, key, remove);
  auditWrite(ctx, "deleted", key);
}

interface DeletedObject {
  id: string;
  rid: number;
  /** Of its deletion. */
  time: number;
  before: ObjectState;
}

async function takeFiles(ctx: Context, collection: Collection, deleted: DeletedObject): Promise<void> {
  const { id, rid, time, before } = deleted;
  const prefix = `${collection.id}/${id}`;
  if (!keepsFiles(ctx, collection)) {
    await removeAllFiles(ctx, prefix);
    if (ctx.trail?.isPurge) await removeKept(ctx, rid);
    return;
  }
  const places = placesOf(rid, collection.schema, before);
  await keepAllFiles(ctx, prefix, (key, size) => places.get(key) ?? placeByName(rid, key, { time, size }));
}

function checkBody(body: JsonObject, id?: string): void {
  if (!isJsonObject(body)) fail("invalid", "The body must be a JSON object.");
  if (id === undefined || body.id === undefined || body.id === null) return;
  checkIdLength(body.id);
  const isId = typeof body.id === "string" || typeof body.id === "number";
  if (body.id !== id && (!isId || slug(String(body.id)) !== id)) {
    fail("invalid", "The id in the body differs from the id in the path.", { id: [`Must be "${id}" or left out.`] });
  }
}
