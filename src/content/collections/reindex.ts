// Rebuilds the objects of a collection and their index entries for its schema, in batches between which others work.
// It needs no job: the collection's indexed revision is set at the end, so the next start finds unfinished collections.

import { setTimeout as sleep } from "node:timers/promises";
import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { createPause, yieldToEventLoop } from "#base/event-loop.ts";
import { perInstance } from "#base/per-instance.ts";
import { askScrub } from "#content/history/scrub.ts";
import { referenceRows } from "#content/relations/store-references.ts";
import type { App, Context } from "#context.ts";
import { reservedCollections } from "#contract/collections.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { findFlatSchema, type SchemaSource } from "#schemas/find-schema.ts";
import { moveFormer, moveFormerSecrets } from "#schemas/former-names.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { indexEntry } from "#schemas/index-entry.ts";
import { presentDocument } from "#schemas/present.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { withFormerPlaces } from "#schemas/values/former-places.ts";
import { followPath } from "#schemas/values/walk.ts";
import type { Storage } from "#storage/port.ts";
import {
  beginIndexing,
  beginIndexingUnlessDone,
  type CollectionRow,
  endIndexing,
  findCollectionRow,
  findMiscount,
  followIndexing,
  listCollectionRows,
  mendCounters,
  noteWords,
  wordsLayout,
} from "#storage/tables/collections.ts";
import { askIds, countObjects, lockStored, type StoredObject } from "#storage/tables/object-batches.ts";
import type { ObjectSecrets, ObjectWrite } from "#storage/tables/object-row.ts";
import { rewriteObject } from "#storage/tables/object-writes.ts";
import { deleteReferences, insertReferences, type ReferenceRow } from "#storage/tables/relations/object-references.ts";
import { askMoves } from "./move-files.ts";

const sliceSize = 50;
/** Ids that are read at once. */
const lookedAt = 1_000;
/** Collections of up to this many objects are rebuilt before a schema save is answered. */
const maxWaitedFor = 1_000;

/** Writers that started under the old schema finish soon, but another machine may keep older schema files for longer. */
const maxPasses = 12;
const pauseMs = 25;
const settleMs = 5_000;

export type IndexProgress = {
  state: "ready" | "rebuilding";
  done: number;
  total: number;
};

interface Rebuild {
  done: number;
  /** Absent until they are counted. */
  total?: number;
  finished: Promise<void>;
  /** Of all entries, of any revision. */
  isWhole: boolean;
  /** A whole rebuild that was asked for meanwhile; all callers share it. */
  next?: Promise<void>;
}

interface Rebuilds {
  running: Map<string, Rebuild>;
  isStopped: boolean;
  /** After an upgrade: the collections whose words must be rebuilt, one after the other. */
  renewal?: Promise<void> | undefined;
}

const stateOf = perInstance((_storage: Storage): Rebuilds => ({ running: new Map(), isStopped: false }));

/** Rebuilds every index entry, of any revision, and counts the objects. */
export async function rebuildIndex(ctx: Context, collectionId: string): Promise<void> {
  allow(ctx, "update", { kind: "collections", collection: collectionId });
  const row = await findCollectionRow(ctx.storage, collectionId);
  if (!row || row.isDeleting) {
    if (Object.hasOwn(reservedCollections, collectionId)) return;
    fail("not-found", `There is no collection "${collectionId}".`);
  }
  const running = stateOf(ctx.storage).running.get(collectionId);
  if (!running) return start(ctx, collectionId, true);
  running.next ??= running.finished.catch(() => {}).then(() => start(ctx, collectionId, true));
  return running.next;
}

/**
 * After schemas changed: small collections are done when the promise resolves, large ones continue in the background; with
 * `schemas` also those of any other schema.
 */
export async function scheduleReindex(app: App, schemas?: ReadonlySet<string>): Promise<void> {
  const small: Promise<void>[] = [];
  const rows = await listCollectionRows(app.storage);
  for (const row of rows) {
    if (!isBehind(app, row)) continue;
    const rebuild = startLogged(app, row.id);
    const isWaitedFor = schemas === undefined || schemas.has(schemaOf(app, row)?.id ?? "");
    if (isWaitedFor && row.totalObjects <= maxWaitedFor) small.push(rebuild);
  }
  renewWords(
    app,
    rows.filter((row) => isStale(app, row) && !isBehind(app, row)),
  );
  await Promise.all(small);
}

/** In the background: until they are done, their objects are found by the old entries. */
function renewWords(app: App, rows: readonly CollectionRow[]): void {
  const state = stateOf(app.storage);
  if (state.renewal || rows.length === 0) return;
  const renew = async () => {
    for (const { id } of rows) await startLogged(app, id);
  };
  state.renewal = renew().finally(() => {
    state.renewal = undefined;
  });
}

