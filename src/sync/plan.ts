// The plan of an import, made and checked before anything is written: which schemas, templates, settings and objects it
// brings, and what they replace. The rights of the caller are checked for every item.

import { isDeepStrictEqual } from "node:util";
import { allow } from "#access/allow.ts";
import { requirePro } from "#access/edition.ts";
import { fail } from "#base/errors.ts";
import { createPause } from "#base/event-loop.ts";
import { checkCollectionId, fillSettings, historyOf, mergeSettings } from "#content/collections/collection-settings.ts";
import { checkSchema } from "#content/collections/collections.ts";
import { allowForms, checkFormSettings } from "#content/collections/form-rights.ts";
import { allowOpenings, findOpenings, type Opening } from "#content/collections/openings.ts";
import { allowSchemaOpenings } from "#content/collections/schema-openings.ts";
import { familyOf, prepareSchema } from "#content/collections/schemas.ts";
import { type ChangeRules, checkSent, openChange } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import { type CollectionConfig, reservedCollections } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import type { SchemaRecord } from "#contract/schemas.ts";
import type { ImportReport, ItemRef } from "#contract/transfer.ts";
import { checkRedirect } from "#redirects/parse-redirects.ts";
import type { PlannedRedirect } from "#redirects/redirect-plan.ts";
import { addedKinds } from "#schemas/added-kinds.ts";
import { proposeId } from "#schemas/build.ts";
import { findFlatSchema, findRawSchema, readRecord } from "#schemas/find-schema.ts";
import { createFlattener } from "#schemas/flatten.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { withPresentNames } from "#schemas/values/present-names.ts";
import { confirmTemplate } from "#site/confirm-template.ts";
import { addedFilterNames } from "#site/template/added-filters.ts";
import { readTemplateFile, templateIdProblem, templatePlace } from "#site/template-files.ts";
import { templateTextProblem } from "#site/templates.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { type Definition, type Identified, type ObjectItem, Problems } from "./definition.ts";
import { ownedBy, withoutLocal } from "./receiver-owned.ts";
import { objectsRefusal } from "./rules.ts";
import { storedForm } from "./stored-form.ts";

/** upsert: sync. The others: a jumpstart, which skips what exists unless it overwrites. */
export type ImportMode = "upsert" | "skip-existing" | "overwrite";

export interface PlannedSchema {
  record: SchemaRecord;
  /** The record that is replaced. */
  before: SchemaRecord | undefined;
}

export interface PlannedTemplate {
  id: string;
  template: string;
  updated: string;
  isNew: boolean;
}

export interface PlannedCollection {
  id: string;
  /** Undefined: it must exist, with any settings. */
  config: CollectionConfig | undefined;
  schema: FlatSchema;
  updated: string | undefined;
  /** There was no collection of this id when this was planned. */
  isNew: boolean;
  openings: Opening[];
}

export interface PlannedObjects {
  collection: string;
  settings: CollectionConfig;
  schema: FlatSchema;
  /** What holds for changes of its objects. */
  rules: readonly ChangeRules[];
  items: { id: string; data: JsonObject }[];
}

export interface ImportPlan {
  mode: ImportMode;
  schemas: PlannedSchema[];
  templates: PlannedTemplate[];
  collections: PlannedCollection[];
  objects: PlannedObjects[];
  redirects: PlannedRedirect[];
  /** Items that need no write: identical, or skipped. */
  settled: Pick<ImportReport, "unchanged" | "skipped">;
}

interface Planning {
  ctx: Context;
  plan: ImportPlan;
  problems: Problems;
  /** The stored settings of each collection that exists. */
  stored: ReadonlyMap<string, JsonObject>;
  /** By id, as schemas will be after the import. */
  findFlat(id: string): FlatSchema | undefined;
}

/** Refuses the whole definition when anything in it is invalid. */
export async function makePlan(ctx: Context, definition: Definition, mode: ImportMode): Promise<ImportPlan> {
  const plan: ImportPlan = {
    ...{ mode, schemas: [], templates: [], collections: [], objects: [], redirects: [] },
    settled: { unchanged: [], skipped: [] },
  };
  const planning: Planning = {
    ...{ ctx, plan, problems: new Problems(), stored: await storedSettings(ctx) },
    findFlat: (id) => findFlatSchema(ctx, id),
  };
  await planSchemas(planning, definition.schemas);
  await planCollections(planning, definition.collections);
  await planTemplates(planning, definition.templates);
  await planObjects(planning, definition.objects);
  planRedirects(planning, definition.redirects);
  planning.problems.refuse();
  return plan;
}

