// Compares stored files with the values of objects: files that no value names, values without a file.
// The rows are the truth. What is younger than an hour may belong to an upload that runs now, and is left alone.
// Walks in flat memory; only one object's files are looked at together.

import { allow } from "#access/allow.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { placeOfLeft } from "#content/history/attic.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import type { App, Context } from "#context.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { isCached } from "#files/keys.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { filesIn, valueAt } from "#schemas/values/file-values.ts";
import { withFormerPlaces } from "#schemas/values/former-places.ts";
import { withPresentNames } from "#schemas/values/present-names.ts";
import { followPath } from "#schemas/values/walk.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { findStored, readSlice, type StoredObject } from "#storage/tables/object-batches.ts";
import { deleteAbandoned, listAbandoned } from "./chunk-sweep.ts";

export type FileProblem =
  | { kind: "orphan"; key: string; size: number; isRemoved: boolean; isKept?: true }
  | { kind: "missing"; key: string };

const hour = 3_600_000;
const sliceSize = 200;
const objectsAtOnce = 8;

/** With `fix`, orphans are taken away. Only collections that exist are looked at. */
export async function* checkFiles(ctx: Context, { fix }: { fix: boolean }): AsyncIterable<FileProblem> {
  allow(ctx, fix ? "delete" : "read", { kind: "collections" });
  for (const { id, isDeleting } of await listCollectionRows(ctx.storage)) {
    const collection = isDeleting ? undefined : await findCollection(ctx, id);
    if (!collection) continue;
    for await (const { modified: _, ...orphan } of findOrphans(ctx, collection, { fix })) yield orphan;
    yield* findMissing(ctx, collection);
  }
  for await (const { upload, size } of listAbandoned(ctx)) {
    if (fix) await deleteAbandoned(ctx, upload);
    yield { kind: "orphan", key: `.uploads/${upload}`, size, isRemoved: fix };
  }
}

export type Orphan = FileProblem & { kind: "orphan" } & { modified: number };

/** `pause` is awaited before each file is looked at. */
export async function* findOrphans(
  ctx: App,
  collection: Collection,
  { fix, pause }: { fix: boolean; pause?(): Promise<void> },
): AsyncIterable<Orphan> {
  const before = ctx.clock.now() - hour;
  let object: { id: string; isNamed: (path: string[]) => boolean } | undefined;
  for await (const { key, size, modified } of ctx.files.list(collection.id, { withCache: true })) {
    if (pause) await pause();
    const [, id = "", ...path] = key.split("/");
    // The files of an object follow each other, so its document is read once, and after its files.
    if (object?.id !== id) object = { id, isNamed: await judge(ctx, collection, id) };
    if (modified > before || object.isNamed(path)) continue;
    const orphan: Orphan = { kind: "orphan", key, size, modified, isRemoved: false };
    if (fix) await takeOrphan(ctx, collection, orphan);
    yield orphan;
  }
}

/** Into the attic, where the collection keeps files; else it is gone. A restore may have named it meanwhile: then it stays. */
export async function takeOrphan(ctx: App, collection: Collection, orphan: Orphan): Promise<void> {
  const { key, size, modified } = orphan;
  const [, id = "", ...path] = key.split("/");
  await withObjectFilesLock(ctx, { collection: collection.id, id }, async () => {
    if ((await judge(ctx, collection, id))(path)) return;
    const left = { collection, id, key: path.join("/"), size, modified };
    const at = isCached(key)
      ? undefined
      : await placeOfLeft(ctx, left, await findStored(ctx.storage, collection.id, id));
    if (at === undefined) await ctx.files.delete(key);
    else if (await ctx.files.attic.keep(key, at)) orphan.isKept = true;
    orphan.isRemoved = true;
  });
}

/** Derived images live as long as their object, and as the cache pleases. */
async function judge(ctx: App, { id: collection, schema }: Collection, id: string) {
  const row = await findStored(ctx.storage, collection, id);
  if (!row) return () => false;
  // Stored under another schema than this process knows: what its values name is not certain here.
  const document = row.schemaRev === schema.rev ? wholeOf(ctx, schema, row) : undefined;
  if (!document) return () => true;
  const named = filesIn(schema, document);
  return (path: string[]) =>
    isCached(path.join("/")) || named.has(path.join("/")) || isUnjudged(schema, document, path);
}

/**
 * Text refers to its files by links, which are not counted; values that the schema does not show are kept, with their files.
 * A property that holds files names all of them.
 */
function isUnjudged(schema: FlatSchema, document: JsonObject, path: string[]): boolean {
  const { property, path: followed } = followPath(schema, path);
  const shape = valueAt(document, followed.slice(0, -1));
  if (!property) return isJsonObject(shape) && Object.hasOwn(shape, followed.at(-1) as string);
  return shape !== undefined && !property.kind.isUploaded && !property.item;
}

async function* findMissing(ctx: Context, collection: Collection): AsyncIterable<FileProblem> {
  for (let after = ""; ; ) {
    const rows = await readSlice(ctx.storage, { collection: collection.id, after, limit: sliceSize });
    for (let at = 0; at < rows.length; at += objectsAtOnce) {
      const some = rows.slice(at, at + objectsAtOnce);
      const missing = await Promise.all(some.map((row) => missingOf(ctx, collection.schema, row)));
      for (const key of missing.flat()) yield { kind: "missing", key };
    }
    if (rows.length < sliceSize) return;
    after = rows.at(-1)?.id as string;
  }
}

async function missingOf(ctx: Context, schema: FlatSchema, row: StoredObject): Promise<string[]> {
  const document = wholeOf(ctx, schema, row);
  const named = document ? [...filesIn(schema, document).keys()].filter((key) => !key.endsWith("/")) : [];
  if (named.length === 0) return [];
  const there = new Set<string>();
  const prefix = `${row.collection}/${row.id}`;
  for await (const { key } of ctx.files.list(prefix)) there.add(key);
  const missing = named.map((key) => `${prefix}/${key}`).filter((key) => !there.has(key));
  // A change while this looked is no fault.
  const isSame = missing.length === 0 || (await findStored(ctx.storage, row.collection, row.id))?.rev === row.rev;
  return isSame ? missing : [];
}

/** With what the schema does not show now; by the present names of properties. */
function wholeOf(
  { log }: App,
  schema: FlatSchema,
  { collection, id, doc, attic }: StoredObject,
): JsonObject | undefined {
  try {
    const [hidden, shown] = [attic, doc].map((text) => withFormerPlaces(schema, JSON.parse(text) as JsonObject));
    return withPresentNames(schema, { ...hidden, ...withPresentNames(schema, shown as JsonObject) });
  } catch (error) {
    log.error({ err: error, collection, id }, "the files of an object were not checked: its stored text is damaged");
    return undefined;
  }
}
