// Collections: found by id in memory, listed, made, configured, deleted with all they hold.
// Rows are loaded once and kept until any collection changes; counters move with every object and are read each time.

import { setImmediate as yieldTurn } from "node:timers/promises";
import { allow, type Exposure, isAllowed, type Subject } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { react } from "#content/collection-hooks.ts";
import { removeAllFiles } from "#content/file-removal.ts";
import { withSchemasLock } from "#content/locks.ts";
import { checkTag, digest, type Precondition } from "#content/preconditions.ts";
import type { App, Context } from "#context.ts";
import {
  type CollectionConfig,
  type CollectionSettings,
  type CollectionSummary,
  type Operation,
  reservedCollections,
} from "#contract/collections.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { withLease } from "#jobs/leases.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { type Storage, UniqueViolation } from "#storage/port.ts";
import { dropIndexes } from "#storage/query/indexes.ts";
import {
  type CollectionRow,
  deleteCollectionRow,
  findCollectionRow,
  insertCollection,
  listCollectionRows,
  lockCollectionRow,
  markDeleting,
  updateCollectionSettings,
} from "#storage/tables/collections.ts";
import { deleteSomeObjects } from "#storage/tables/object-writes.ts";
import { checkCollectionId, fillSettings, isSameConfig, mergeSettings, stripDefaults } from "./collection-settings.ts";
import { allowOpenings, auditOpenings, findOpenings } from "./openings.ts";
import { type IndexProgress, reindexProgress, scheduleReindex } from "./reindex.ts";
import { type SavedQuery, savedQueriesOf } from "./saved-queries.ts";

export interface Collection {
  id: string;
  settings: CollectionConfig;
  schema: FlatSchema;
  /** A reserved collection that nobody has written to yet: it reads as empty. */
  isVirtual: boolean;
}

export type SettingsAnswer = CollectionSettings & { index: IndexProgress };

/** Their features rely on the shape of the objects. */
const boundToSchema = new Set(["auth", "builder-pages", "dataviews", "mailer", "mcp-prompt", "automations"]);

const deletedAtOnce = 100;

interface Loaded {
  version: number;
  configs: Map<string, CollectionConfig>;
  /** Made on demand; remade when the schema is another. */
  collections: Map<string, Collection>;
}

const loaded = new WeakMap<Storage, Loaded>();

/** At once when nothing has changed since the last call, else a promise: await works on both. */
export function findCollection(app: App, id: string): Collection | undefined | Promise<Collection | undefined> {
  const current = loadCurrent(app);
  return current instanceof Promise ? current.then((fresh) => lookUp(app, fresh, id)) : lookUp(app, current, id);
}

function loadCurrent(app: App): Loaded | Promise<Loaded> {
  const version = app.storage.version("collections");
  const known = loaded.get(app.storage);
  return known?.version === version ? known : load(app, version);
}

export async function getCollection(app: App, id: string): Promise<Collection> {
  return (await findCollection(app, id)) ?? noCollection(id);
}

async function load(app: App, version: number): Promise<Loaded> {
  const fresh: Loaded = { version, configs: new Map(), collections: new Map() };
  for (const row of await listCollectionRows(app.storage)) {
    const config = row.isDeleting ? undefined : readConfig(app, row);
    if (config) fresh.configs.set(row.id, config);
  }
  loaded.set(app.storage, fresh);
  return fresh;
}

function lookUp(app: App, { configs, collections }: Loaded, id: string): Collection | undefined {
  const known = collections.get(id);
  const stored = configs.get(id);
  const settings = stored ?? known?.settings ?? reservedConfig(id);
  if (!settings) return undefined;
  const schema = findFlatSchema(app, settings.schema);
  if (!schema) fail("unavailable", `The schema "${settings.schema}" of the collection "${id}" cannot be read.`);
  if (known?.schema === schema) return known;
  const collection = { id, settings, schema, isVirtual: stored === undefined };
  collections.set(id, collection);
  return collection;
}

