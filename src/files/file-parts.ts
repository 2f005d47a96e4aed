// The parts of the app that deal with bytes, opened and closed together.

import type { Logger } from "pino";
import type { CacheOwner } from "#base/caches/kinds.ts";
import { type ImageCache, openImageCache } from "./image-cache.ts";
import type { ImageMaker } from "./image-types.ts";
import { openImages } from "./images/open-images.ts";
import { openFiles } from "./open-files.ts";
import type { FileStore, Staging } from "./port.ts";
import { openStaging } from "./staging.ts";

export interface FileParts {
  /** The stored files. */
  files: FileStore;
  /** Incoming bytes. */
  staging: Staging;
  images: ImageMaker;
  /** Derived images. */
  imageCache: ImageCache;
}

export interface FilePartsOptions {
  dataDir: string;
  filesUrl: string;
  log: Logger;
  maxPixels(): number;
  maxCacheBytes(): number;
  /** The storage: it counts when caches were cleared. */
  caches: CacheOwner;
}

export async function openFileParts(options: FilePartsOptions): Promise<FileParts> {
  const { dataDir, filesUrl, log, maxPixels, maxCacheBytes, caches } = options;
  const staging = await openStaging(dataDir);
  const files = await openFiles({ dataDir, filesUrl, log });
  const images = openImages({ log, maxPixels });
  const imageCache = openImageCache({ files, staging, images, dataDir, maxBytes: maxCacheBytes, log, owner: caches });
  return { files, staging, images, imageCache };
}

export async function closeFileParts({ files, staging, images }: FileParts): Promise<void> {
  await images.close();
  await files.close();
  await staging.close();
}
