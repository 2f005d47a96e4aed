// Derived images: made once, cached on this machine, removed with their source.
// They are in `.cache/{source file name}/` beside the source; where the sources are elsewhere, under `.system/derived/`.
// Any of them may be deleted at any time and is made again. Rights are checked before this is called.

import { mkdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { Logger } from "pino";
import { createKindStore, type KindStore } from "#base/caches/kind-store.ts";
import { addStore, type CacheOwner } from "#base/caches/kinds.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { settleWithin } from "#base/settle-within.ts";
import type { ImagesReport } from "#contract/admin.ts";
import { type CacheIndex, createCacheIndex, findCacheFolders, listFiles } from "./image-cache-index.ts";
import type { ImageFormat, ImageMaker, ImageRecipe } from "./image-types.ts";
import { cacheFolder, checkKey } from "./keys.ts";
import { withLocalFile } from "./local-copies.ts";
import type { FileStore, Staging } from "./port.ts";
import { normaliseRecipe, recipeKey } from "./recipe-key.ts";

/** Results up to this size are answered from memory. */
const hotBytes = 262_144;
const hotTotal = 33_554_432;
/** The longest wait of a report. */
const countedMs = 1_000;
/** A result above this share of the whole cache is not stored. */
const keptShare = 0.25;

const imageMimes: Record<ImageFormat, string> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  avif: "image/avif",
  gif: "image/gif",
};

interface Parts {
  files: FileStore;
  staging: Staging;
  images: ImageMaker;
  dataDir: string;
  maxBytes(): number;
  log: Logger;
  /** The storage. */
  owner: CacheOwner;
}

export interface ImageCache extends Parts {
  /** The folder that keys are relative to. */
  root: string;
  hot: KindStore<HotImage>;
  index: CacheIndex;
  /** By path: concurrent requests for an image share one render. */
  running: Map<string, Flight>;
  /** Since the start, for metrics. */
  counters: { renders: number; hits: number; memoryHits: number };
}

interface Flight {
  image: Promise<DerivedImage>;
  order: Order;
}

interface Order {
  sourceKey: string;
  recipe: ImageRecipe;
  path: string;
  tag: string;
  /** Its source was cleared meanwhile: the result is answered, but not stored. */
  isDoomed: boolean;
}

export type DerivedImage = {
  size: number;
  /** Fit for a strong ETag. */
  tag: string;
  mime: string;
} & ({ bytes: Buffer; path?: undefined } | { path: string; bytes?: undefined });

export type HotImage = DerivedImage & { bytes: Buffer };

export function openImageCache(parts: Parts): ImageCache {
  const local = parts.files.localPath("any");
  const root = local === undefined ? join(parts.dataDir, ".system", "derived") : dirname(local);
  const index = createCacheIndex(root, parts.maxBytes);
  const counters = { renders: 0, hits: 0, memoryHits: 0 };
  const hot = createKindStore<HotImage>(parts.owner, { kind: cacheKinds.images, capacity: hotTotal });
  addStore(cacheKinds.images, parts.owner, {
    get entries() {
      return index.entries;
    },
    get bytes() {
      return index.bytes;
    },
    get memory() {
      return hot.size;
    },
    get capacity() {
      return parts.maxBytes();
    },
    get counts() {
      return { hits: counters.hits, misses: counters.renders, evictions: index.evictions };
    },
    get oldest() {
      return index.oldest;
    },
    follow: hot.generation,
    shrink: hot.shrink,
    // Files are removed once, by the process that clears them (clearImages).
    clear() {
      hot.clear();
      return 0;
    },
  });
  return { ...parts, root, index, hot, running: new Map(), counters };
}

export interface WantedImage {
  sourceKey: string;
  /** Moves with the source. */
  sourceTag: string;
  recipe: ImageRecipe;
}

/** Throws not-found when there is no such source. A path may be deleted before it is opened; call again then. */
export async function derivedImage(cache: ImageCache, wanted: WantedImage): Promise<DerivedImage> {
  const { sourceKey } = wanted;
  const { recipe, tag, path } = variantOf(cache, wanted);
  const ready = cache.hot.get(path) ?? cache.running.get(path)?.image;
  if (ready !== undefined) {
    countMemoryHit(cache);
    return ready;
  }
  const order: Order = { sourceKey, recipe, path, tag, isDoomed: false };
  const image = findOrMake(cache, order).finally(() => cache.running.delete(path));
  cache.running.set(path, { image, order });
  return image;
}

export function isInMemory(cache: ImageCache, wanted: WantedImage): boolean {
  return cache.hot.get(variantOf(cache, wanted).path) !== undefined;
}

/** Synchronous, when it is in memory. */
export function findHotImage(cache: ImageCache, wanted: WantedImage): HotImage | undefined {
  const image = cache.hot.get(variantOf(cache, wanted).path);
  if (image) countMemoryHit(cache);
  return image;
}

function countMemoryHit({ counters }: ImageCache): void {
  counters.hits += 1;
  counters.memoryHits += 1;
}

type Variant = Pick<Order, "recipe" | "tag" | "path">;

/** A repeated request does not wait for the digest again. */
const variants = new WeakMap<WantedImage, Variant>();

