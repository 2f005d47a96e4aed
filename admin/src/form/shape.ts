// What lies at a path of an object: properties of its schema, of its cards and of the items of its decks. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import { itemKey, itemLabel, itemSchemaOf, itemsIn } from "#fields/items.ts";
import { type FieldProperty, isKept, readProperty, shownProperties } from "#fields/property.ts";
import { pathIn, type Value, valueAt } from "./values.ts";

export interface Shape {
  schema: SchemaRecord;
  /** Schemas of cards and decks, by id. */
  items: Readonly<Record<string, SchemaRecord>>;
  isNew: boolean;
}

export interface Place {
  property: FieldProperty;
  /** The path of what it lies in; empty at the top. */
  parent: string;
}

/** Undefined for an item of a deck itself, and for what no schema describes. */
export function placeOf({ schema: top, items, isNew }: Shape, path: string): Place | undefined {
  const parts = path.split(".");
  let schema: SchemaRecord | undefined = top;
  let parent = "";
  for (let at = 0; schema && at < parts.length; at++) {
    const name = parts[at] as string;
    if (!Object.hasOwn(schema.properties, name)) return undefined;
    const property = readProperty(schema, name, isNew);
    if (at === parts.length - 1) return { property, parent };
    parent = pathIn(parent, name);
    schema = itemSchemaOf(property, items);
    if (property.type !== "deck") continue;
    at += 1;
    parent = pathIn(parent, parts[at] as string);
  }
  return undefined;
}

/** Labels on the way to a path: "Address", "Street"; of items their own names. */
export function labelsOf(shape: Shape, path: string, values: JsonObject): string[] {
  const labels: string[] = [];
  const parts = path.split(".");
  for (let at = 0; at < parts.length; at++) {
    const here = parts.slice(0, at + 1).join(".");
    const property = placeOf(shape, here)?.property;
    if (property) labels.push(property.label);
    if (!property || at + 1 === parts.length) {
      if (!property) labels.push(parts[at] as string);
      continue;
    }
    if (property.type !== "deck") continue;
    at += 1;
    const item = valueAt(values, parts.slice(0, at + 1).join("."));
    labels.push((isJsonObject(item) && itemLabel(property, item)) || (parts[at] as string));
  }
  return labels;
}

/** The fields of a card or of an item. The id is shown where the layout names it. */
export function innerProperties(schema: SchemaRecord, isNew: boolean): FieldProperty[] {
  const named = new Set((schema.formgrid ?? "").split(/\s+/));
  return shownProperties(schema, isNew).filter(({ name }) => name !== "id" || named.has("id"));
}

/** The objects in a card or deck, each with its path in the value. */
export function objectsIn(property: FieldProperty, value: Value): [key: string, object: JsonObject][] {
  if (property.type === "card") return isJsonObject(value) ? [["", value]] : [];
  if (property.type === "deck") return itemsIn(value).map((item, at) => [itemKey(item, at), item]);
  return [];
}

/** What of a value may be kept on the device: no secrets and no files, also not those of cards and items. */
export function keptPart(property: FieldProperty, value: Json, items: Shape["items"]): Json {
  const schema = itemSchemaOf(property, items);
  if (!schema) return value;
  const part = (object: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, inner]) => {
        if (!Object.hasOwn(schema.properties, name)) return [[name, inner]];
        const own = readProperty(schema, name, false);
        return isKept(own) ? [[name, keptPart(own, inner, items)]] : [];
      }),
    );
  if (property.type === "deck" && Array.isArray(value))
    return value.map((item) => (isJsonObject(item) ? part(item) : item));
  return isJsonObject(value) ? part(value) : value;
}

/** A kept value with what was left out of it, as it is stored. */
export function restored(property: FieldProperty, kept: Json, stored: Value, items: Shape["items"]): Json {
  const schema = itemSchemaOf(property, items);
  if (!schema) return kept;
  const whole = (object: JsonObject, base: Value): JsonObject => {
    const from = isJsonObject(base) ? base : {};
    const made = { ...object };
    for (const name of Object.keys(schema.properties)) {
      const own = readProperty(schema, name, false);
      const inner = made[name];
      if (!isKept(own)) {
        if (from[name] !== undefined) made[name] = from[name];
      } else if (inner !== undefined) made[name] = restored(own, inner, from[name], items);
    }
    return made;
  };
  if (property.type === "deck" && Array.isArray(kept))
    return kept.map((item) =>
      isJsonObject(item) ? whole(item, typeof item.id === "string" ? valueAt(stored ?? [], item.id) : undefined) : item,
    );
  return isJsonObject(kept) ? whole(kept, stored) : kept;
}
