// Imports a jumpstart definition: existing items stay unchanged, missing ones are created, all or nothing.

import { isLimitedKey } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import type { Context } from "#context.ts";
import { reservedCollections } from "#contract/collections.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { ImportReport } from "#contract/transfer.ts";
import { addedKinds } from "#schemas/added-kinds.ts";
import { findRawSchema, readRecord } from "#schemas/find-schema.ts";
import { createFlattener } from "#schemas/flatten.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { applyDefinition, tryDefinition } from "#sync/apply-definition.ts";
import { type Definition, type ObjectItem, Problems, readDefinition } from "#sync/definition.ts";
import { type ImportMode, type ImportPlan, makePlan } from "#sync/plan.ts";
import { findRelated } from "#sync/related.ts";
import { type FactoryItem, makeObjects, readFactory } from "./factory.ts";

const versionForm = /^1\.\d+\.\d+$/;

export interface JumpstartOptions {
  /** Objects that exist are replaced by those of the definition. */
  overwrite?: boolean;
  /** Store nothing, and answer the same. */
  dryRun?: boolean;
}

export async function importJumpstart(
  ctx: Context,
  body: Json | undefined,
  { overwrite = false, dryRun = false }: JumpstartOptions = {},
): Promise<ImportReport> {
  allow(ctx, "create", { kind: "util", util: "jumpstart" });
  const definition = readDefinition(body, "jumpstart");
  const problems = new Problems();
  if (!versionForm.test(definition.version)) problems.add("version", "must be a version of the form 1.0.0");
  if (isLimitedKey(ctx.actor)) refuseDefinitions(definition, problems);
  const factory = readFactory(definition.factory, problems);
  problems.refuse();
  const mode: ImportMode = overwrite ? "overwrite" : "skip-existing";
  const made = factory.length === 0 ? [] : await makeAll(ctx, definition, { factory, mode });
  const whole = { ...definition, objects: [...definition.objects, ...made], factory: [] };
  if (dryRun) return tryDefinition(ctx, whole, mode);
  const report = await applyDefinition(ctx, whole, mode);
  const { created, updated } = report;
  if (created.length + updated.length > 0) {
    const details = { name: definition.name, created: created.length, updated: updated.length };
    audit(ctx, { type: "jumpstart.imported", details });
  }
  return report;
}

/** A key for seeding brings only content: it opens no collection, and changes no schema or template. */
function refuseDefinitions(definition: Definition, problems: Problems): void {
  const { schemas, templates, collections, redirects } = definition;
  const sent = { schemas, templates, redirects, collections: [...collections.reserved, ...collections.custom] };
  for (const [name, items] of Object.entries(sent))
    if (items.length > 0) problems.add(name, "A key that is not for every endpoint seeds `objects` and `factory` only");
}

/** The definitions are checked first, because generated objects depend on them. */
async function makeAll(
  ctx: Context,
  definition: Definition,
  { factory, mode }: { factory: FactoryItem[]; mode: ImportMode },
): Promise<ObjectItem[]> {
  const plan = await makePlan(ctx, { ...definition, factory: [] }, mode);
  const schemaOf = await schemaFinder(ctx, plan);
  const problems = new Problems();
  // Generated objects never replace objects of the definition itself.
  const known = new Set(definition.objects.map(({ collection, id }) => `${collection}/${id}`));
  const made: ObjectItem[] = [];
  for (const item of factory) {
    const schema = schemaOf(item.collection);
    if (!schema) problems.add(`${item.place}.collection`, `There is no collection "${item.collection}"`);
    const now = ctx.clock.iso();
    const related = schema && (await findRelated(ctx, schema, [...definition.objects, ...made]));
    for (const object of schema ? makeObjects(item, schema, { now, ...(related && { related }) }) : []) {
      const place = `${object.collection}/${object.id}`;
      if (known.has(place)) continue;
      known.add(place);
      made.push(object);
    }
  }
  problems.refuse();
  return made;
}

/** By collection, as schemas and collections will be after the import. */
async function schemaFinder(ctx: Context, plan: ImportPlan): Promise<(collection: string) => FlatSchema | undefined> {
  const planned = new Map(
    plan.schemas.map(({ record }) => [record.id, readRecord(record.id, record as unknown as JsonObject)]),
  );
  const findFlat = createFlattener((id) => planned.get(id) ?? findRawSchema(ctx, id), addedKinds(ctx.storage));
  const stored = new Map(
    (await listCollectionRows(ctx.storage)).map(({ id, settings }) => [id, JSON.parse(settings) as JsonObject]),
  );
  return (collection) => {
    const wanted = plan.collections.find(({ id }) => id === collection);
    const schema = wanted?.schema.id ?? stored.get(collection)?.schema ?? reservedCollections[collection];
    return typeof schema === "string" ? findFlat(schema) : undefined;
  };
}