function variantOf(cache: ImageCache, wanted: WantedImage): Variant {
  const known = variants.get(wanted);
  if (known) return known;
  const recipe = normaliseRecipe(wanted.recipe);
  const tag = recipeKey(recipe, wanted.sourceTag);
  const path = join(variantsFolder(cache, wanted.sourceKey), `${tag}.${recipe.format}`);
  const variant = { recipe, tag, path };
  variants.set(wanted, variant);
  return variant;
}

async function findOrMake(cache: ImageCache, order: Order): Promise<DerivedImage> {
  const found = await findStored(cache, order);
  if (found) {
    cache.counters.hits += 1;
    return found;
  }
  cache.counters.renders += 1;
  const target = cache.staging.path(order.recipe.format);
  try {
    const { size } = await withLocalFile(cache, order.sourceKey, (source) =>
      cache.images.make(source, order.recipe, target),
    );
    const small = size <= hotBytes ? await readFile(target) : undefined;
    const isKept = size <= cache.maxBytes() * keptShare && !order.isDoomed && (await publish(cache, order, target));
    if (!isKept) return presentBytes(order, small ?? (await readFile(target)));
    await cache.index.add(order.path, size);
    // Not in memory yet: most sizes that are made are asked for once.
    return small ? presentBytes(order, small) : presentFile(order, size);
  } finally {
    await cache.staging.discard({ path: target });
  }
}

async function findStored(cache: ImageCache, order: Order): Promise<DerivedImage | undefined> {
  const stats = await stat(order.path).catch(() => undefined);
  if (!stats) return undefined;
  cache.index.touch(order.path);
  if (stats.size > hotBytes) return presentFile(order, stats.size);
  const bytes = await readFile(order.path).catch(() => undefined);
  return bytes && keepHot(cache, order, bytes);
}

/** False when it cannot be stored: its source's folder is gone, or the disk is full. */
async function publish({ files, log }: ImageCache, { path, sourceKey }: Order, target: string): Promise<boolean> {
  const folder = dirname(path);
  try {
    // Step by step, so that the folder of a deleted source is not created again.
    if (files.localPath(sourceKey) === undefined) await mkdir(folder, { recursive: true });
    await mkdir(dirname(folder)).catch(unlessThere);
    await mkdir(folder).catch(unlessThere);
    await rename(target, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") log.warn({ err: error }, "a derived image was not kept");
    return false;
  }
}

function keepHot(cache: ImageCache, order: Order, bytes: Buffer): HotImage {
  const image = presentBytes(order, bytes);
  if (!order.isDoomed) cache.hot.set(order.path, image, bytes.length);
  return image;
}

function presentBytes({ tag, recipe }: Order, bytes: Buffer): HotImage {
  return { tag, mime: imageMimes[recipe.format], size: bytes.length, bytes };
}

function presentFile({ tag, recipe, path }: Order, size: number): DerivedImage {
  return { tag, mime: imageMimes[recipe.format], size, path };
}

/** Removes the derived images of a file, or of everything below a prefix; empty: of all. The number of images. */
export async function clearImages(cache: ImageCache, prefix: string): Promise<number> {
  const own = prefix === "" ? [] : [variantsFolder(cache, prefix)];
  const folders = [...own];
  const below = prefix === "" ? cache.root : join(cache.root, ...checkKey(prefix));
  for (const [path, { order }] of cache.running) {
    if ([below, ...folders].some((folder) => path.startsWith(`${folder}/`))) order.isDoomed = true;
  }
  cache.hot.clear();
  for await (const folder of findCacheFolders(below)) folders.push(folder);
  let count = 0;
  for (const folder of folders) {
    count += (await listFiles(folder)).length;
    await rm(folder, { recursive: true, force: true });
    await prune(cache.root, dirname(folder));
  }
  for (const folder of [below, ...own]) cache.index.forget(folder);
  return count;
}

/** Waits only so long for files to be counted; `isCounting` says that the number of those on disk may still grow. */
export async function measureImages({ index, maxBytes }: ImageCache): Promise<Omit<ImagesReport, "byCollection">> {
  let isCounting = true;
  const counted = index.recount().then(() => {
    isCounting = false;
  });
  await settleWithin([counted], countedMs);
  return { files: index.entries, bytes: index.bytes, limit: maxBytes(), isCounting };
}

/** By the first part of their sources' keys, which names the collection. */
export function measureImagesBy({ index, root }: ImageCache): Map<string, { files: number; bytes: number }> {
  const sums = new Map<string, { files: number; bytes: number }>();
  for (const [path, size] of index.list()) {
    const collection = path.slice(root.length + 1).split(sep, 1)[0] as string;
    const sum = sums.get(collection) ?? { files: 0, bytes: 0 };
    sums.set(collection, { files: sum.files + 1, bytes: sum.bytes + size });
  }
  return sums;
}

/** Removes folders that have become empty, up to the collection's. */
async function prune(root: string, folder: string): Promise<void> {
  if (folder === root || dirname(folder) === root) return;
  const isGone = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (isGone) await prune(root, dirname(folder));
}

function variantsFolder({ root }: ImageCache, key: string): string {
  const place = join(root, ...checkKey(key));
  return join(dirname(place), cacheFolder, basename(place));
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
