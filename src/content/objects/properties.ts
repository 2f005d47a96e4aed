// One property of an object: read, replace, patch, delete, count up and down, and the metadata of its items.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { keepAllFiles, removeAllFiles } from "#content/file-removal.ts";
import { keepsFiles, placeByName } from "#content/history/attic.ts";
import { withObjectFilesLock } from "#content/locks.ts";
import { digest, type Precondition } from "#content/preconditions.ts";
import { chooseFields, findFields } from "#content/query/fields.ts";
import type { Params } from "#content/query/parameters.ts";
import { checkProperty } from "#content/write-rules.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { findObject } from "#storage/tables/objects.ts";
import { changeObject } from "./change-object.ts";
import type { ObjectAnswer } from "./object-answer.ts";
import { getObject } from "./objects.ts";

export interface PropertyTarget {
  collection: string;
  id: string;
  property: string;
}

/** A property of an object, opened for a caller that may change it. */
export interface OpenProperty {
  collection: Collection;
  id: string;
  property: Property;
}

export async function openProperty(ctx: Context, target: PropertyTarget): Promise<OpenProperty> {
  const collection = await openCollection(ctx, "update", target.collection, target.id);
  checkProperty(ctx, target.collection, target.property);
  return { collection, id: target.id, property: getProperty(collection.schema, target.property) };
}

/** The value of one property, as JSON text; null without one. `urls` gives its files their addresses. */
export async function readProperty(ctx: Context, target: PropertyTarget, { urls }: Params): Promise<ObjectAnswer> {
  const answer = await getObject(ctx, target.collection, target.id);
  const { schema } = await openCollection(ctx, "read", target.collection, target.id);
  const { name, isPassword } = getProperty(schema, target.property);
  if (isPassword) fail("not-found", `There is no property "${name}" that can be read.`);
  const chosen = findFields(ctx, { urls }, schema);
  const document = JSON.parse(answer.text) as JsonObject;
  if (chosen) chooseFields(chosen, document, { collection: target.collection, schema });
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  const text = JSON.stringify(value ?? null);
  return { id: answer.id, text, etag: chosen ? `${answer.etag.slice(0, -1)}~${digest(text)}"` : answer.etag };
}

/** Words of the API that stand behind a deck may be names behind any other property, and the other way round. */
export async function isDeck(ctx: Context, target: PropertyTarget): Promise<boolean> {
  return (await openProperty(ctx, target)).property.kind.type === "deck";
}

function getProperty(schema: FlatSchema, name: string): Property {
  const property = schema.properties.get(name);
  if (!property || name === "id") fail("not-found", `There is no property "${name}" in the schema "${schema.id}".`);
  return property;
}

export async function replaceProperty(
  ctx: Context,
  target: PropertyTarget,
  { value, ifMatch }: { value: Json } & Precondition,
): Promise<ObjectAnswer> {
  const opened = await openProperty(ctx, target);
  return setProperty(ctx, opened, { ifMatch, sent: value, next: () => value });
}

/** Merges into a value that is an object; a list is replaced. */
export async function patchProperty(
  ctx: Context,
  target: PropertyTarget,
  { fields, ifMatch }: { fields: Json } & Precondition,
): Promise<ObjectAnswer> {
  const opened = await openProperty(ctx, target);
  const { kind } = opened.property;
  if (Array.isArray(fields) && (kind.type === "list" || kind.type === "array")) {
    return setProperty(ctx, opened, { ifMatch, sent: fields, next: () => fields });
  }
  if (!isJsonObject(fields)) return complain(target.property, "The body must be an object with the fields to merge.");
  return setProperty(ctx, opened, {
    ifMatch,
    sent: fields,
    next(current) {
      // Either of its two spellings is the whole colour: the stored other one must not win.
      if (kind.type === "color" && "hex" in fields) return fields;
      if (current === undefined || isJsonObject(current)) return { ...current, ...fields };
      return complain(target.property, "Only a value that is an object can be merged into.");
    },
  });
}

export async function deleteProperty(
  ctx: Context,
  target: PropertyTarget,
  { ifMatch }: Precondition = {},
): Promise<ObjectAnswer> {
  const opened = await openProperty(ctx, target);
  const { property } = opened;
  if (property.isRequired) return complain(target.property, `${property.label} is required and cannot be deleted.`);
  return withObjectFilesLock(ctx, target, async () => {
    const answer = await setProperty(ctx, opened, { ifMatch, sent: null, next: () => null, isDeletion: true });
    // Also those that no value names: an editor puts them beside a text.
    await removeRest(ctx, opened);
    return answer;
  });
}

async function removeRest(ctx: Context, { collection, id, property }: OpenProperty): Promise<void> {
  const prefix = `${collection.id}/${id}/${property.name}`;
  const row = keepsFiles(ctx, collection) ? await findObject(ctx.storage, collection.id, id) : undefined;
  if (!row) return removeAllFiles(ctx, prefix);
  const time = ctx.clock.now();
  await keepAllFiles(ctx, prefix, (key, size) => placeByName(row.rid, key, { time, size }));
}

export interface PropertyValue {
  property: string;
  value: number;
}

/** Adds to a number, atomically. The new value obeys the property's bounds. */
export async function incrementProperty(
  ctx: Context,
  target: PropertyTarget,
  { amount, ifMatch }: { amount: number } & Precondition,
): Promise<PropertyValue> {
  const opened = await openProperty(ctx, target);
  const { kind } = opened.property;
  if (kind.type !== "number" && kind.type !== "integer") complain(target.property, "This property is not a number.");
  const { text } = await setProperty(ctx, opened, {
    ifMatch,
    sent: null,
    next(current) {
      if (current !== undefined && typeof current !== "number") complain(target.property, "The value is not a number.");
      const value = addExactly(current ?? 0, amount);
      if (!Number.isFinite(value)) complain(target.property, "The result is out of range.");
      return value;
    },
  });
  // As it was stored: a formula has the last word.
  return { property: target.property, value: Number((JSON.parse(text) as JsonObject)[target.property]) };
}

/** 0.1 + 0.2 is 0.3: the sum has no more decimals than its terms. */
function addExactly(a: number, b: number): number {
  const decimals = Math.max(decimalsOf(a), decimalsOf(b));
  return decimals > 15 ? a + b : Number((a + b).toFixed(decimals));
}

function decimalsOf(value: number): number {
  const [digits = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (digits.split(".")[1]?.length ?? 0) - Number(exponent));
}

export interface PropertyChange extends Precondition {
  /** What the caller sent for this property. */
  sent: Json;
  next(current: Json | undefined, schema: FlatSchema): Json;
  /** The passwords below it go too; the caller has the lock of the object's files. */
  isDeletion?: boolean;
  /** Nothing is stored: the answer is what the object would be. */
  isTrial?: boolean;
}

/** Sets one property from its stored value. */
export function setProperty(ctx: Context, opened: OpenProperty, plan: PropertyChange): Promise<ObjectAnswer> {
  const { collection, id } = opened;
  const { name } = opened.property;
  return changeObject(
    ctx,
    { collection, id, ifMatch: plan.ifMatch },
    {
      sent: { [name]: plan.sent },
      hasFilesLock: plan.isDeletion === true,
      isTrial: plan.isTrial === true,
      change: (current, schema) => ({
        input: { ...current, [name]: plan.next(current[name], schema) },
        changed: new Set([name]),
        ...(plan.isDeletion && { forget: name }),
      }),
    },
  );
}

export function complain(property: string, message: string): never {
  fail("invalid", message, { [property]: [message] });
}
