// The operations on collections and their settings: list, get, create, replace, patch.

import { allow, isAllowed } from "#access/allow.ts";
import { type ErrorDetails, fail } from "#base/errors.ts";
import { allowedMode, checkHistoryMode } from "#content/history/mode.ts";
import { withSchemasLock } from "#content/locks.ts";
import type { Precondition } from "#content/preconditions.ts";
import type { App, Context } from "#context.ts";
import { type CollectionConfig, type CollectionSummary, reservedCollections } from "#contract/collections.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { correctionOf } from "#rules/near-names.ts";
import { findFlatSchema } from "#schemas/find-schema.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { type CollectionRow, findCollectionRow, listCollectionRows } from "#storage/tables/collections.ts";
import { noCollection, readConfig, reservedConfig, subjectOf } from "./collection-cache.ts";
import { checkCollectionId, historyOf, mergeSettings } from "./collection-settings.ts";
import { allowForms, checkFormSettings } from "./form-rights.ts";
import { allowOpenings, auditOpenings, findOpenings } from "./openings.ts";
import { changeCollectionIn, ensureCollection, insertCollectionIn } from "./put-collection.ts";
import { type IndexProgress, reindexProgress, scheduleReindex } from "./reindex.ts";
import { checkConfigTag, type SettingsAnswer } from "./settings-tag.ts";

/** Their features rely on the shape of the objects. */
const boundToSchema = new Set(["auth", "builder-pages", "dataviews", "mailer", "mcp-prompt", "automations"]);

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
  const base = { id, schema: asked, ...newHistory(ctx, id) };
  const config = mergeSettings(base, { ...input, schema: asked }, { known: {}, more: sortByProblems(ctx, asked) });
  checkHistoryMode(config);
  const openings = findOpenings(undefined, config);
  await allowOpenings(ctx, id, openings);
  allowForms(ctx, undefined, config);
  const isNew = await withSchemasLock(ctx, () => {
    const schema = checkSchema(config, finder(ctx));
    checkSortBy(config, schema);
    checkFormSettings(config, schema);
    return ctx.storage.write((tx) => insertCollectionIn(ctx, tx, { config, schema }));
  });
  if (!isNew) fail("exists", `The collection "${id}" exists already.`, { id: ["is taken"] });
  auditOpenings(ctx, id, openings);
  return getSettings(ctx, id);
}

/** What a new collection keeps of its changes, unless it says so itself. */
function newHistory({ settings }: Context, id: string): JsonObject {
  const mode = settings.get("history.new");
  return mode === "default" ? {} : { history: allowedMode(id, mode) };
}

/** PUT: keys that are left out return to their defaults. The schema has no default and stays, and so does the history. */
export function replaceSettings(
  ctx: Context,
  id: string,
  body: Json,
  { ifMatch }: Precondition = {},
): Promise<SettingsAnswer> {
  return changeSettings(ctx, id, {
    body,
    ifMatch,
    keep: ({ schema, ...stored }) => ({ id, schema: schema as string, ...historyOf(stored) }),
  });
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
  /** The part of the stored record that the body is laid over. */
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
  // Before a reserved collection is created, and against the row: the cache may be older than what the caller saw.
  if (ifMatch !== undefined && !(await findCollectionRow(ctx.storage, id)))
    checkConfigTag(ifMatch, reservedConfig(id) ?? noCollection(id));
  await ensureCollection(ctx, id);
  const changeStored = async (stored: JsonObject, before: CollectionConfig) => {
    checkConfigTag(ifMatch, before);
    const more = sortByProblems(ctx, input.schema ?? before.schema);
    const after = mergeSettings(keep(stored), input, { known: stored, more });
    checkHistoryMode(after, before);
    await allowOpenings(ctx, id, findOpenings(before, after));
    allowForms(ctx, before, after);
    if (after.schema !== before.schema) checkSchema(after, finder(ctx));
    if (after.sortBy !== before.sortBy) checkSortBy(after, findFlatSchema(ctx, after.schema));
    if (after.forms !== undefined) checkFormSettings(after, findFlatSchema(ctx, after.schema));
    return after;
  };
  const change = () =>
    ctx.storage.write((tx) => changeCollectionIn(ctx, tx, id, { change: changeStored, onMissing: noCollection }));
  const isSchemaNamed = input.schema !== undefined && input.schema !== null;
  const changed = isSchemaNamed ? await withSchemasLock(ctx, change) : await change();
  if (changed) {
    auditOpenings(ctx, id, findOpenings(changed.before, changed.after));
    if (changed.after.schema !== changed.before.schema) await scheduleReindex(ctx);
  }
  return getSettings(ctx, id);
}

type FindFlat = (id: string) => FlatSchema | undefined;

function finder(app: App): FindFlat {
  return (id) => findFlatSchema(app, id);
}

/** The schema that the settings name: it must exist, and be the one that the collection is bound to. */
export function checkSchema({ id, schema: schemaId }: CollectionConfig, find: FindFlat): FlatSchema {
  const bound = boundToSchema.has(id) ? reservedCollections[id] : schemaId;
  const problem =
    bound === schemaId ? `There is no schema "${schemaId}"` : `The collection "${id}" always has the schema "${bound}"`;
  const schema = bound === schemaId ? find(schemaId) : undefined;
  return schema ?? fail("invalid", `${problem}.`, { schema: [problem] });
}

function checkSortBy({ sortBy }: CollectionConfig, schema: FlatSchema | undefined): void {
  const details = schema ? findSortByProblem(sortBy, schema) : {};
  if (details.sortBy) fail("invalid", "The collection settings are not valid.", details);
}

function findSortByProblem(sortBy: string, schema: FlatSchema): ErrorDetails {
  const names = [...schema.properties.keys(), "id", "created", "modified"];
  if (names.includes(sortBy)) return {};
  const problem = `The schema "${schema.id}" has no property ${JSON.stringify(sortBy.slice(0, 60))}.`;
  return { sortBy: [problem + correctionOf(sortBy, names)] };
}

/** For settings that are refused anyway. The schema may be one that there is not. */
function sortByProblems(app: App, schemaId: Json): (sortBy: string) => ErrorDetails {
  return (sortBy) => {
    const schema = typeof schemaId === "string" ? findFlatSchema(app, schemaId) : undefined;
    return schema ? findSortByProblem(sortBy, schema) : {};
  };
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
