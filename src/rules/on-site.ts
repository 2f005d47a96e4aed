// Whether templates may read a collection. The collection decides, not the right to edit templates. Pure.

import type { CollectionConfig } from "#contract/collections.ts";

/** They hold secrets of the service, code, or people. No setting opens them. */
const neverOnSite: ReadonlySet<string> = new Set(["auth", "automations", "dataviews", "mailer", "mcp-prompt"]);

type Settings = Pick<CollectionConfig, "schema" | "publicOperations" | "url" | "onSite">;

export function mayBeOnSite(id: string, { schema }: Pick<Settings, "schema">): boolean {
  return !neverOnSite.has(id) && !neverOnSite.has(schema);
}

export function isOnSite({ id, settings }: { id: string; settings: Settings }): boolean {
  return mayBeOnSite(id, settings) && (settings.onSite ?? isOnSiteByDefault(settings));
}

/** Where the setting is left out. */
export function isOnSiteByDefault({ publicOperations, url }: Pick<Settings, "publicOperations" | "url">): boolean {
  return publicOperations.includes("read") || url !== "";
}