function startLogged(app: App, collectionId: string): Promise<void> {
  return start(app, collectionId, false).catch((error) => {
    app.log.error(
      { err: error, collection: collectionId },
      "index rebuild failed; it is tried again at the next start",
    );
  });
}

/**
 * After objects were written: the schema may have changed while the write was prepared or waited, and all other objects
 * may be rebuilt already.
 */
export function followWrite(app: App, { schema }: { schema: FlatSchema }): void {
  if (findFlatSchema(app, schema.id)?.rev !== schema.rev) resumeReindex(app);
}

/** At the start of a server: continues unfinished rebuilds. */
export function resumeReindex(app: App): void {
  scheduleReindex(app).catch((error) => app.log.error({ err: error }, "stale collections could not be listed"));
}

/** At the end of the process: running rebuilds stop after their batch, and the next start continues them. */
export async function stopReindex(app: Pick<App, "storage">): Promise<void> {
  const state = stateOf(app.storage);
  state.isStopped = true;
  await state.renewal;
  await Promise.allSettled([...state.running.values()].map((rebuild) => rebuild.finished));
}

export function reindexProgress(app: SchemaSource, row: CollectionRow): IndexProgress {
  const running = stateOf(app.storage).running.get(row.id);
  // Every process follows a schema: this one may still look through what another one has done.
  if (running && (running.isWhole || isStale(app, row)))
    return { state: "rebuilding", done: running.done, total: running.total ?? row.totalObjects };
  if (isStale(app, row)) return { state: "rebuilding", done: 0, total: row.totalObjects };
  return { state: "ready", done: row.totalObjects, total: row.totalObjects };
}

/** One rebuild of a collection at a time; one that is running notices a newer schema by itself. */
function start(app: App, collectionId: string, isWhole: boolean): Promise<void> {
  const { running } = stateOf(app.storage);
  const known = running.get(collectionId);
  if (known) return known.finished;
  const rebuild: Rebuild = { done: 0, finished: Promise.resolve(), isWhole };
  running.set(collectionId, rebuild);
  rebuild.finished = rebuildUntilCurrent(app, collectionId, rebuild).finally(() => running.delete(collectionId));
  return rebuild.finished;
}

async function rebuildUntilCurrent(app: App, collectionId: string, rebuild: Rebuild): Promise<void> {
  for (let passes = 0; passes < maxPasses; passes += 1) {
    const row = await findCollectionRow(app.storage, collectionId);
    const schema = row && schemaOf(app, row);
    const takesAll = (rebuild.isWhole && passes === 0) || (row !== undefined && row.words < wordsLayout);
    if (!schema || row.isDeleting || stateOf(app.storage).isStopped) return;
    if (!takesAll && row.indexedRev === schema.rev) return;
    await pass(app, { collectionId, schema, takesAll, rebuild });
    if (passes > 0) await sleep(passes * pauseMs);
  }
  app.log.warn(
    { collection: collectionId },
    "objects are still written under a different schema; they are indexed later",
  );
}

interface Pass {
  collectionId: string;
  schema: FlatSchema;
  /** Also the objects that are at this schema's revision already. */
  takesAll: boolean;
  rebuild: Rebuild;
}

/** Ends early, and leaves the collection stale, when the schema has changed again or the process ends. */
async function pass(app: App, { collectionId, schema, takesAll, rebuild }: Pass): Promise<void> {
  const exceptRev = takesAll ? "" : schema.rev;
  const hasBegun = await app.storage.write(async (tx) => {
    if (!takesAll) return beginIndexingUnlessDone(tx, collectionId, schema.rev);
    await beginIndexing(tx, collectionId, schema.rev);
    return true;
  });
  if (!hasBegun) return;
  // Writers that have not seen that are found by this pass, if they are over; else by the next one.
  const isSettled = await app.storage.settle(settleMs);
  rebuild.done = 0;
  rebuild.total = await app.storage.view((view) => countObjects(view, collectionId, exceptRev));
  for (let after = ""; ; ) {
    const found = await askIds(app.storage, { collection: collectionId, after, limit: lookedAt });
    const ids = found.filter(({ schemaRev }) => schemaRev !== exceptRev).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += sliceSize) {
      if (stateOf(app.storage).isStopped || findFlatSchema(app, schema.id)?.rev !== schema.rev) return;
      rebuild.done += await renewSlice(app, schema, { collectionId, ids: ids.slice(from, from + sliceSize) });
      await yieldToEventLoop();
    }
    if (found.length < lookedAt) break;
    after = found.at(-1)?.id as string;
  }
  const miscount = takesAll ? await findMiscount(app.storage, collectionId) : 0;
  await app.storage.write(async (tx) => {
    await mendCounters(tx, collectionId, miscount);
    if (takesAll) await noteWords(tx, collectionId);
    if (!isSettled) return;
    await endIndexing(tx, collectionId, schema.rev);
    await askScrub(tx, collectionId, schema);
    await askMoves(tx, collectionId, schema);
  });
}