async function storedSettings({ storage }: Context): Promise<Map<string, JsonObject>> {
  const rows = (await listCollectionRows(storage)).filter(({ isDeleting }) => !isDeleting);
  return new Map(rows.map(({ id, settings }) => [id, JSON.parse(settings) as JsonObject]));
}

async function planSchemas(planning: Planning, items: Identified[]): Promise<void> {
  const { ctx, plan, problems } = planning;
  const wanted = items.filter(({ id }) => !isLeftAlone(planning, { kind: "schema", id }, findRawSchema(ctx, id)));
  if (wanted.length === 0) return;
  requirePro(ctx, "Custom schemas");
  const sent = new Map(wanted.map((item) => [item.id, readRecord(item.id, item)]));
  const find = (id: string): SchemaRecord | undefined => sent.get(id) ?? findRawSchema(ctx, id);
  const pause = createPause();
  for (const item of wanted) {
    await pause();
    const { id } = item;
    const before = findRawSchema(ctx, id);
    if (before) allow(ctx, "update", { kind: "schemas", schema: id });
    else allow(ctx, "create", { kind: "schemas" });
    try {
      const { updated: _, ...content } = item;
      const updated = timeOf(item.updated);
      const record = prepareSchema(ctx, { ...content, ...(updated && { updated }) }, { isTrusted: true, find });
      if (before && isSame(record, storedForm(ctx, before, find))) plan.settled.unchanged.push({ kind: "schema", id });
      else plan.schemas.push({ record, before });
    } catch (error) {
      problems.addRefusal(`schemas.${id}`, error);
    }
  }
  // As the files will be read.
  const planned = new Map(plan.schemas.map(({ record }) => [record.id, readRecord(record.id, copyOf(record))]));
  planning.findFlat = createFlattener((id) => planned.get(id) ?? findRawSchema(ctx, id), addedKinds(ctx.storage));
  for (const { record, before } of plan.schemas)
    if (before) await allowSchemaOpenings(ctx, familyOf(ctx, record.id), planning.findFlat);
}

async function planCollections(planning: Planning, { reserved, custom }: Definition["collections"]): Promise<void> {
  const { ctx, plan, problems, stored } = planning;
  const seen = new Set<string>();
  const pause = createPause();
  for (const item of [...reserved, ...custom]) {
    await pause();
    const id = typeof item === "string" ? item : item.id;
    const place = `collections.${id}`;
    if (seen.has(id)) problems.add(place, "is there twice");
    seen.add(id);
    try {
      checkCollectionId(id);
      if (id === "auth") problems.add(place, "The collection of the users is never imported");
      allow(ctx, stored.has(id) ? "update" : "create", { kind: "collections", collection: id });
      if (isLeftAlone(planning, { kind: "collection", id }, stored.get(id))) continue;
      const planned = planCollection(planning, item);
      await allowOpenings(ctx, id, planned.openings);
      const before = stored.get(id);
      if (planned.config) allowForms(ctx, before && fillSettings(before), planned.config);
      plan.collections.push(planned);
    } catch (error) {
      problems.addRefusal(place, error);
    }
  }
}

function planCollection({ stored, findFlat }: Planning, item: string | Identified): PlannedCollection {
  const { id, ...settings }: Identified = typeof item === "string" ? { id: item } : item;
  const schemaId = settings.schema ?? stored.get(id)?.schema ?? reservedCollections[id] ?? null;
  if (schemaId === null) fail("invalid", "A collection needs a schema.", { schema: ["is required"] });
  const before = stored.get(id);
  const kept = { id, schema: schemaId, ...historyOf(before ?? {}) };
  const config = mergeSettings(kept, { ...settings, schema: schemaId }, { known: undefined });
  const schema = checkSchema(config, findFlat);
  const updated = timeOf(settings.updated);
  const openings = typeof item === "string" ? [] : findOpenings(before && fillSettings(before), config);
  const sent = typeof item === "string" ? undefined : config;
  if (sent) checkFormSettings(sent, schema);
  return { id, config: sent, schema, updated, isNew: !before, openings };
}

