// The short way to images that are asked for all the time: by address, at once, or not at all.
// Only for what everybody may see, and only as long as nothing has changed that this was decided by.

import { hasWatermarks } from "#access/edition.ts";
import { createLru } from "#base/caches/lru.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import type { App } from "#context.ts";
import { type DerivedImage, findHotImage, type ImageCache, type WantedImage } from "#files/image-cache.ts";
import type { VersionScope } from "#storage/port.ts";
import type { ImageSettings } from "./image-parameters.ts";

const keptPlans = 10_000;

/** What must be the same again; to be read before anything is decided. */
export interface CacheKeyState {
  collection: Collection | undefined;
  /** Its objects, and how they stood. */
  scope: VersionScope;
  version: number;
  settings: ImageSettings;
  /** The edition's word on watermarks. */
  canMark: boolean;
}

interface CachedPlan<T> {
  basis: CacheKeyState;
  wanted: WantedImage;
  facts: T;
}

const plansOf = perInstance((_cache: ImageCache) => createLru<CachedPlan<unknown>>(keptPlans));

export async function basisOf(app: App, collectionId: string): Promise<CacheKeyState> {
  const scope: VersionScope = `objects:${collectionId}`;
  const version = app.storage.version(scope);
  const collection = await findCollection(app, collectionId);
  return { collection, scope, version, settings: imageSettings(app), canMark: hasWatermarks(app) };
}

export function imageSettings({ settings }: Pick<App, "settings">): ImageSettings {
  return { defaults: settings.get("imageworks.defaults"), presets: settings.get("imageworks.presets") };
}

export function keepPlan<T>({ imageCache }: App, url: string, plan: CachedPlan<T>): void {
  plansOf(imageCache).set(url, plan);
}

export function findReady<T>(app: App, url: string): { image: DerivedImage; facts: T } | undefined {
  const plan = plansOf(app.imageCache).get(url) as CachedPlan<T> | undefined;
  if (!plan?.basis.collection || !isCurrent(app, plan.basis.collection, plan.basis)) return undefined;
  const image = findHotImage(app.imageCache, plan.wanted);
  return image && { image, facts: plan.facts };
}

/** A collection is another one as soon as its settings or its schema are. */
function isCurrent(app: App, collection: Collection, { scope, version, settings, canMark }: CacheKeyState): boolean {
  return (
    app.storage.version(scope) === version &&
    findCollection(app, collection.id) === collection &&
    app.settings.get("imageworks.defaults") === settings.defaults &&
    app.settings.get("imageworks.presets") === settings.presets &&
    hasWatermarks(app) === canMark
  );
}
