// Which collections sync and jumpstart carry: the five whose objects are features of the site, and those that never leave.

import { isLimitedKey } from "#access/actor.ts";
import type { Context } from "#context.ts";

/** The flag of each feature collection, as the command line and the export have it. */
export const featureCollections = {
  pages: "builder-pages",
  dataviews: "dataviews",
  mailer: "mailer",
  "mcp-prompts": "mcp-prompt",
  automations: "automations",
} as const;

export type Feature = keyof typeof featureCollections;
export const features = Object.keys(featureCollections) as Feature[];

const featureIds: ReadonlySet<string> = new Set(Object.values(featureCollections));
const mediaIds: ReadonlySet<string> = new Set(["image", "gallery", "file", "depot"]);

/** Users are never carried. */
const usersId = "auth";
/** A scratchpad of each installation. */
const playgroundId = "playground";

function isFeature(collection: string): boolean {
  return featureIds.has(collection);
}

/** Whether the settings of a collection are carried. `isNamed`: they were asked for by name. */
export function carriesSettings(collection: string, isNamed: boolean): boolean {
  if (collection === usersId || collection === playgroundId) return false;
  return isNamed || !mediaIds.has(collection);
}

/** Why the objects of a collection cannot be seeded; undefined when they can. */
export function seedingRefusal(collection: string): string | undefined {
  if (collection === usersId) return "The users are never carried";
  if (isFeature(collection)) return `Objects of ${collection} are carried by sync alone, not by seeding`;
  if (mediaIds.has(collection) || collection === playgroundId) return `Objects of ${collection} cannot be seeded`;
  return undefined;
}

/** Why an import does not take objects of a collection; undefined when it does. */
export function objectsRefusal(
  { actor }: Pick<Context, "actor">,
  mode: "upsert" | "skip-existing" | "overwrite",
  collection: string,
): string | undefined {
  if (mode === "upsert") return isFeature(collection) ? undefined : `Objects of ${collection} are not carried by sync`;
  // Users, the command line and unlimited keys may import a whole site. A key for seeding imports content only.
  const isForAll = actor.kind !== "token" && !isLimitedKey(actor);
  return isForAll && collection !== usersId ? undefined : seedingRefusal(collection);
}