/** In one transaction, with pauses for other requests. Resolves to the number of objects. */
function renewSlice(
  app: App,
  schema: FlatSchema,
  { collectionId, ids }: { collectionId: string; ids: string[] },
): Promise<number> {
  return app.storage.write(async (tx) => {
    const rows = await lockStored(tx, collectionId, ids);
    const pause = createPause();
    const renewed: string[] = [];
    const references: ReferenceRow[] = [];
    for (const row of rows) {
      const write = renew(app, schema, row);
      if (!write) continue;
      await rewriteObject(tx, row, write);
      renewed.push(row.id);
      references.push(...write.references);
      await pause();
    }
    await deleteReferences(tx, collectionId, renewed);
    await insertReferences(tx, references);
    if (rows.length > 0) await followIndexing(tx, collectionId, schema.rev);
    return rows.length;
  });
}

interface Renewed extends ObjectWrite {
  attic: string;
  references: ReferenceRow[];
}

/** Undefined when the stored text is damaged: that object stays as it is. */
function renew(app: App, schema: FlatSchema, row: StoredObject): Renewed | undefined {
  try {
    const read = JSON.parse(row.doc) as Json;
    if (!isJsonObject(read)) throw new Error("not an object");
    const isCurrent = row.schemaRev === schema.rev;
    const stored = isCurrent ? read : withFormerPlaces(schema, read);
    // First what is shown: a value in the attic may have the new name of a renamed property by chance.
    const hidden = withFormerPlaces(schema, JSON.parse(row.attic) as JsonObject);
    const whole = isCurrent ? stored : moveFormer(schema, { ...hidden, ...moveFormer(schema, stored) });
    const document = isCurrent ? stored : presentDocument(schema, whole, { ...row, htmlclean: htmlclean(app) });
    return {
      collection: row.collection,
      id: row.id,
      created: row.created,
      modified: row.modified,
      schemaRev: schema.rev,
      doc: isCurrent ? row.doc : JSON.stringify(document),
      secrets: keepSecrets(schema, moveFormerSecrets(schema, JSON.parse(row.secrets))),
      attic: isCurrent ? row.attic : JSON.stringify(hiddenValues(schema, whole, document)),
      entry: indexEntry(schema, document),
      references: referenceRows(row.collection, schema, document),
    };
  } catch (error) {
    app.log.error({ err: error, collection: row.collection, id: row.id }, "object skipped: its stored text is damaged");
    return undefined;
  }
}

/** Values that the schema does not show are kept, for a property that comes back. Passwords are not kept. */
export function hiddenValues(schema: FlatSchema, whole: JsonObject, shown: JsonObject): JsonObject {
  const isHidden = (name: string) => shown[name] === undefined && !schema.properties.get(name)?.isPassword;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isHidden(name)));
}

/** A secret is kept only while its property has the type password. */
export function keepSecrets(schema: FlatSchema, secrets: ObjectSecrets): ObjectSecrets {
  return Object.fromEntries(Object.entries(secrets).filter(([path]) => isPasswordPath(schema, path.split("."))));
}

/** `password`, `card.password`, `deck.itemId.password`, or the password of an uploaded file. */
function isPasswordPath(schema: FlatSchema, path: string[]): boolean {
  const { property, rest } = followPath(schema, path);
  return property?.kind.isUploaded ? rest.at(-1) === "password" : rest.length === 0 && property?.isPassword === true;
}

/** Whether some collection of these schemas still has objects of an older revision. */
export async function isAnyBehind(app: App, schemas: ReadonlySet<string>): Promise<boolean> {
  const rows = await listCollectionRows(app.storage);
  return rows.some((row) => isBehind(app, row) && schemas.has(schemaOf(app, row)?.id ?? ""));
}

function isStale(app: SchemaSource, row: CollectionRow): boolean {
  return isBehind(app, row) || (!row.isDeleting && row.words < wordsLayout && schemaOf(app, row) !== undefined);
}

/** Of its schema. */
function isBehind(app: SchemaSource, row: CollectionRow): boolean {
  const schema = schemaOf(app, row);
  return !row.isDeleting && schema !== undefined && schema.rev !== row.indexedRev;
}

function schemaOf(app: SchemaSource, row: CollectionRow): FlatSchema | undefined {
  try {
    const { schema } = JSON.parse(row.settings) as JsonObject;
    return typeof schema === "string" ? findFlatSchema(app, schema) : undefined;
  } catch {
    return undefined;
  }
}
