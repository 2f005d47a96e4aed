// New objects, built and stored inside a transaction. Where nothing in one depends on what is stored, it can be built before:
// what is wrong with it is found without holding up other writers, and storing many at once takes a quarter less time.

import { isStranger } from "#content/collections/open-collection.ts";
import { recordCreation } from "#content/history/record.ts";
import { checkReferences, checksReferences } from "#content/relations/check-references.ts";
import { noteNew } from "#content/relations/store-references.ts";
import { applyRules, dropServiceProperties } from "#content/write-rules.ts";
import type { JsonObject } from "#contract/json.ts";
import { buildDocument, proposeId } from "#schemas/build.ts";
import { htmlclean } from "#schemas/html/html-rules.ts";
import { indexEntry } from "#schemas/index-entry.ts";
import { addressImages } from "#schemas/values/file-values.ts";
import { type Tx, UniqueViolation } from "#storage/port.ts";
import { lockCounters } from "#storage/tables/collections.ts";
import type { NewObject, ObjectSecrets, ObjectWrite } from "#storage/tables/object-row.ts";
import { insertObjects } from "#storage/tables/object-writes.ts";
import { hasObject } from "#storage/tables/objects.ts";
import type { ObjectState } from "./change.ts";
import { chooseId, hasId, takenId } from "./choose-id.ts";
import { checkUnique, needsCollectionLock } from "./unique.ts";
import { type Counters, objectRow, sentTime, type WriteWork, type Written } from "./write-work.ts";

/** Ready to be stored. */
export interface BuiltObject extends ObjectState {
  write: ObjectWrite;
}

export interface NewIdentity {
  id: string;
  counter: number;
  /** The passwords of the object that it is a copy of, with all its files. */
  copied?: ObjectSecrets;
}

/** Before the transaction; undefined: what the object will be depends on what is stored. */
export function buildAhead(work: WriteWork, body: JsonObject): BuiltObject | undefined {
  const { schema, settings } = work.collection;
  if (!hasId(body) || settings.singleton || schema.isNumbered) return undefined;
  const { id } = proposeId(schema, body, { now: work.now, counter: 0 });
  return buildNew(work, body, { id, counter: 0 });
}

export function buildNew(work: WriteWork, body: JsonObject, { id, counter, copied }: NewIdentity): BuiltObject {
  const { ctx, collection, isTrusted, now, hashes } = work;
  const { schema } = collection;
  const input = { ...dropServiceProperties(ctx, collection.id, body, isTrusted), id };
  const { document, secrets } = buildDocument(schema, input, {
    now,
    created: sentTime(work, body, "created") ?? sentTime(work, body, "modified") ?? now,
    modified: sentTime(work, body, "modified") ?? now,
    isTrusted,
    counter,
    htmlclean: htmlclean(ctx),
    hashes,
    secrets: copied ?? {},
    files: copied ? input : {},
  });
  if (copied) addressImages(schema, document, { collection: collection.id, id });
  const write = { ...objectRow(collection, document, secrets), entry: indexEntry(schema, document) };
  return { document, secrets, write };
}

/** Whether a new object depends on the others of its collection, or on their number. */
export function needsCounters({ ctx, collection }: WriteWork): boolean {
  return collection.settings.singleton === true || needsCollectionLock(ctx, collection);
}

/**
 * Builds an object, unless that is done, and stores it, under the lock of its collection if it needs that. Fails when the id
 * that was sent is taken; throws UniqueViolation when another writer takes it at the same moment: then the transaction runs
 * again.
 */
export async function createObjectIn(work: WriteWork, tx: Tx, body: JsonObject, ahead?: BuiltObject): Promise<Written> {
  const { collection } = work;
  const counters = work.counters ?? (needsCounters(work) ? await lockCounters(tx, collection.id) : { ...uncounted });
  const locked = { ...work, counters };
  // Reported first: a create that is repeated would repeat all unique values too.
  if (ahead && (await hasObject(tx, work.collection.id, ahead.write.id))) throw takenId(ahead.write);
  const built = ahead ?? (await buildInTurn(locked, tx, body));
  const [written] = await storeBuilt(tx, [{ work: locked, built }]);
  if (!written) throw new UniqueViolation();
  return written;
}

/** Of no use to an object that does not depend on them. */
const uncounted: Counters = { count: 0, totalObjects: 0 };

async function buildInTurn(work: WriteWork & { counters: Counters }, tx: Tx, body: JsonObject): Promise<BuiltObject> {
  const { ctx, collection, now, counters } = work;
  const counter = counters.count + 1;
  const place = { now, counter, total: counters.totalObjects + 1, isByStranger: isStranger(ctx, collection.id) };
  const id = await chooseId(tx, collection, body, place);
  return buildNew(work, body, { id, counter });
}

export interface ToStore {
  work: WriteWork;
  built: BuiltObject;
}

/** Stores objects of one collection at once, also those of different callers; undefined where the id was taken. */
export async function storeBuilt(tx: Tx, objects: readonly ToStore[]): Promise<(Written | undefined)[]> {
  const rids = await insertAll(tx, objects);
  const noting =
    objects[0] &&
    noteNew(tx, objects[0].work.collection, () =>
      objects.flatMap(({ built }, at) => (rids[at] === undefined ? [] : [built.document])),
    );
  if (noting !== undefined) await noting;
  return objects.map(({ work, built }, at) => {
    const rid = rids[at];
    return rid === undefined ? undefined : newlyWritten(work, built, rid);
  });
}

async function insertAll(tx: Tx, objects: readonly ToStore[]): Promise<(number | undefined)[]> {
  const [first] = objects;
  if (!first) return [];
  const { ctx, collection } = first.work;
  if (checksReferences(collection.schema))
    for (const { work, built } of objects) await checkReferences(work, tx, built);
  if (!needsCollectionLock(ctx, collection)) {
    return insertObjects(
      tx,
      objects.map(({ work, built }) => newObject(work, built)),
    );
  }
  const rids: (number | undefined)[] = [];
  for (const { work, built } of objects) {
    const { document, secrets } = built;
    const { actor } = work.ctx;
    await checkUnique(work.ctx, tx, collection, document);
    await applyRules(ctx, tx, collection.id, { actor, after: { document, secrets }, now: work.now });
    rids.push(...(await insertObjects(tx, [newObject(work, built)])));
  }
  return rids;
}

function newObject(work: WriteWork, { write, document }: BuiltObject): NewObject {
  return { ...write, record: recordCreation(work, document) };
}

const nothing: readonly never[] = [];

function newlyWritten(work: WriteWork, { write }: BuiltObject, rid: number): Written {
  if (work.counters) {
    work.counters.count += 1;
    work.counters.totalObjects += 1;
  }
  const { id, doc } = write;
  return { work, done: "created", id, rid, rev: 1, text: doc, time: work.now, dropped: nothing, watched: nothing };
}
