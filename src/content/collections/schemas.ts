// The operations on schemas: list, get, create, replace, delete, import, export.
// Built-in schemas and those of extensions can be read like any other; only custom ones can be written.

import { allow, isAllowed } from "#access/allow.ts";
import { audit } from "#access/audit.ts";
import { requirePro } from "#access/edition.ts";
import { CairnError, fail } from "#base/errors.ts";
import { withSchemasLock } from "#content/locks.ts";
import { checkTag, type Precondition, tagOf } from "#content/preconditions.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { SchemaDetails, SchemaRecord, SchemaSummary } from "#contract/schemas.ts";
import type { FindSchema } from "#rules/inherit.ts";
import { humanise } from "#rules/labels.ts";
import { itemSchemaId } from "#rules/property-types.ts";
import { addedKinds } from "#schemas/added-kinds.ts";
import { builtInSchemas } from "#schemas/builtin/all.ts";
import {
  addedSchemaIds,
  customSchemaIds,
  extensionOfSchema,
  findFlatSchema,
  findRawSchema,
  isBuiltIn,
  readRecord,
} from "#schemas/find-schema.ts";
import { createFlattener } from "#schemas/flatten.ts";
import { normaliseSchema } from "#schemas/normalise-schema.ts";
import { listCollectionRows } from "#storage/tables/collections.ts";
import { announceSchemasIn } from "./announce-schemas.ts";
import { findCollection } from "./collection-cache.ts";
import { followKinds } from "./follow-kinds.ts";
import { endedNames, keepFormerNames } from "./former-properties.ts";
import { openCollection } from "./open-collection.ts";
import { isAnyBehind, scheduleReindex } from "./reindex.ts";
import { allowSchemaOpenings } from "./schema-openings.ts";

/** As answered: the record, with a name and a title for people. */
export interface SchemaAnswer extends SchemaRecord {
  name: string;
  title: string;
  description: string;
}

/** Words that are parts of addresses. */
const refusedIds = new Set(["collection", "jumpstart", "new", "schema", "template"]);

export async function listSchemas(ctx: Context, filter?: string): Promise<SchemaSummary[]> {
  allow(ctx, "read", { kind: "schemas" });
  if (filter !== undefined && filter !== "reserved" && filter !== "custom") {
    fail("invalid", "The filter must be reserved or custom.", { filter: ["filter must be reserved or custom"] });
  }
  await followKinds(ctx);
  const ids = [
    ...(filter === "custom" ? [] : [...builtInSchemas.keys(), ...addedSchemaIds(ctx)]),
    ...(filter === "reserved" ? [] : customSchemaIds(ctx)),
  ];
  const readable = ids.filter((id) => mayReadSchema(ctx, id));
  return readable.sort().map((id) => {
    const { name, title, description } = presentSchema(findRawSchema(ctx, id) as SchemaRecord);
    return { name, title, description, url: `/schemas/${id}` };
  });
}

/** With what a list for people shows. Only schemas that the caller may read are named. */
export async function listSchemaDetails(ctx: Context, filter?: string): Promise<SchemaDetails[]> {
  const summaries = await listSchemas(ctx, filter);
  const users = partUsers(ctx);
  return summaries.map((summary) => {
    const { category = "", properties, inheritFrom = [] } = findRawSchema(ctx, summary.name) as SchemaRecord;
    const usedBy = new Set(users.get(summary.name)?.filter((schema) => mayReadSchema(ctx, schema)));
    return {
      ...summary,
      category,
      isBuiltIn: isBuiltIn(summary.name),
      extension: extensionOfSchema(ctx, summary.name) ?? null,
      properties: Object.keys(properties).length,
      inheritFrom,
      usedBy: [...usedBy],
    };
  });
}

function mayReadSchema(ctx: Context, schema: string): boolean {
  return isAllowed(ctx.actor, "read", { kind: "schemas", schema });
}

export interface GetOptions {
  /** As written, without the properties of parents. */
  raw?: boolean;
}