async function planTemplates(planning: Planning, items: Definition["templates"]): Promise<void> {
  const { ctx, plan, problems } = planning;
  if (items.length === 0) return;
  allow(ctx, "update", { kind: "templates" });
  const { folder, isGitManaged } = templatePlace(ctx.settings);
  const filters = await addedFilterNames(ctx);
  for (const { id, template, updated } of items) {
    const problem = templateIdProblem(id) ?? templateTextProblem(template, id, filters)?.message;
    if (problem) problems.add(`templates.${id}`, problem);
    const stored = problem || isGitManaged ? undefined : await readTemplateFile(folder, id);
    if (isGitManaged) plan.settled.skipped.push({ kind: "template", id });
    else if (isLeftAlone(planning, { kind: "template", id }, stored)) continue;
    else if (stored?.text === template) plan.settled.unchanged.push({ kind: "template", id });
    else
      plan.templates.push({ id, template, updated: timeOf(updated) ?? ctx.clock.iso(), isNew: stored === undefined });
  }
  for (const { id, template } of plan.templates) await confirmTemplate(ctx, id, template);
}

async function planObjects(planning: Planning, items: ObjectItem[]): Promise<void> {
  const { ctx, plan, problems } = planning;
  for (const [collection, group] of Map.groupBy(items, (item) => item.collection)) {
    const place = `objects.${collection}`;
    const refusal = objectsRefusal(ctx, plan.mode, collection);
    if (refusal) problems.add(place, refusal);
    else {
      try {
        plan.objects.push(await planGroup(planning, collection, group));
      } catch (error) {
        problems.addRefusal(place, error);
      }
    }
  }
}

function planRedirects({ ctx, plan, problems }: Planning, items: Definition["redirects"]): void {
  if (items.length === 0) return;
  for (const operation of ["create", "update"] as const) allow(ctx, operation, { kind: "templates" });
  for (const item of items) {
    const checked = checkRedirect(item);
    if ("problem" in checked) problems.add(`redirects.${item.source}`, checked.problem);
    else plan.redirects.push(checked);
  }
}

async function planGroup(planning: Planning, collection: string, group: ObjectItem[]): Promise<PlannedObjects> {
  const { ctx, plan, problems, findFlat } = planning;
  for (const operation of plan.mode === "skip-existing" ? (["create"] as const) : (["create", "update"] as const)) {
    allow(ctx, operation, { kind: "objects", collection, publicOperations: [] });
  }
  const settings = settingsFor(planning, collection) ?? fail("not-found", `There is no collection "${collection}"`);
  const schema = findFlat(settings.schema) ?? fail("not-found", `There is no schema "${settings.schema}"`);
  const items = new Map<string, JsonObject>();
  const pause = createPause();
  for (const { id: sent, data } of group) {
    const place = `objects.${collection}.${sent}`;
    await pause();
    try {
      await checkSent(ctx, collection, data, "import");
      const { id } = proposeId(schema, { id: sent || " " }, { now: ctx.clock.iso(), counter: 0 });
      if (items.has(id)) problems.add(place, `is there twice, as "${id}"`);
      const named = withPresentNames(schema, data);
      items.set(id, withoutLocal(ownedBy(ctx, collection, schema), named, plan.mode !== "upsert"));
    } catch (error) {
      problems.addRefusal(place, error);
    }
  }
  const opened = { id: collection, settings, schema, isVirtual: false };
  const rules = await openChange(ctx, { collection: opened, sent: {} });
  return { collection, settings, schema, rules, items: [...items].map(([id, data]) => ({ id, data })) };
}

/** As they will be after the import. */
function settingsFor({ plan, stored }: Planning, collection: string): CollectionConfig | undefined {
  const planned = plan.collections.find(({ id }) => id === collection)?.config;
  if (planned) return planned;
  const schema = reservedCollections[collection];
  const known = stored.get(collection) ?? (schema === undefined ? undefined : { id: collection, schema });
  return known && fillSettings(known);
}

/** A jumpstart skips items that exist, without further checks. */
function isLeftAlone({ plan }: Planning, item: ItemRef, stored: object | undefined): boolean {
  const isLeft = plan.mode === "skip-existing" && stored !== undefined;
  if (isLeft) plan.settled.skipped.push(item);
  return isLeft;
}

function isSame({ updated: _a, ...one }: SchemaRecord, { updated: _b, ...other }: SchemaRecord): boolean {
  return isDeepStrictEqual(copyOf(one), copyOf(other));
}

function copyOf(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

/** A sent time in ISO form; undefined when it is not a time. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
