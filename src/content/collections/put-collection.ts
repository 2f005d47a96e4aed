// The one way in which the row of a collection is written, by every door: created or changed, and announced, in the
// transaction of the caller. It checks no rights and no settings; callers have done so.

import { fail } from "#base/errors.ts";
import { react } from "#content/collection-hooks.ts";
import type { Context } from "#context.ts";
import type { CollectionConfig } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { unclaimed } from "#storage/claimed-writes.ts";
import type { Tx } from "#storage/port.ts";
import {
  type CollectionRow,
  type FormerCollection,
  findCollectionRow,
  insertCollection,
  lockCollectionRow,
  updateCollectionSettings,
} from "#storage/tables/collections.ts";
import type { Collection } from "./collection.ts";
import { forgetCollections, getCollection } from "./collection-cache.ts";
import { fillSettings, isSameConfig, stripDefaults } from "./collection-settings.ts";

export interface NewCollection {
  config: CollectionConfig;
  schema: FlatSchema;
  /** When the settings were last changed; now, where nothing else is given. */
  updated?: string | undefined;
  /** Of one that comes back. */
  former?: FormerCollection | undefined;
}

/** False when there is a collection of this id, also one that is being deleted. */
export async function insertCollectionIn(
  ctx: Context,
  tx: Tx,
  { config, schema, updated, former }: NewCollection,
): Promise<boolean> {
  const now = ctx.clock.iso();
  const settings = JSON.stringify(stripDefaults(config));
  const row = { id: config.id, settings, lastUpdated: now, updated: updated ?? now, indexedRev: schema.rev };
  if (!(await insertCollection(tx, row, former))) return false;
  await react(ctx, tx, { type: "collection.created", collection: config.id });
  return true;
}

export interface ChangedCollection {
  row: CollectionRow;
  before: CollectionConfig;
  after: CollectionConfig;
}

/** `change` gets the stored settings, under lock, and may fail(). Undefined: the settings stay what they are. */
export async function changeCollectionIn(
  ctx: Context,
  tx: Tx,
  id: string,
  {
    change,
    updated,
    onMissing,
  }: {
    change(stored: JsonObject, before: CollectionConfig): CollectionConfig | Promise<CollectionConfig>;
    updated?: string | undefined;
    onMissing(id: string): never;
  },
): Promise<ChangedCollection | undefined> {
  const row = await lockCollectionRow(tx, id);
  if (!row || row.isDeleting) return onMissing(id);
  const stored = JSON.parse(row.settings) as JsonObject;
  const before = fillSettings(stored);
  const after = await change(stored, before);
  if (isSameConfig(before, after)) return undefined;
  await updateCollectionSettings(tx, id, JSON.stringify(stripDefaults(after)), updated ?? ctx.clock.iso());
  for (const rule of ctx.rules.of(id)) await rule.followSettings?.(ctx, tx, { before, after });
  await react(ctx, tx, { type: "collection.updated", collection: id });
  return { row, before, after };
}

/** Creates the collection, or gives the existing one these settings; `isOnlyEnsured`: the existing one keeps its own. */
export async function putCollectionIn(
  ctx: Context,
  tx: Tx,
  { isOnlyEnsured, ...collection }: NewCollection & { isOnlyEnsured?: boolean },
): Promise<{ done: "created" | "unchanged" } | ({ done: "updated" } & ChangedCollection)> {
  if (await ensureCollectionIn(ctx, tx, collection)) return { done: "created" };
  const { config, updated } = collection;
  const change = (_stored: JsonObject, before: CollectionConfig) => (isOnlyEnsured ? before : config);
  const changed = await changeCollectionIn(ctx, tx, config.id, { change, updated, onMissing: beingDeleted });
  return changed ? { done: "updated", ...changed } : { done: "unchanged" };
}

/** True when it has created the collection. Locks nothing: callers that change objects lock those first (decision 018). */
export async function ensureCollectionIn(ctx: Context, tx: Tx, collection: NewCollection): Promise<boolean> {
  if (await findCollectionRow(tx, collection.config.id)) return false;
  return insertCollectionIn(ctx, tx, collection);
}

/** For a write: a reserved collection is created with it. */
export async function ensureCollection(ctx: Context, id: string): Promise<Collection> {
  const found = await getCollection(ctx, id);
  if (!found.isVirtual) return found;
  const { settings: config, schema } = found;
  const isNew = await unclaimed(() => ctx.storage.write((tx) => insertCollectionIn(ctx, tx, { config, schema })));
  // Another writer has just committed it, and the notice of that may not have come yet.
  if (!isNew) forgetCollections(ctx);
  const made = await getCollection(ctx, id);
  return made.isVirtual ? beingDeleted(id) : made;
}

export function beingDeleted(id: string): never {
  fail("unavailable", `The collection "${id}" is being deleted. Try again in a moment.`);
}