/** By the id of a schema, or of a collection that has one. */
export async function getSchema(ctx: Context, id: string, { raw = false }: GetOptions = {}): Promise<SchemaAnswer> {
  await followKinds(ctx);
  const found = findRawSchema(ctx, id) ? id : (await findCollection(ctx, id))?.schema.id;
  allow(ctx, "read", { kind: "schemas", schema: found ?? id });
  return found === undefined ? noSchema(id) : answerSchema(ctx, found, raw);
}

/** Callers that may read the objects may know their shape. */
export async function getCollectionSchema(
  ctx: Context,
  collectionId: string,
  { raw = false }: GetOptions = {},
): Promise<SchemaAnswer> {
  const { schema } = await openCollection(ctx, "read", collectionId);
  return answerSchema(ctx, schema.id, raw);
}

export function exportSchema(ctx: Context, id: string, options?: GetOptions): Promise<SchemaAnswer> {
  return getSchema(ctx, id, options);
}

export interface WriteOptions extends Precondition {
  /** Sync: the sent `updated` is kept. */
  isTrusted?: boolean;
}

export async function createSchema(ctx: Context, body: Json, options: WriteOptions = {}): Promise<SchemaAnswer> {
  allowCreate(ctx);
  return saveLocked(ctx, () => createLocked(ctx, body, options));
}

function allowCreate(ctx: Context): void {
  allow(ctx, "create", { kind: "schemas" });
  requirePro(ctx, "Custom schemas");
}

async function createLocked(ctx: Context, body: Json, options: WriteOptions): Promise<SchemaAnswer> {
  const record = prepareSchema(ctx, body, options);
  if (!(await ctx.schemaFiles.create(record.id, asJson(record)))) {
    fail("exists", `There is a schema "${record.id}" already.`, { id: ["Id is taken"] });
  }
  return answerSchema(ctx, record.id);
}

export async function replaceSchema(
  ctx: Context,
  id: string,
  body: Json,
  options: WriteOptions = {},
): Promise<SchemaAnswer> {
  allowReplace(ctx, id);
  return saveLocked(ctx, () => replaceLocked(ctx, id, body, options));
}

function allowReplace(ctx: Context, id: string): void {
  allow(ctx, "update", { kind: "schemas", schema: id });
  requirePro(ctx, "Custom schemas");
  refuseReserved(ctx, id);
}

/** As it would be written, for callers that may write it. */
export function prepareChange(ctx: Context, body: Json): SchemaRecord {
  const id = isJsonObject(body) && typeof body.id === "string" ? body.id : "";
  if (findRawSchema(ctx, id)) allowReplace(ctx, id);
  else allowCreate(ctx);
  return prepareSchema(ctx, body, {});
}

async function replaceLocked(ctx: Context, id: string, body: Json, options: WriteOptions): Promise<SchemaAnswer> {
  checkStored(ctx, id, options);
  if (isJsonObject(body) && body.id !== undefined && body.id !== id) {
    fail("invalid", "Schema ID does not match", { id: [`Id must be "${id}"`] });
  }
  const record = prepareSchema(ctx, isJsonObject(body) ? { ...body, id } : body, options);
  await refuseEndedNames(ctx, id, record);
  const saved = readRecord(id, asJson(record));
  const findAfter = createFlattener(
    (other) => (other === id ? saved : findRawSchema(ctx, other)),
    addedKinds(ctx.storage),
  );
  await allowSchemaOpenings(ctx, familyOf(ctx, id), findAfter);
  await ctx.schemaFiles.put(id, asJson(record));
  return answerSchema(ctx, id);
}

export interface SchemaWork {
  /** Under the lock: the records to write, in this order. */
  prepare(): SchemaRecord[];
  /** Under the lock, after they are written. */
  finish(): Promise<void>;
}