function reservedConfig(id: string): CollectionConfig | undefined {
  return Object.hasOwn(reservedCollections, id)
    ? fillSettings({ id, schema: reservedCollections[id] as string })
    : undefined;
}

/** A damaged record costs only its own collection. */
function readConfig(app: App, row: CollectionRow): CollectionConfig | undefined {
  try {
    return fillSettings(JSON.parse(row.settings) as JsonObject);
  } catch (error) {
    app.log.error({ err: error, collection: row.id }, "collection skipped: its stored settings are damaged");
    return undefined;
  }
}

/** For a write: a reserved collection comes into being with it. */
export async function ensureCollection(ctx: Context, id: string): Promise<Collection> {
  const found = await getCollection(ctx, id);
  if (!found.isVirtual) return found;
  try {
    await insertNew(ctx, found.settings, found.schema);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    // Another writer has committed it this very moment, which the version may not tell of yet.
    loaded.delete(ctx.storage);
  }
  const made = await getCollection(ctx, id);
  return made.isVirtual ? beingDeleted(id) : made;
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

/** How far the collection is opened to MCP; closed when nobody has said. */
export function exposureOf(settings: CollectionConfig | undefined): Exposure {
  const access = settings?.mcp.access;
  return access === "public" || access === "authenticated" ? access : "admin";
}

/** All that this caller may do the operation in, by id. One whose schema cannot be read is left out. */
export async function listOpenCollections(ctx: Context, operation: Operation): Promise<Collection[]> {
  const current = await loadCurrent(ctx);
  const open: Collection[] = [];
  for (const [id, settings] of current.configs) {
    if (!isAllowed(ctx.actor, operation, subjectOf(ctx, id, settings))) continue;
    const collection = findFlatSchema(ctx, settings.schema) && lookUp(ctx, current, id);
    if (collection) open.push(collection);
  }
  return open.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Of all collections, for whoever asks: each is for those who may read its collection. */
export async function listSavedQueries(app: App): Promise<{ collection: string; query: SavedQuery }[]> {
  const { configs } = await loadCurrent(app);
  return [...configs].flatMap(([collection, { mcp }]) => savedQueriesOf(mcp).map((query) => ({ collection, query })));
}

export async function listCollections(ctx: Context): Promise<CollectionSummary[]> {
  const summaries: CollectionSummary[] = [];
  for (const row of await listCollectionRows(ctx.storage)) {
    const config = row.isDeleting ? undefined : readConfig(ctx, row);
    if (!config) continue;
    if (!isAllowed(ctx.actor, "read", subjectOf(ctx, row.id, config))) continue;
    const schema = `/schemas/${config.schema}`;
    summaries.push({ name: row.id, title: config.name, count: row.totalObjects, schema });
  }
  return summaries;
}

export async function getSettings(ctx: Context, id: string): Promise<SettingsAnswer> {
  allow(ctx, "read", { kind: "collections", collection: id });
  const row = await findCollectionRow(ctx.storage, id);
  if (!row) return presentVirtual(id);
  if (row.isDeleting) return noCollection(id);
  return presentSettings(ctx, row);
}

export async function createCollection(ctx: Context, body: Json): Promise<SettingsAnswer> {
  allow(ctx, "create", { kind: "collections" });
  const input = checkBody(body);
  const id = checkCollectionId(input.id);
  allow(ctx, "create", { kind: "collections", collection: id });
  const asked = input.schema ?? reservedCollections[id];
  if (asked === undefined) fail("invalid", "A collection needs a schema.", { schema: ["is required"] });
  const config = mergeSettings({ id, schema: asked }, { ...input, schema: asked });
  const openings = findOpenings(undefined, config);
  await allowOpenings(ctx, id, openings);
  try {
    await withSchemasLock(ctx, () => insertNew(ctx, config, checkSchema(config, finder(ctx))));
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    fail("exists", `The collection "${id}" exists already.`, { id: ["is taken"] });
  }
  auditOpenings(ctx, id, openings);
  return getSettings(ctx, id);
}

/** PUT: what is left out goes back to its default; the schema, which has none, stays. */
export function replaceSettings(
  ctx: Context,
  id: string,
  body: Json,
  { ifMatch }: Precondition = {},
): Promise<SettingsAnswer> {
  return changeSettings(ctx, id, { body, ifMatch, keep: ({ schema }) => ({ id, schema: schema as string }) });
}

/** PATCH: only the sent keys change, each as a whole. */
export function patchSettings(
  ctx: Context,
  id: string,
  body: Json,
  { ifMatch }: Precondition = {},
): Promise<SettingsAnswer> {
  return changeSettings(ctx, id, { body, ifMatch, keep: (stored) => stored });
}

interface SettingsChange extends Precondition {
  body: Json;
  /** What of the stored record the body is laid over. */
  keep(stored: JsonObject): JsonObject;
}

async function changeSettings(
  ctx: Context,
  id: string,
  { body, ifMatch, keep }: SettingsChange,
): Promise<SettingsAnswer> {
  allow(ctx, "update", { kind: "collections", collection: id });
  const input = checkBody(body);
  if (input.id !== undefined && input.id !== id) {
    fail("invalid", "The id of a collection cannot change.", { id: [`must be "${id}" or left out`] });
  }
  // A reserved collection is not made for somebody who expects another. Not by what is kept, which may be older than
  // what the caller has seen.
  if (ifMatch !== undefined && !(await findCollectionRow(ctx.storage, id)))
    checkConfigTag(ifMatch, reservedConfig(id) ?? noCollection(id));
  await ensureCollection(ctx, id);
  const change = () =>
    ctx.storage.write(async (tx) => {
      const row = await lockCollectionRow(tx, id);
      if (!row || row.isDeleting) return noCollection(id);
      const stored = JSON.parse(row.settings) as JsonObject;
      const before = fillSettings(stored);
      checkConfigTag(ifMatch, before);
      const after = mergeSettings(keep(stored), input);
      if (isSameConfig(before, after)) return undefined;
      const openings = findOpenings(before, after);
      await allowOpenings(ctx, id, openings);
      if (after.schema !== before.schema) checkSchema(after, finder(ctx));
      await updateCollectionSettings(tx, id, JSON.stringify(stripDefaults(after)), ctx.clock.iso());
      await react(ctx, tx, { type: "collection.updated", collection: id });
      return { hasNewSchema: after.schema !== before.schema, openings };
    });
  const { schema } = mergeSettings({ id, schema: "" }, input);
  const changed = schema === "" ? await change() : await withSchemasLock(ctx, change);
  if (changed) ctx.events.emit({ type: "collection.updated", collection: id });
  auditOpenings(ctx, id, changed?.openings ?? []);
  if (changed?.hasNewSchema) await scheduleReindex(ctx);
  return getSettings(ctx, id);
}

/** With everything in it. It vanishes at once; what it held goes in slices, also after a crash in between. */
export async function deleteCollection(
  ctx: Context,
  id: string,
  { confirm, ifMatch }: { confirm?: string | undefined } & Precondition = {},
): Promise<void> {
  allow(ctx, "delete", { kind: "collections", collection: id });
  await ctx.storage.write(async (tx) => {
    const row = await lockCollectionRow(tx, id);
    if (!row) return noCollection(id);
    checkConfigTag(ifMatch, row.isDeleting ? undefined : readConfig(ctx, row));
    if (row.totalObjects > 0 && id === "auth") fail("in-use", "The collection of the users cannot be deleted.");
    if (row.totalObjects > 0 && confirm !== id) {
      const message = `The collection "${id}" holds ${row.totalObjects} objects: add ?confirm=${id} to the address to delete them with it.`;
      fail("invalid", message, { confirm: [`must be "${id}"`] });
    }
    if (row.isDeleting) return;
    await markDeleting(tx, id);
    await react(ctx, tx, { type: "collection.deleted", collection: id });
  });
  await finishDeletion(ctx, id);
  ctx.events.emit({ type: "collection.deleted", collection: id });
}

/** At the start of a server: deletions that a crash has cut off. */
export function resumeDeletions(app: App): void {
  const resume = async () => {
    for (const row of await listCollectionRows(app.storage)) {
      if (row.isDeleting) await finishDeletion(app, row.id);
    }
  };
  resume().catch((error) => app.log.error({ err: error }, "a deletion is unfinished; it goes on at the next start"));
}

/** One at a time: who comes second must not take what a new collection of the same id has got meanwhile. */
function finishDeletion(app: App, id: string): Promise<void> {
  return withLease(app, `deletion ${id}`, async () => {
    if (!(await findCollectionRow(app.storage, id))?.isDeleting) return;
    while ((await app.storage.write((tx) => deleteSomeObjects(tx, id, deletedAtOnce))) === deletedAtOnce)
      await yieldTurn();
    await removeAllFiles(app, id);
    await dropIndexes(app.storage, id);
    await app.storage.write((tx) => deleteCollectionRow(tx, id));
  });
}

async function insertNew(ctx: Context, config: CollectionConfig, schema: FlatSchema): Promise<void> {
  const now = ctx.clock.iso();
  const settings = JSON.stringify(stripDefaults(config));
  const row = { id: config.id, settings, lastUpdated: now, updated: now, indexedRev: schema.rev };
  await ctx.storage.write(async (tx) => {
    await insertCollection(tx, row);
    await react(ctx, tx, { type: "collection.created", collection: config.id });
  });
  ctx.events.emit({ type: "collection.created", collection: config.id });
}

/** Strong. The first part names the configuration, the second what the service counts beside it. */
export function settingsTag({ count, totalObjects, lastUpdated, updated, index, ...config }: SettingsAnswer): string {
  const state = digest(JSON.stringify([count, totalObjects, lastUpdated, updated, index]));
  return `"${configDigest(config)}.${state}"`;
}

/** Objects that are written meanwhile keep nobody from configuring their collection. */
function checkConfigTag(ifMatch: string | undefined, config: CollectionConfig | undefined): void {
  if (ifMatch === undefined) return;
  checkTag(ifMatch.replaceAll(/\.[\w-]*"/g, '"'), ...(config ? [`"${configDigest(config)}"`] : []));
}

function configDigest(config: CollectionConfig): string {
  return digest(JSON.stringify(stripDefaults(config)));
}

type FindFlat = (id: string) => FlatSchema | undefined;

function finder(app: App): FindFlat {
  return (id) => findFlatSchema(app, id);
}

/** The schema that the settings name: it must be there, and be the one that the collection is bound to. */
export function checkSchema({ id, schema: schemaId }: CollectionConfig, find: FindFlat): FlatSchema {
  const bound = boundToSchema.has(id) ? reservedCollections[id] : schemaId;
  const problem =
    bound === schemaId ? `There is no schema "${schemaId}"` : `The collection "${id}" always has the schema "${bound}"`;
  const schema = bound === schemaId ? find(schemaId) : undefined;
  return schema ?? fail("invalid", `${problem}.`, { schema: [problem] });
}

function checkBody(body: Json): JsonObject {
  return isJsonObject(body) ? body : fail("invalid", "The settings of a collection are an object.");
}

function presentSettings(ctx: Context, row: CollectionRow): SettingsAnswer {
  const config = readConfig(ctx, row);
  if (!config) fail("unavailable", `The settings of the collection "${row.id}" are damaged.`);
  const { count, totalObjects, lastUpdated, updated } = row;
  return { ...config, count, totalObjects, lastUpdated, updated, index: reindexProgress(ctx, row) };
}

function presentVirtual(id: string): SettingsAnswer {
  const config = reservedConfig(id) ?? noCollection(id);
  const index: IndexProgress = { state: "ready", done: 0, total: 0 };
  return { ...config, count: 0, totalObjects: 0, lastUpdated: "", updated: "", index };
}

function noCollection(id: string): never {
  fail("not-found", `There is no collection "${id}".`);
}

function beingDeleted(id: string): never {
  fail("unavailable", `The collection "${id}" is being deleted. Try again in a moment.`);
}
