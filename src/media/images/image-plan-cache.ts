// The short way to images that are asked for all the time: by address, at once, or not at all.
// Only for what everybody may see, and only as long as nothing has changed that this was decided by.

import { hasWatermarks } from "#access/edition.ts";
import { createLru } from "#base/caches/lru.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import type { App } from "#context.ts";
import { findHotImage, type HotImage, type ImageCache, isInMemory, type WantedImage } from "#files/image-cache.ts";
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

interface KeptPlan<T> extends CachedPlan<T> {
  /** As they stood when the basis was last found to be the same. */
  versions: Versions;
}

interface Versions {
  storage: number | undefined;
  schemaFiles: number;
}

const noVersions: Versions = { storage: undefined, schemaFiles: 0 };

const plansOf = perInstance((_cache: ImageCache) => createLru<KeptPlan<object>>(keptPlans));

export async function basisOf(app: App, collectionId: string): Promise<CacheKeyState> {
  const scope: VersionScope = `objects:${collectionId}`;
  const version = app.storage.version(scope);
  const collection = await findCollection(app, collectionId);
  return { collection, scope, version, settings: imageSettings(app), canMark: hasWatermarks(app) };
}

export function imageSettings({ settings }: Pick<App, "settings">): ImageSettings {
  return { defaults: settings.get("imageworks.defaults"), presets: settings.get("imageworks.presets") };
}

/** Only for an image in memory: most sizes are asked for once. */
export function keepPlan<T extends object>({ imageCache }: App, url: string, plan: CachedPlan<T>): void {
  if (isInMemory(imageCache, plan.wanted)) plansOf(imageCache).set(url, { ...plan, versions: noVersions });
}

/** The facts are the same object for as long as the plan is kept. */
export function findReady<T extends object>(app: App, url: string): { image: HotImage; facts: T } | undefined {
  const plan = plansOf(app.imageCache).get(url) as KeptPlan<T> | undefined;
  if (!plan || !isCurrent(app, plan)) return undefined;
  const image = findHotImage(app.imageCache, plan.wanted);
  return image && { image, facts: plan.facts };
}

function isCurrent(app: App, plan: KeptPlan<object>): boolean {
  return isSameContent(app, plan) && isSameSettings(app, plan.basis);
}

/** While no version has moved at all, those that matter have not. */
function isSameContent(app: App, plan: KeptPlan<object>): boolean {
  const { storage, schemaFiles } = app;
  const now = storage.anyVersion?.();
  const { versions, basis } = plan;
  if (now !== undefined && versions.storage === now && versions.schemaFiles === schemaFiles.version) return true;
  const { collection, scope, version } = basis;
  // A collection is another one as soon as its settings or its schema are.
  if (!collection || storage.version(scope) !== version) return false;
  const present = findCollection(app, collection.id);
  // Nobody waits for this load. The next request loads the collection again, and reports a failure.
  if (present instanceof Promise) present.catch(() => {});
  if (present !== collection) return false;
  plan.versions = { storage: now, schemaFiles: schemaFiles.version };
  return true;
}

function isSameSettings(app: App, { settings, canMark }: CacheKeyState): boolean {
  return (
    app.settings.get("imageworks.defaults") === settings.defaults &&
    app.settings.get("imageworks.presets") === settings.presets &&
    hasWatermarks(app) === canMark
  );
}