/** For a change of a schema that other schemas follow. */
export async function changeSchemas(
  ctx: Context,
  id: string,
  options: WriteOptions,
  { prepare, finish }: SchemaWork,
): Promise<SchemaAnswer> {
  allowReplace(ctx, id);
  return saveLocked(ctx, async () => {
    checkStored(ctx, id, options);
    const records = prepare();
    for (const record of records) allowReplace(ctx, record.id);
    for (const record of records) {
      await replaceLocked(ctx, record.id, asJson(record), {});
      if (record.id !== id) await announce(ctx, record.id);
    }
    await finish();
    return answerSchema(ctx, id);
  });
}

/** Creates the schema, or replaces the one of the same id. */
export async function importSchema(ctx: Context, body: Json, options: WriteOptions = {}): Promise<SchemaAnswer> {
  const id = isJsonObject(body) && typeof body.id === "string" ? body.id : "";
  const allowEither = () => {
    const isThere = findRawSchema(ctx, id) !== undefined;
    if (isThere) allowReplace(ctx, id);
    else allowCreate(ctx);
    return isThere;
  };
  allowEither();
  // Checked again under the lock: others may have created or deleted it meanwhile.
  return saveLocked(ctx, () =>
    allowEither() ? replaceLocked(ctx, id, body, options) : createLocked(ctx, body, options),
  );
}

export async function deleteSchema(ctx: Context, id: string, options: Precondition = {}): Promise<void> {
  allow(ctx, "delete", { kind: "schemas", schema: id });
  requirePro(ctx, "Custom schemas");
  refuseReserved(ctx, id);
  await withSchemasLock(ctx, async () => {
    checkStored(ctx, id, options);
    await refuseUsed(ctx, id);
    await ctx.schemaFiles.delete(id);
    await announce(ctx, id);
  });
  audit(ctx, { type: "schema.deleted", details: { schema: id } });
}

/** Under the lock: reading what is stored and replacing it belong together. */
function checkStored(ctx: Context, id: string, { ifMatch }: Precondition): void {
  if (!findRawSchema(ctx, id)) noSchema(id);
  const forms = [answerSchema(ctx, id), answerSchema(ctx, id, true)];
  checkTag(ifMatch, ...forms.map((form) => tagOf(JSON.stringify(form))));
}

/** The custom schemas that inherit from it, or have a card or deck of its shape. */
export function usersOfSchema(ctx: Context, id: string): string[] {
  return (
    partUsers(ctx)
      .get(id)
      ?.filter((other) => extensionOfSchema(ctx, other) === undefined) ?? []
  );
}

/** By a collection or by a custom schema, also through others of extensions. */
export async function isUsedSchema(ctx: Context, id: string): Promise<boolean> {
  for (const member of familyOf(ctx, id)) {
    if (member !== id && extensionOfSchema(ctx, member) === undefined) return true;
    if ((await collectionsOf(ctx, member)).length > 0) return true;
  }
  return false;
}

async function refuseUsed(ctx: Context, id: string): Promise<void> {
  const children = relatives(ctx, id, (schema) => schema.inheritFrom?.includes(id) ?? false);
  if (children.length > 0) fail("in-use", `Other schemas inherit from "${id}": ${children.join(", ")}.`);
  const shaped = relatives(ctx, id, (schema) =>
    Object.values(schema.properties).some((definition) => itemSchemaId(definition) === id),
  );
  if (shaped.length > 0)
    fail("in-use", `Cards or decks of other schemas have the shape "${id}": ${shaped.join(", ")}.`);
  const users = await collectionsOf(ctx, id);
  if (users.length > 0) fail("in-use", `Collections use the schema "${id}": ${users.join(", ")}.`);
}

/** As it is written to disk. Fails with all problems at once. */
export function prepareSchema(ctx: Context, body: Json, options: WriteOptions & { find?: FindSchema }): SchemaRecord {
  if (!isJsonObject(body)) return fail("invalid", "A schema must be a JSON object.");
  if (typeof body.id === "string") refuseReserved(ctx, body.id);
  const { find = (id) => findRawSchema(ctx, id) } = options;
  const record = normaliseSchema(body, { now: ctx.clock.iso(), kinds: addedKinds(ctx.storage), ...options, find });
  return keepFormerNames(record, findRawSchema(ctx, record.id));
}

