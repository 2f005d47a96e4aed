// What the form of an object is drawn from: the flat schema, with the overrides of the collection and of the object laid
// over it, and the schemas of its cards and decks. Overrides concern the form alone: they change neither the shape of an
// object nor what the server accepts, and they do not reach into cards and decks.

import { isAllowed } from "#access/allow.ts";
import type { Collection } from "#content/collections/collection.ts";
import { subjectOf } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { getObject } from "#content/objects/objects.ts";
import { findPresentSecrets } from "#content/objects/stored-document.ts";
import { objectUrl } from "#content/query/object-url.ts";
import type { Context } from "#context.ts";
import type { FormDescription } from "#contract/admin.ts";
import type { CollectionConfig } from "#contract/collections.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";
import { humanise } from "#rules/labels.ts";
import { fieldSettings } from "#schemas/field-settings.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { titlePropertyOf } from "./titles.ts";

/** Part of the shape: only the schema decides about these. */
const shaping = new Set(["type", "$ref", "schemaref", "deckref", "unique", "required", "settings"]);

/** `objectId`: with the overrides of this object, which the caller must be able to read. Without: for a new object. */
export async function describeForm(ctx: Context, collectionId: string, objectId?: string): Promise<FormDescription> {
  const collection = await openCollection(ctx, "read", collectionId, objectId);
  const object = objectId === undefined ? undefined : await getObject(ctx, collectionId, objectId);
  const { settings, schema } = collection;
  return {
    collection: collectionId,
    schema: recordOf(schema, (property) => overridden(collection, property, objectId)),
    items: itemsOf(schema),
    form: settings.formSettings ?? {},
    titleProperty: titlePropertyOf(schema),
    url: addressPattern(settings),
    address: object && settings.url !== "" ? objectUrl(settings, JSON.parse(object.text) as JsonObject) : "",
    passwords: objectId === undefined ? [] : await setPasswords(ctx, collection, objectId),
  };
}

/** Where a password is set, for callers that may set another; never the password or its hash. */
async function setPasswords(ctx: Context, { id, settings, schema }: Collection, objectId: string): Promise<string[]> {
  if (!hasPassword(schema) || !isAllowed(ctx.actor, "update", subjectOf(ctx, id, settings, objectId))) return [];
  const secrets = (await findPresentSecrets(ctx.storage, { id, schema }, objectId)) ?? {};
  return Object.keys(secrets).filter((path) => isPasswordAt(schema, path.split(".")));
}

function hasPassword({ properties }: FlatSchema): boolean {
  return [...properties.values()].some(({ isPassword, item }) => isPassword || (item && hasPassword(item)));
}

/** `password`, `card.password`, `deck.item.password`; files have passwords of their own, which are none of these. */
function isPasswordAt({ properties }: FlatSchema, [name = "", ...inner]: string[]): boolean {
  const property = properties.get(name);
  if (inner.length === 0) return property?.isPassword === true;
  if (!property?.item) return false;
  return isPasswordAt(property.item, property.kind.type === "deck" ? inner.slice(1) : inner);
}

/** Without placeholders the id stands where the settings put it; so do those that do without it. */
function addressPattern({ url, prettyUrl }: Pick<CollectionConfig, "url" | "prettyUrl">): string {
  if (url === "" || /\{\s*id\s*[|}]/.test(url)) return url;
  return url.includes("{") || prettyUrl ? `${url.replace(/\/+$/, "")}/{id}` : `${url}?id={id}`;
}

function recordOf(schema: FlatSchema, define: (property: Property) => PropertyDefinition = plain): SchemaRecord {
  const properties: SchemaRecord["properties"] = {};
  for (const property of schema.properties.values()) properties[property.name] = define(property);
  return { ...schema.record, title: schema.record.title || humanise(schema.id), properties };
}

function plain({ definition, label, item }: Property): PropertyDefinition {
  return { ...definition, label, ...(item && { itemSchema: item.id }) };
}

function overridden({ settings }: Collection, property: Property, objectId: string | undefined): PropertyDefinition {
  const own = objectId === undefined ? undefined : partOf(settings.customProperties, objectId);
  const merged = { ...plain(property), ...formPart(settings.properties, property), ...formPart(own, property) };
  return { ...merged, settings: fieldSettings(settings, objectId ?? "", property) };
}

/** What an override says about the form. An empty label is none. */
function formPart(definitions: JsonObject | undefined, { name }: Property): JsonObject {
  const entries = Object.entries(partOf(definitions, name) ?? {});
  return Object.fromEntries(entries.filter(([key, value]) => !shaping.has(key) && !(key === "label" && value === "")));
}

function partOf(map: JsonObject | undefined, name: string): JsonObject | undefined {
  const part: Json | undefined = map && Object.hasOwn(map, name) ? map[name] : undefined;
  return isJsonObject(part) ? part : undefined;
}

/** All that cards and decks lead to, each once. Where a schema shapes both, the one with an id stands. */
function itemsOf(schema: FlatSchema, found: FormDescription["items"] = {}): FormDescription["items"] {
  for (const { item } of schema.properties.values()) {
    const known = item && found[item.id];
    if (!item || (known && (known.properties.id || !item.properties.has("id")))) continue;
    found[item.id] = recordOf(item);
    itemsOf(item, found);
  }
  return found;
}
