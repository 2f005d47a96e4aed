// Moves the files of renamed properties to the folders of their present names. The values say where each file lies
// (schemas/values/former-places.ts), so files are reached before, while and after they move: a file is copied, then the row names
// the copy, then the former one is removed. A crash leaves a copy that nothing names, or a former file that nothing names. The job
// follows when the objects of a collection are renewed, and goes on after a restart: what is moved says nothing any more.

import { inParallel } from "#base/in-parallel.ts";
import { type DroppedFile, type ObjectKey, removeFiles } from "#content/file-removal.ts";
import { hashOf, placeOfLeft } from "#content/history/attic.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { removeUnnamed } from "#content/objects/dropped-files.ts";
import type { App } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { enqueue } from "#jobs/enqueue.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { presentPath } from "#schemas/former-names.ts";
import { indexEntry } from "#schemas/index-entry.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { filesIn, formerPlace } from "#schemas/values/file-values.ts";
import type { Tx } from "#storage/port.ts";
import { findCollectionRow } from "#storage/tables/collections.ts";
import { addDownloads, listDownloadsOf, takeDownloads } from "#storage/tables/download-counts.ts";
import { firstPlace } from "#storage/tables/history/feed.ts";
import { findWalk, setWalk } from "#storage/tables/history/retention.ts";
import { countObjects, findStored, lockStored, readSlice, type StoredObject } from "#storage/tables/object-batches.ts";
import { rewriteObject } from "#storage/tables/object-writes.ts";
import type { Collection } from "./collection.ts";
import { findCollection } from "./collection-cache.ts";

const kind = "files.move";
const sliceSize = 50;
/** Of one object: on S3 each takes some requests. */
const copiedAtOnce = 8;
/** Somebody may change the object while its files are copied. */
const maxTries = 5;

export function handleMoves(app: App): void {
  app.jobs.handle(kind, (job, run) => runMoves(app, job, run), { concurrency: 1, keep: 1, retriesOnError: true });
}

/** After the objects of a collection follow a schema. */
export async function askMoves(tx: Tx, collection: string, schema: FlatSchema): Promise<void> {
  if (!schema.movesFiles || (await findWalk(tx, walkOf(collection)))?.rule === ruleOf(schema)) return;
  await enqueue(tx, { kind, key: `${kind}:${collection}`, subject: collection, payload: { collection } });
}

function walkOf(collection: string): string {
  return `files:${collection}`;
}

/** The renames that it has followed: the same ones need no second walk. */
function ruleOf(schema: FlatSchema): string {
  const renames = (shape: FlatSchema): unknown[] =>
    [...shape.properties.values()].flatMap(({ name, formerly, item }) =>
      formerly.length > 0 || item?.movesFiles ? [[name, formerly, item?.movesFiles ? renames(item) : []]] : [],
    );
  return JSON.stringify(renames(schema));
}

async function runMoves(app: App, job: Job, run: JobRun): Promise<JsonObject> {
  const { storage } = app;
  const { collection: id } = job.payload as { collection: string };
  const collection = await findCollection(app, id);
  // While objects are still renewed, this job is asked for again at the end of that.
  const isRenewed = await isAt(app, id, collection?.schema);
  if (!collection?.schema.movesFiles || !isRenewed) return { files: 0 };
  const total = await storage.view((view) => countObjects(view, id));
  let [done, files, left] = [0, 0, 0];
  for (let after = ""; ; ) {
    const rows = await readSlice(storage, { collection: id, after, limit: sliceSize });
    for (const row of rows) {
      run.signal.throwIfAborted();
      if (!mayLieElsewhere(row)) continue;
      const tried = await moveFiles(app, { collection: id, id: row.id });
      files += tried.moved;
      if (!tried.isDone) left += 1;
    }
    await moveCounts(app, collection.schema, rows);
    done += rows.length;
    run.progress(done, Math.max(done, total));
    if (rows.length < sliceSize) break;
    after = rows.at(-1)?.id as string;
  }
  const rule = ruleOf(collection.schema);
  if (left === 0 && (await isAt(app, id, collection.schema)))
    await storage.write((tx) => setWalk(tx, walkOf(id), { ...firstPlace, rule }));
  return { files };
}

/** Whether all objects of the collection are stored under this schema, and it is the present one. */
async function isAt(app: App, id: string, schema: FlatSchema | undefined): Promise<boolean> {
  const present = (await findCollection(app, id))?.schema.rev;
  return present === schema?.rev && (await findCollectionRow(app.storage, id))?.indexedRev === present;
}

function mayLieElsewhere({ doc }: Pick<StoredObject, "doc">): boolean {
  return doc.includes('"storedAs":"');
}