/** While objects are still stored under a former name, it must be known whose it was. */
async function refuseEndedNames(ctx: Context, id: string, after: SchemaRecord): Promise<void> {
  const ended = endedNames(findRawSchema(ctx, id), after);
  if (ended.length === 0 || !(await isAnyBehind(ctx, familyOf(ctx, id)))) return;
  const message = `Objects are still being moved from the former name "${ended[0]}". Try again when the index is ready.`;
  const error = new CairnError("unavailable", message, { [ended[0] as string]: [message] });
  error.retryAfter = 5;
  throw error;
}

function refuseReserved(ctx: Context, id: string): void {
  const extension = extensionOfSchema(ctx, id);
  if (extension !== undefined) {
    const message = `The schema "${id}" belongs to the extension ${extension} and cannot be changed. Make one that inherits from it.`;
    fail("invalid", message, { id: [`Id "${id}" belongs to ${extension}`] });
  }
  if (isBuiltIn(id) || refusedIds.has(id)) {
    fail("invalid", `Schema id "${id}" is reserved`, { id: [`Id "${id}" is reserved`] });
  }
}

/** Writes the file and announces it under the lock. The indexes follow after it. */
async function saveLocked(ctx: Context, write: () => Promise<SchemaAnswer>): Promise<SchemaAnswer> {
  const saved = await withSchemasLock(ctx, async () => {
    const written = await write();
    await announce(ctx, written.id);
    return written;
  });
  audit(ctx, { type: "schema.saved", details: { schema: saved.id } });
  await scheduleReindex(ctx, familyOf(ctx, saved.id));
  return saved;
}

function announce(ctx: Context, id: string): Promise<void> {
  return ctx.storage.write((tx) => announceSchemasIn(ctx, tx, [id]));
}

/** The schema and all that are made with it, directly or indirectly. */
export function familyOf(ctx: Context, id: string): Set<string> {
  const users = partUsers(ctx);
  const family = new Set([id]);
  for (const member of family) for (const user of users.get(member) ?? []) family.add(user);
  return family;
}

/** The schemas that inherit from a schema, or have a card or deck of its shape; several times where several do. */
function partUsers(ctx: Context): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const other of changeableIds(ctx)) {
    const { inheritFrom = [], properties } = findRawSchema(ctx, other) as SchemaRecord;
    for (const part of [...inheritFrom, ...Object.values(properties).map(itemSchemaId)])
      if (part !== undefined) users.set(part, [...(users.get(part) ?? []), other]);
  }
  return users;
}

/** All but the built-in ones. */
function changeableIds(ctx: Context): string[] {
  return [...customSchemaIds(ctx), ...addedSchemaIds(ctx)];
}

function answerSchema(ctx: Context, id: string, raw = false): SchemaAnswer {
  const record = raw ? findRawSchema(ctx, id) : findFlatSchema(ctx, id)?.record;
  return record ? presentSchema(record) : noSchema(id);
}

function presentSchema(record: SchemaRecord): SchemaAnswer {
  const { $schema, $id, id, title, description = "", ...rest } = record;
  const words = { name: id, title: title || humanise(id), description };
  return { ...($schema && { $schema }), ...($id && { $id }), id, ...words, ...rest };
}

function relatives(ctx: Context, id: string, isRelated: (schema: SchemaRecord) => boolean): string[] {
  return changeableIds(ctx).filter((other) => other !== id && isRelated(findRawSchema(ctx, other) as SchemaRecord));
}

async function collectionsOf(ctx: Context, schemaId: string): Promise<string[]> {
  const rows = await listCollectionRows(ctx.storage);
  return rows.filter((row) => (JSON.parse(row.settings) as JsonObject).schema === schemaId).map((row) => row.id);
}

function asJson(record: SchemaRecord): JsonObject {
  return record as unknown as JsonObject;
}

function noSchema(id: string): never {
  return fail("not-found", `There is no schema "${id}".`);
}
