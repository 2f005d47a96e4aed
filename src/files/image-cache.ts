// Derived images: made once, kept on this machine, gone with their source.
// They lie in `.cache/{source file name}/` beside the source; where the sources lie elsewhere, under `.system/derived/`.
// Any of them may vanish at any time and is made again. Who may see an image is decided before this is asked.

import { mkdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createLru, type Lru } from "#base/lru.ts";
import { type CacheIndex, createCacheIndex, findCacheFolders, listFiles } from "./image-cache-index.ts";
import type { ImageFormat, ImageMaker, ImageRecipe } from "./image-types.ts";
import { cacheFolder, checkKey } from "./keys.ts";
import { withLocalFile } from "./local-copies.ts";
import type { FileStore, Staging } from "./port.ts";
import { normaliseRecipe, recipeKey } from "./recipe-key.ts";

/** Results up to this size are answered from memory. */
const hotBytes = 262_144;
const hotTotal = 33_554_432;
/** Larger than this share of the whole cache, a result is not kept. */
const keptShare = 0.25;

export const imageMimes: Record<ImageFormat, string> = {
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
}

export interface ImageCache extends Parts {
  hot: Lru<DerivedImage>;
  index: CacheIndex;
  /** By path: an image that is wanted by many is made by one. */
  running: Map<string, Running>;
  /** Since the start, for whoever watches. */
  counters: { renders: number; hits: number };
}

interface Running {
  image: Promise<DerivedImage>;
  /** Its source was cleared meanwhile: the result is answered, but not kept. */
  isDoomed: boolean;
}

export type DerivedImage = {
  size: number;
  /** Fit for a strong ETag. */
  tag: string;
  mime: string;
} & ({ bytes: Buffer; path?: undefined } | { path: string; bytes?: undefined });

export function openImageCache(parts: Parts): ImageCache {
  const isLocal = parts.files.localPath("any") !== undefined;
  return {
    ...parts,
    hot: createLru(hotTotal),
    index: createCacheIndex(isLocal ? parts.dataDir : derivedFolder(parts.dataDir), parts.maxBytes),
    running: new Map(),
    counters: { renders: 0, hits: 0 },
  };
}

export interface Wanted {
  sourceKey: string;
  sourceTag: string;
  recipe: ImageRecipe;
}

export async function derivedImage(cache: ImageCache, wanted: Wanted): Promise<DerivedImage> {
  const recipe = normaliseRecipe(wanted.recipe);
  const tag = recipeKey(recipe, wanted.sourceTag);
  const path = join(variantsFolder(cache, wanted.sourceKey), `${tag}.${recipe.format}`);
  const ready = cache.hot.get(path) ?? cache.running.get(path)?.image;
  if (ready) {
    cache.counters.hits += 1;
    return ready;
  }
  const running: Running = { isDoomed: false, image: Promise.reject() };
  running.image.catch(() => {});
  running.image = findOrMake();
  cache.running.set(path, running);
  try {
    return await running.image;
  } finally {
    cache.running.delete(path);
  }

  async function findOrMake(): Promise<DerivedImage> {
    const facts = { tag, mime: imageMimes[recipe.format] };
    const found = await read(path, facts);
    if (found) {
      cache.counters.hits += 1;
      cache.index.touch(path);
      return found.bytes ? keepHot(cache, path, found) : found;
    }
    cache.counters.renders += 1;
    const target = cache.staging.path(recipe.format);
    try {
      const { size } = await withLocalFile(cache, wanted.sourceKey, (source) =>
        cache.images.make(source, recipe, target),
      );
      const isKept = size <= cache.maxBytes() * keptShare && !running.isDoomed && (await publish(cache, target, path));
      const made = await read(isKept ? path : target, facts, !isKept);
      if (!made) throw new Error("a derived image vanished while it was made");
      if (isKept) await cache.index.add(path, size);
      return isKept && made.bytes ? keepHot(cache, path, made) : made;
    } finally {
      await cache.staging.discard({ path: target });
    }
  }
}

/** Removes the derived images of a file, or of everything below a prefix; empty: all. The number of files. */
export async function clearImages(cache: ImageCache, prefix: string): Promise<number> {
  const root = prefix === "" ? rootOf(cache) : placeOf(cache, prefix);
  const own = prefix === "" ? [] : [variantsFolder(cache, prefix)];
  for (const [path, running] of cache.running) {
    if ([root, ...own].some((folder) => path.startsWith(`${folder}/`))) running.isDoomed = true;
  }
  cache.hot.clear();
  let count = 0;
  for await (const folder of join_(own, findCacheFolders(root))) {
    count += (await listFiles(folder)).length;
    await rm(folder, { recursive: true, force: true });
    cache.index.forget(folder);
    await rmdir(dirname(folder)).catch(() => {});
  }
  return count;
}
