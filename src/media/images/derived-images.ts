// Derived images as a whole: made ahead of time, and thrown away.

import { system } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { fail } from "#base/errors.ts";
import { getCollection } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import { type App, type Context, contextFor } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { clearImages } from "#files/image-cache.ts";
import type { ImageFormat } from "#files/image-types.ts";
import type { Job, JobRun } from "#jobs/job.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import { extensionOf } from "#schemas/values/file-values.ts";
import { type FileEntry, listEntries, resolvePlace } from "#schemas/values/resolve-file.ts";
import { putClearing } from "#storage/tables/caches/clearings.ts";
import { readCounters } from "#storage/tables/collections.ts";
import { readSlice, type StoredObject } from "#storage/tables/object-batches.ts";
import { withFieldMark } from "./image-marks.ts";
import { findFormat, type ImageParameters, readParameters } from "./image-parameters.ts";
import { imageSettings } from "./image-plan-cache.ts";
import { deriveImage } from "./imageworks.ts";

const batchSize = 50;

export interface Warmed {
  /** Derived images that are there now. */
  images: number;
  /** Keys of stored images that none could be made from. */
  failed: string[];
}

/** Which images, and what is made of them. */
export interface Warming {
  collection: string;
  property: string;
  preset: string;
}

const warmKind = "images.warm";

/** One that was cut off or failed can be queued again; what is there already costs nothing. */
export function handleWarming(app: App): void {
  app.jobs.handle(warmKind, handler, { cancels: "running" });

  async function handler({ payload }: Job, { progress, cancelled }: JobRun): Promise<Json> {
    const warmed = await warmAll(contextFor(app, system), payload as unknown as Warming, (objects, total) => {
      progress(objects, total);
      cancelled.throwIfAborted();
    });
    return { ...warmed };
  }
}

/** Makes a preset of every image of a property ahead of requests. Reports how many objects are done. */
export async function warmImages(
  ctx: Context,
  warming: Warming,
  report: (objects: number, total: number) => void,
): Promise<Warmed> {
  const { collection, property } = warming;
  await openImages(ctx, warming);
  const job = { kind: warmKind, subject: `${collection}/${property}`, payload: { ...warming } };
  const { status, result, thrown } = await ctx.jobs.run(job, async (_job, { progress, cancelled }) => {
    const warmed = await warmAll(ctx, warming, (objects, total) => {
      progress(objects, total);
      report(objects, total);
      cancelled.throwIfAborted();
    });
    return { ...warmed };
  });
  if (status === "failed") throw thrown;
  return result as unknown as Warmed;
}

async function openImages(ctx: Context, { collection: id, property: name, preset }: Warming) {
  const collection = await openCollection(ctx, "update", id);
  const property = collection.schema.properties.get(name);
  if (property?.kind.type !== "image" && property?.kind.type !== "gallery") {
    fail("not-found", `There is no property "${name}" with images in the collection "${id}".`);
  }
  return { collection, property, asked: readParameters({ p: preset }, imageSettings(ctx)) };
}

async function warmAll(
  ctx: Context,
  warming: Warming,
  report: (objects: number, total: number) => void,
): Promise<Warmed> {
  const { collection, property, asked } = await openImages(ctx, warming);
  const total = (await readCounters(ctx.storage, collection.id))?.totalObjects ?? 0;
  const warmed: Warmed = { images: 0, failed: [] };
  let objects = 0;
  for await (const rows of slicesOf(ctx, collection.id)) {
    for (const row of rows) {
      const place = resolvePlace(collection.schema, storedDocument(ctx, collection.schema, row), [warming.property]);
      const settings = fieldSettings(collection.settings, row.id, property);
      for (const entry of place ? listEntries(place) : []) {
        const parameters = withFieldMark(ctx, asked, { image: entry.value, settings });
        await warm(ctx, { entry, parameters, owner: row }, warmed);
      }
      objects += 1;
      report(objects, total);
    }
  }
  return warmed;
}

/** An image may take long: nothing is held open meanwhile. */
async function* slicesOf({ storage }: Context, collection: string): AsyncIterable<StoredObject[]> {
  for (let after = ""; ; ) {
    const rows = await readSlice(storage, { collection, after, limit: batchSize });
    yield rows;
    if (rows.length < batchSize) return;
    after = rows.at(-1)?.id as string;
  }
}

async function warm(
  ctx: Context,
  {
    entry,
    parameters,
    owner,
  }: { entry: FileEntry; parameters: ImageParameters; owner: { collection: string; id: string } },
  warmed: Warmed,
): Promise<void> {
  const key = [owner.collection, owner.id, ...entry.stored].join("/");
  for (const format of formatsOf(parameters, entry)) {
    try {
      await deriveImage(ctx, { key, entry }, parameters, format);
      warmed.images += 1;
    } catch (error) {
      ctx.log.warn({ err: error, key }, "an image could not be made");
      warmed.failed.push(key);
    }
  }
}

/** Those that a browser of today would get. */
function formatsOf({ format }: ImageParameters, { value }: FileEntry): ImageFormat[] {
  if (format === "auto") return ["avif", "webp"];
  return [format ?? findFormat(extensionOf(value.name)) ?? "jpg"];
}

/** The number of images. */
export async function clearAllImages(ctx: Context): Promise<number> {
  allow(ctx, "delete", { kind: "util", util: "cache" });
  const deleted = await clearImages(ctx.imageCache, "");
  await forgetImages(ctx);
  return deleted;
}

/** Other processes have small ones in memory. */
async function forgetImages({ storage }: Context): Promise<void> {
  await storage.write((tx) => putClearing(tx, cacheKinds.images.scope));
}

export async function clearCollectionImages(
  ctx: Context,
  collection: unknown,
): Promise<{ deleted: number; collection: string }> {
  allow(ctx, "delete", { kind: "util", util: "cache" });
  if (typeof collection !== "string") {
    return fail("invalid", "Say which collection.", { collection: ["must be the id of a collection"] });
  }
  await getCollection(ctx, collection);
  const deleted = await clearImages(ctx.imageCache, collection);
  await forgetImages(ctx);
  return { deleted, collection };
}
