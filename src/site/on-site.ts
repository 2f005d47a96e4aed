// Whether templates may read a collection. The collection decides, not the right to edit templates. Pure.

import type { Collection } from "#content/collections/collection.ts";

/** They hold secrets of the service, code, or people. No setting opens them. */
const neverOnSite: ReadonlySet<string> = new Set(["auth", "automations", "dataviews", "mailer", "mcp-prompt"]);

export function isOnSite({ id, settings }: Pick<Collection, "id" | "settings">): boolean {
  if (neverOnSite.has(id) || neverOnSite.has(settings.schema)) return false;
  return settings.onSite ?? (settings.publicOperations.includes("read") || settings.url !== "");
}
