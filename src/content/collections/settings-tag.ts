// ETags of collection settings, and the check of If-Match against them.

import { checkTag, digest } from "#content/preconditions.ts";
import type { CollectionConfig, CollectionSettings } from "#contract/collections.ts";
import { stripDefaults } from "./collection-settings.ts";
import type { IndexProgress } from "./reindex.ts";

export type SettingsAnswer = CollectionSettings & { index: IndexProgress };

/** Strong. The first part names the configuration, the second the counters and times beside it. */
export function settingsTag({ count, totalObjects, lastUpdated, updated, index, ...config }: SettingsAnswer): string {
  const state = digest(JSON.stringify([count, totalObjects, lastUpdated, updated, index]));
  return `"${configDigest(config)}.${state}"`;
}

/** Compares the configuration alone: objects that are written meanwhile do not block a change of the settings. */
export function checkConfigTag(ifMatch: string | undefined, config: CollectionConfig | undefined): void {
  if (ifMatch === undefined) return;
  checkTag(ifMatch.replaceAll(/\.[\w-]*"/g, '"'), ...(config ? [`"${configDigest(config)}"`] : []));
}

function configDigest(config: CollectionConfig): string {
  return digest(JSON.stringify(stripDefaults(config)));
}