/** An object that cannot be moved keeps its files where they are. */
async function moveFiles(app: App, object: ObjectKey): Promise<Try> {
  try {
    return await withObjectFilesLock(app, object, async () => {
      let moved = 0;
      for (let tries = 0; tries < maxTries; tries += 1) {
        const tried = await tryToMove(app, object);
        moved += tried.moved;
        if (tried.isDone) return { moved, isDone: true };
      }
      return { moved, isDone: false };
    });
  } catch (error) {
    app.log.error({ err: error, ...object }, "files stay in the folder of the name that their property had before");
    return { moved: 0, isDone: false };
  }
}

interface Try {
  moved: number;
  /** Else the object has changed meanwhile, or the place of a file was that of another one, which has moved now. */
  isDone: boolean;
}

const done: Try = { moved: 0, isDone: true };

async function tryToMove(app: App, object: ObjectKey): Promise<Try> {
  const collection = await findCollection(app, object.collection);
  const row = await findStored(app.storage, object.collection, object.id);
  // Under another schema it is renewed first, and this job follows.
  if (!collection || row?.schemaRev !== collection.schema.rev) return done;
  const document = JSON.parse(row.doc) as JsonObject;
  const files = filesIn(collection.schema, document);
  const former = [...files].filter(([, { item }]) => formerPlace(item));
  if (former.length === 0) return done;
  const hidden = filesIn(collection.schema, JSON.parse(row.attic) as JsonObject);
  const isNamed = (key: string) => files.has(key) || hidden.has(key);
  const copies: DroppedFile[] = [];
  let isStored = false;
  try {
    await inParallel(former, copiedAtOnce, async ([key, { item, own }]) => {
      if (key !== own) {
        if (isNamed(own)) return;
        copies.push({ key: own });
        if (!(await copyFile(app, { collection, row }, key, own))) return;
      }
      delete item.storedAs;
    });
    isStored = await store(app, collection, row, document);
  } finally {
    if (!isStored) await removeUnnamed(app, object, copies);
  }
  if (!isStored) return { moved: 0, isDone: false };
  const kept = filesIn(collection.schema, document);
  const left = former.filter(([key]) => !kept.has(key)).map(([key]) => ({ key }));
  await removeFiles(app, object, left);
  return { moved: left.length, isDone: left.length === 0 || left.length === former.length };
}

/** False: there is no such file. What lies at its place and is named by nothing is taken away. */
async function copyFile(
  app: App,
  { collection, row }: { collection: Collection; row: StoredObject },
  from: string,
  to: string,
): Promise<boolean> {
  const whole = (key: string) => `${row.collection}/${row.id}/${key}`;
  const source = await app.files.find(whole(from));
  if (!source) return false;
  const there = await app.files.find(whole(to));
  if (there) {
    const isSame = there.size === source.size && (await hashOf(app, whole(from))) === (await hashOf(app, whole(to)));
    if (isSame) return true;
    const left = { collection, id: row.id, key: to, size: there.size, modified: there.modified };
    await removeFiles(app, row, [{ key: to, at: await placeOfLeft(app, left, row) }]);
  }
  await app.files.copy(whole(from), whole(to));
  return true;
}

/** The content is the same: neither the log nor the tag of the version notices. False: the object has changed. */
function store(app: App, { schema }: Collection, row: StoredObject, document: JsonObject): Promise<boolean> {
  return app.storage.write(async (tx) => {
    const [now] = await lockStored(tx, row.collection, [row.id]);
    if (now?.rid !== row.rid || now.rev !== row.rev || now.schemaRev !== row.schemaRev) return false;
    await rewriteObject(tx, now, {
      ...now,
      doc: JSON.stringify(document),
      secrets: JSON.parse(now.secrets),
      entry: indexEntry(schema, document),
    });
    return true;
  });
}

/** Counts of downloads go by the path of a file. */
async function moveCounts(app: App, schema: FlatSchema, rows: readonly StoredObject[]): Promise<void> {
  const present = (place: string) => presentPath(schema, place.split("/")).join("/");
  const rids = rows.map(({ rid }) => rid);
  const collections = new Map(rows.map(({ rid, collection }) => [rid, collection]));
  if (!(await listDownloadsOf(app.storage, rids)).some(({ place }) => present(place) !== place)) return;
  await app.storage.write(async (tx) => {
    for (const { rid, place } of await listDownloadsOf(tx, rids)) {
      if (present(place) === place) continue;
      const count = await takeDownloads(tx, rid, place);
      await addDownloads(tx, [{ rid, collection: collections.get(rid) ?? "", place: present(place), count }]);
    }
  });
}
