// Objects: get, create, replace (PUT), patch, delete, clone.
// Reading never parses a document that was written under the present schema: its text is the answer.

import { usersCollection } from "#access/accounts.ts";
import { isAdminPersona } from "#access/actor.ts";
import { adminOnlyCollections } from "#access/permissions.ts";
import { takeProof } from "#accounts/identity-proof.ts";
import { auditUser } from "#accounts/user-audit.ts";
import { applyUserRules } from "#accounts/user-rules.ts";
import { CairnError, fail, temporarilyUnavailable } from "#base/errors.ts";
import { slug, uid } from "#base/ids.ts";
import { react, runCheck } from "#content/collection-hooks.ts";
import { type Collection, getCollection } from "#content/collections/collection-cache.ts";
import { isStranger, openCollection, refuseStranger, seesDrafts } from "#content/collections/open-collection.ts";
import { ensureCollection } from "#content/collections/put-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { type ObjectKey, removeAllFiles } from "#content/file-removal.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { checkTag, type Precondition } from "#content/preconditions.ts";
import type { App, Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { type CloneSource, filesToCopy, secretsToCopy } from "#media/clone-files.ts";
import { checkIdLength } from "#schemas/bounds.ts";
import { blindId, buildDocument, checkSentId, proposeId } from "#schemas/build.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { addressImages } from "#schemas/values/file-values.ts";
import { type Tx, UniqueViolation } from "#storage/port.ts";
import { bumpCounters, lockCounters } from "#storage/tables/collections.ts";
import type { ObjectRow } from "#storage/tables/object-row.ts";
import { insertObject, deleteObject as removeObject } from "#storage/tables/object-writes.ts";
import { findDocument, findObject, findSecrets, hasObject, type StoredText } from "#storage/tables/objects.ts";
import { createTogether } from "./batch-creates.ts";
import {
  changeObject,
  checkIfMatch,
  checkUnique,
  damaged,
  etagOf,
  hashPasswords,
  isDraft,
  lockExisting,
  needsCollectionLock,
  noObject,
  objectWrite,
  replacedDocument,
  retryOnTakenId,
  storedDocument,
} from "./change-object.ts";
import {
  type BuiltObject,
  buildNew,
  canBuildAhead,
  chosenId,
  insertNew,
  type NewObject,
  type NewWork,
  type ToStore,
  takenId,
} from "./insert-objects.ts";
import { type CachedObject, cacheObject, findCachedObject } from "./object-cache.ts";
import { dropServiceProperties } from "./service-properties.ts";

export type ObjectAnswer = NewObject;

export async function getObject(ctx: Context, collectionId: string, id: string): Promise<ObjectAnswer> {
  const collection = await openCollection(ctx, "read", collectionId, id);
  const object = findCachedObject(ctx.storage, collection, id) ?? (await readObject(ctx, collection, id));
  if (!object || (object.isDraft && !seesDrafts(ctx, "read", collectionId))) return noObject(collectionId, id);
  return object.answer;
}

async function readObject(ctx: Context, collection: Collection, id: string): Promise<CachedObject | undefined> {
  const { storage } = ctx;
  const { schema } = collection;
  const version = storage.version(`objects:${collection.id}`);
  const row = await findDocument(storage, collection.id, id);
  if (!row) return undefined;
  const text = documentText(ctx, schema, row);
  if (!text.endsWith("}")) return damaged();
  const answer: ObjectAnswer = { id, text, etag: etagOf(row, schema) };
  const object = { answer, isDraft: isDraft(row) };
  cacheObject(storage, collection, object, version);
  return object;
}

/** The stored text when it was written under the present schema, else the document as that schema shows it. */
export function documentText(app: Pick<App, "settings">, schema: FlatSchema, row: StoredText): string {
  return row.schemaRev === schema.rev ? row.doc : JSON.stringify(storedDocument(app, schema, row));
}

export interface CreateOptions {
  /** Refuses when the collection holds an object already, also one made at the same moment. */
  mustBeFirst?: boolean;
  /** What must happen together with it. */
  within?(tx: Tx, id: string): Promise<void>;
}

export async function createObject(
  ctx: Context,
  collectionId: string,
  body: JsonObject,
  { mustBeFirst = false, within }: CreateOptions = {},
): Promise<ObjectAnswer> {
  const found = await openCollection(ctx, "create", collectionId);
  const collection = found.isVirtual ? await ensureCollection(ctx, collectionId) : found;
  checkBody(body);
  const checked = runCheck(ctx, collectionId, body);
  if (checked !== undefined) await checked;
  const hashed = hashPasswords(collection.schema, body);
  const hashes = hashed instanceof Promise ? await hashed : hashed;
  const work = { ctx, collection, isTrusted: false, now: ctx.clock.iso(), hashes };
  const sent = chosenId(ctx, collection, dropServiceProperties(collectionId, proofIn(collectionId, body).body));
  const isAhead = !mustBeFirst && !within && canBuildAhead(collection, sent);
  const answer = isAhead
    ? await insertAhead(work, sent)
    : await retryOnTakenId(() =>
        ctx.storage.write(async (tx) => {
          const inserted = await insertInTurn(work, tx, { body: sent, mustBeFirst });
          await within?.(tx, inserted.id);
          return inserted;
        }),
      );
  followWrite(ctx, collection);
  auditUser(ctx, "user.created", { collection: collectionId, id: answer.id });
  ctx.events.emit({ type: "object.created", collection: collectionId, id: answer.id });
  return answer;
}

/** With a sent id: only storing it tells whether that is free. */
function insertAhead(work: NewWork, body: JsonObject): Promise<ObjectAnswer> {
  const { collection, now } = work;
  const { id } = proposeId(collection.schema, body, { now, counter: 0 });
  const built = buildNew(work, body, { id, counter: 0 });
  return needsCollectionLock(collection) ? insertAmongOthers(work, built) : createTogether(work, built);
}

function insertAmongOthers(work: NewWork, built: BuiltObject): Promise<ObjectAnswer> {
  const { collection, id } = built.write;
  return retryOnTakenId(() =>
    work.ctx.storage.write(async (tx) => {
      await lockCounters(tx, collection);
      // Who sends the same again shall hear of its id, and not of all the values that it repeats.
      if (await hasObject(tx, collection, id)) return taken(collection, id);
      return insertOne(tx, { work, built });
    }),
  );
}

async function insertInTurn(
  work: NewWork,
  tx: Tx,
  { body, mustBeFirst }: { body: JsonObject; mustBeFirst: boolean },
): Promise<ObjectAnswer> {
  const { collection, now } = work;
  // The lock makes creates in one collection wait for each other where the engine lets them run together.
  const counters = await lockCounters(tx, collection.id);
  if (mustBeFirst && counters.totalObjects > 0) fail("forbidden", "This is closed: the first one exists already.");
  const stranger = isStranger(work.ctx, collection.id);
  const place = { now, counter: counters.count + 1, total: counters.totalObjects + 1, isStranger: stranger };
  const id = await chooseId(tx, collection, body, place);
  return insertOne(tx, { work, built: buildNew(work, body, { id, counter: place.counter }) });
}

async function insertOne(tx: Tx, object: ToStore): Promise<ObjectAnswer> {
  const [inserted] = await insertNew(tx, [object]);
  if (!inserted) throw new UniqueViolation();
  return inserted;
}

/** A sent id must be free; a generated one that is taken gets -2, -3. */
export async function chooseId(
  tx: Tx,
  collection: Collection,
  body: JsonObject,
  place: { now: string; counter: number; total: number; isStranger: boolean },
): Promise<string> {
  const { id: collectionId, schema, settings } = collection;
  if (settings.singleton && place.total === 1) return collectionId;
  checkSingleton(collection, place.total - 1, place.isStranger);
  const proposed = proposeId(schema, body, place);
  if (!proposed.isGenerated) {
    if (await hasObject(tx, collectionId, proposed.id)) return taken(collectionId, proposed.id);
    return proposed.id;
  }
  if (!(await hasObject(tx, collectionId, proposed.id))) return proposed.id;
  const suffix = await findFreeSuffix((number) => hasObject(tx, collectionId, `${proposed.id}-${number}`));
  return `${proposed.id}-${suffix}`;
}

/** Whoever has let it grow beyond one, by switching the setting on late, may go on. */
function checkSingleton({ id, settings }: Collection, total: number, isByStranger: boolean): void {
  if (!settings.singleton || total !== 1) return;
  if (isByStranger) refuseStranger();
  fail("exists", `The collection "${id}" holds one object, and has it.`);
}

/** From 2 up, in few questions however many are taken: in doubling steps, then back by halves. */
async function findFreeSuffix(isTaken: (number: number) => Promise<boolean>): Promise<number> {
  let taken = 1;
  let free = 2;
  while (await isTaken(free)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}

export interface ObjectChange extends Precondition {
  body: JsonObject;
  /** What of the body counts, once it is known what is stored. May fail(). Runs inside the transaction: it only computes. */
  prepare?(body: JsonObject, current: JsonObject, schema: FlatSchema): JsonObject;
}

/** PUT: what is left out goes back to its default; passwords stay unless sent. */
export async function replaceObject(
  ctx: Context,
  collectionId: string,
  id: string,
  { body: sent, ifMatch, prepare = asSent }: ObjectChange,
): Promise<ObjectAnswer> {
  await openCollection(ctx, "update", collectionId, id);
  checkBody(sent, id);
  const { body, currentPassword } = proofIn(collectionId, sent);
  return changeObject(
    ctx,
    { collection: collectionId, id, ifMatch },
    {
      sent: body,
      currentPassword,
      isWhole: true,
      change: (current, schema) => ({ input: prepare(body, current, schema) }),
    },
  );
}

/** PATCH: only what is sent changes; null goes back to the default. */
export async function patchObject(
  ctx: Context,
  collectionId: string,
  id: string,
  { body: sent, ifMatch, prepare = asSent }: ObjectChange,
): Promise<ObjectAnswer> {
  await openCollection(ctx, "update", collectionId, id);
  checkBody(sent, id);
  const { body, currentPassword } = proofIn(collectionId, sent);
  return changeObject(
    ctx,
    { collection: collectionId, id, ifMatch },
    {
      sent: body,
      currentPassword,
      change(current, schema) {
        const prepared = prepare(body, current, schema);
        return { input: { ...current, ...prepared }, changed: new Set(Object.keys(prepared)) };
      },
    },
  );
}

/** The field means something for users alone; elsewhere it is a property like any other. */
function proofIn(collection: string, body: JsonObject): ReturnType<typeof takeProof> {
  return collection === usersCollection ? takeProof(body) : { body, currentPassword: undefined };
}

function asSent(body: JsonObject): JsonObject {
  return body;
}

export async function deleteObject(
  ctx: Context,
  collectionId: string,
  id: string,
  { ifMatch }: Precondition = {},
): Promise<void> {
  const { schema } = await openCollection(ctx, "delete", collectionId);
  await withObjectFilesLock(ctx, { collection: collectionId, id }, async () => {
    await ctx.storage.write(async (tx) => {
      const row = await lockExisting(tx, collectionId, id);
      if (!seesDrafts(ctx, "delete", collectionId) && isDraft(row)) noObject(collectionId, id);
      checkIfMatch(ifMatch, row, schema);
      const now = ctx.clock.iso();
      await bumpCounters(tx, collectionId, { created: 0, total: -1, lastUpdated: now });
      const before = { document: replacedDocument(ctx, schema, row), secrets: row.secrets };
      await applyUserRules(tx, collectionId, { actor: ctx.actor, before, now });
      await removeObject(tx, row);
      await react(ctx, tx, { type: "object.deleted", collection: collectionId, id });
    });
    await removeAllFiles(ctx, `${collectionId}/${id}`);
  });
  auditUser(ctx, "user.deleted", { collection: collectionId, id });
  ctx.events.emit({ type: "object.deleted", collection: collectionId, id });
}

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
  const source = await getObject(ctx, collectionId, id);
  if (adminOnlyCollections.has(collectionId) && !isAdminPersona(ctx.actor)) {
    fail("forbidden", `Only an administrator clones objects of "${collectionId}".`);
  }
  checkTag(target.ifMatch, source.etag);
  const targetCollection = target.collection ?? collectionId;
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
  auditUser(ctx, "user.created", { collection: targetCollection, id: targetId });
  ctx.events.emit({ type: "object.created", collection: targetCollection, id: targetId });
  return answer;
}

/** A copy has no number of its own to be called by, so its id ends in random characters in any case. */
function strangersId({ schema }: Collection, title: string, now: string): string {
  return blindId(schema, { title }, now) ?? uid();
}

interface Copy extends Precondition {
  source: ObjectKey;
  target: ObjectKey;
}

/** Files first, then the row. When the source changes in between, its files are copied anew. */
async function copyObject(ctx: Context, collection: Collection, copy: Copy): Promise<ObjectAnswer> {
  const { source, target, ifMatch } = copy;
  for (let tries = 0; tries < 5; tries += 1) {
    const from = await getCollection(ctx, source.collection);
    const row = (await findObject(ctx.storage, source.collection, source.id)) ?? noObject(source.collection, source.id);
    const secrets = (await findSecrets(ctx.storage, source.collection, source.id)) ?? {};
    checkIfMatch(ifMatch, row, from.schema);
    if (await hasObject(ctx.storage, target.collection, target.id)) return taken(target.collection, target.id);
    const document = storedDocument(ctx, from.schema, row);
    const cloned = { collection: from, id: source.id, document, secrets };
    const keys = await filesToCopy(ctx, cloned, { collection, id: target.id });
    let failure: unknown;
    try {
      for (const key of keys) await ctx.files.copy(wholeKey(source, key), wholeKey(target, key));
      const answer = await ctx.storage.write((tx) =>
        insertCopy(ctx, tx, { ...copy, collection, cloned, rev: row.rev }),
      );
      if (answer) return answer;
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
async function isMoved({ storage }: Context, { collection, id, rev }: ObjectRow, failure: unknown): Promise<boolean> {
  if (!(failure instanceof CairnError) || failure.word !== "not-found") return false;
  const now = await findObject(storage, collection, id);
  return now !== undefined && now.rev !== rev;
}

function wholeKey({ collection, id }: ObjectKey, key: string): string {
  return `${collection}/${id}/${key}`;
}

/** Unless somebody else has made the object meanwhile. */
async function removeCopies(ctx: Context, { collection, id }: ObjectKey): Promise<void> {
  if (!(await hasObject(ctx.storage, collection, id))) await removeAllFiles(ctx, `${collection}/${id}`);
}

interface CopyRow extends Copy {
  collection: Collection;
  cloned: CloneSource;
  /** The source's, whose files are copied; undefined is answered when it has another one now. */
  rev: number;
}

async function insertCopy(ctx: Context, tx: Tx, copy: CopyRow): Promise<ObjectAnswer | undefined> {
  const { collection, source, target, cloned, rev } = copy;
  const row = await lockExisting(tx, source.collection, source.id);
  if (row.rev !== rev) return undefined;
  if (await hasObject(tx, target.collection, target.id)) return taken(target.collection, target.id);
  const now = ctx.clock.iso();
  const counters = await lockCounters(tx, target.collection);
  checkSingleton(collection, counters.totalObjects, isStranger(ctx, target.collection));
  const input = { ...dropServiceProperties(target.collection, cloned.document), id: target.id };
  const { document, secrets } = buildDocument(collection.schema, input, {
    now,
    created: now,
    modified: now,
    counter: counters.count + 1,
    htmlclean: htmlclean(ctx),
    hashes: new Map(),
    secrets: secretsToCopy(cloned, collection.schema),
    files: input,
  });
  addressImages(collection.schema, document, target);
  await checkUnique(ctx, tx, collection, document);
  await applyUserRules(tx, target.collection, { actor: ctx.actor, after: { document, secrets }, now });
  const write = objectWrite(collection, document, secrets);
  const stored = await insertObject(tx, write);
  await react(ctx, tx, { type: "object.created", collection: target.collection, id: target.id });
  const { rev: schemaRev } = collection.schema;
  await bumpCounters(tx, target.collection, { created: 1, total: 1, lastUpdated: now, schemaRev });
  return { id: target.id, text: write.doc, etag: etagOf(stored, collection.schema) };
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

function taken(collection: string, id: string): never {
  throw takenId({ collection, id });
}
