// Collections found by id, in memory. Rows are loaded once and kept until any collection changes. Counters are not kept:
// every write of an object changes them.

import { isAllowed } from "#access/allow.ts";
import type { Exposure, Subject } from "#access/subject.ts";
import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import { fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import type { App, Context } from "#context.ts";
import { type CollectionConfig, type Operation, reservedCollections } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { type OwnNumbers, readNumbers } from "#storage/log/own-numbers.ts";
import type { Storage } from "#storage/port.ts";
import { type CollectionRow, listCollectionRows } from "#storage/tables/collections.ts";
import type { Collection } from "./collection.ts";
import { fillSettings } from "./collection-settings.ts";
import { followKinds } from "./follow-kinds.ts";
import { type SavedQuery, savedQueriesOf } from "./saved-queries.ts";

interface Loaded {
  configs: Map<string, CollectionConfig>;
  /** The schema revision that all objects of a collection are stored under. */
  revs: Map<string, string>;
  numbers: Map<string, OwnNumbers | undefined>;
  /** Made on demand, and again when the schema has changed. */
  collections: Map<string, Collection>;
}

const loaded = createVersionedValue<Storage, Loaded>((storage) => storage.version("collections"));

/** At once when nothing has changed since the last call, else a promise: await works on both. */
export function findCollection(app: App, id: string): Collection | undefined | Promise<Collection | undefined> {
  const current = loadCurrent(app);
  return current instanceof Promise ? current.then((fresh) => lookUp(app, fresh, id)) : lookUp(app, current, id);
}

export async function getCollection(app: App, id: string): Promise<Collection> {
  return (await findCollection(app, id)) ?? noCollection(id);
}

/** The next call reads the rows again, although no notice of a change has come. */
export function forgetCollections({ storage }: Pick<App, "storage">): void {
  loaded.forget(storage);
}

function loadCurrent(app: App): Loaded | Promise<Loaded> {
  const followed = followKinds(app);
  const current = loaded.get(app.storage, () => load(app));
  // Both at once: one that fails while the other is waited for would end the process.
  return followed === undefined ? current : Promise.all([current, followed]).then(([fresh]) => fresh);
}

async function load(app: App): Promise<Loaded> {
  const fresh: Loaded = { configs: new Map(), revs: new Map(), numbers: new Map(), collections: new Map() };
  for (const row of await listCollectionRows(app.storage)) {
    const config = row.isDeleting ? undefined : readConfig(app, row);
    if (!config) continue;
    fresh.configs.set(row.id, config);
    fresh.revs.set(row.id, row.indexedRev);
    fresh.numbers.set(row.id, readNumbers(row.numbers));
  }
  return fresh;
}

function lookUp(app: App, { configs, revs, numbers, collections }: Loaded, id: string): Collection | undefined {
  const known = collections.get(id);
  const stored = configs.get(id);
  const settings = stored ?? known?.settings ?? reservedConfig(id);
  if (!settings) return undefined;
  const found = findFlatSchema(app, settings.schema);
  if (!found) fail("unavailable", `The schema "${settings.schema}" of the collection "${id}" cannot be read.`);
  const schema = found.hasFormer && revs.has(id) && revs.get(id) !== found.rev ? moving(found) : found;
  if (known?.schema === schema) return known;
  const isVirtual = stored === undefined;
  const collection = { id, settings, schema, isVirtual, numbers: isVirtual ? [] : numbers.get(id) };
  collections.set(id, collection);
  return collection;
}

/** While objects are moved from former names of properties to the present ones. */
const moving = perInstance((schema: FlatSchema): FlatSchema => ({ ...schema, isMoving: true }));

export function reservedConfig(id: string): CollectionConfig | undefined {
  return Object.hasOwn(reservedCollections, id)
    ? fillSettings({ id, schema: reservedCollections[id] as string })
    : undefined;
}

/** A damaged record costs only its own collection. */
export function readConfig(app: Pick<App, "log">, row: CollectionRow): CollectionConfig | undefined {
  try {
    return fillSettings(JSON.parse(row.settings) as JsonObject);
  } catch (error) {
    app.log.error({ err: error, collection: row.id }, "collection skipped: its stored settings are damaged");
    return undefined;
  }
}

/** The objects of a collection, as this caller's door shows them. */
export function subjectOf(
  { surface }: Pick<Context, "surface">,
  id: string,
  settings: CollectionConfig | undefined,
  objectId?: string,
): Subject {
  return {
    kind: "objects",
    collection: id,
    publicOperations: settings?.publicOperations ?? [],
    id: objectId,
    exposure: surface === "mcp" ? exposureOf(settings) : undefined,
  };
}

/** How far the collection is opened to MCP; administrators only by default. */
export function exposureOf(settings: CollectionConfig | undefined): Exposure {
  const access = settings?.mcp.access;
  return access === "public" || access === "authenticated" ? access : "admin";
}

/** The settings of all collections that this caller may do the operation in. */
export async function listOpenConfigs(ctx: Context, operation: Operation): Promise<CollectionConfig[]> {
  return openConfigs(ctx, operation, await loadCurrent(ctx));
}

function openConfigs(ctx: Context, operation: Operation, { configs }: Loaded): CollectionConfig[] {
  return [...configs.values()].filter((settings) =>
    isAllowed(ctx.actor, operation, subjectOf(ctx, settings.id, settings)),
  );
}

/** All that this caller may do the operation in, by id. A collection whose schema cannot be read is left out. */
export async function listOpenCollections(ctx: Context, operation: Operation): Promise<Collection[]> {
  const current = await loadCurrent(ctx);
  const open: Collection[] = [];
  for (const { id, schema } of openConfigs(ctx, operation, current)) {
    const collection = findFlatSchema(ctx, schema) && lookUp(ctx, current, id);
    if (collection) open.push(collection);
  }
  return open.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Of all collections. The caller checks rights for each. */
export async function listSavedQueries(app: App): Promise<{ collection: string; query: SavedQuery }[]> {
  const { configs } = await loadCurrent(app);
  return [...configs].flatMap(([collection, { mcp }]) => savedQueriesOf(mcp).map((query) => ({ collection, query })));
}

export function noCollection(id: string): never {
  fail("not-found", `There is no collection "${id}".`);
}
