// The relations of a schema: its properties that hold ids of objects, its own and those in cards and decks. Pure.

import { perInstance } from "#base/per-instance.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { type OnDelete, type OnMissing, relationTarget } from "#rules/relations.ts";
import type { FlatSchema, Property } from "./types.ts";
import { mapShapes, shapesOf } from "./values/walk.ts";

export interface Relation {
  /** Dotted, from the object to the property: `author`, `ingredients.product`. */
  name: string;
  path: readonly string[];
  property: Property;
  /** The collection that the ids are in. */
  target: string;
  onMissing: OnMissing;
  onDelete: OnDelete;
}

/** One object that a document refers to, by one of its relations. */
export interface Reference {
  property: string;
  collection: string;
  id: string;
}

/** In the order of the schema. */
export const relationsOf = perInstance((schema: FlatSchema): readonly Relation[] => {
  const found: Relation[] = [];
  for (const property of schema.properties.values()) {
    const inner = property.item ? relationsOf(property.item) : [];
    for (const relation of inner) {
      const path = [property.name, ...relation.path];
      found.push({ ...relation, path, name: path.join(".") });
    }
    const target = property.isPassword ? undefined : relationTarget(property.definition);
    if (target === undefined || property.item || property.name === "id") continue;
    const { onMissing, onDelete } = property.definition;
    found.push({
      name: property.name,
      path: [property.name],
      property,
      target,
      onMissing: onMissing === "refuse" ? onMissing : "keep",
      onDelete: onDelete === "refuse" || onDelete === "clear" ? onDelete : "keep",
    });
  }
  return found;
});

/** The ids in the value of a relation, which is one or a list of them. */
export function idsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value === "number") return [String(value)];
  return typeof value === "string" && value !== "" ? [value] : [];
}

/** The ids that a document holds in one of its relations. */
export function idsOf(schema: FlatSchema, document: JsonObject, path: readonly string[]): string[] {
  const [name = "", ...rest] = path;
  if (!Object.hasOwn(document, name)) return [];
  if (rest.length === 0) return idsIn(document[name]);
  const property = schema.properties.get(name);
  const item = property?.item;
  if (!item) return [];
  return shapesOf(property, document[name]).flatMap(({ value }) => idsOf(item, value, rest));
}

/** Each once. */
export function referencesIn(schema: FlatSchema, document: JsonObject): Reference[] {
  return relationsOf(schema).flatMap(({ name, path, target }) =>
    [...new Set(idsOf(schema, document, path))].map((id) => ({ property: name, collection: target, id })),
  );
}

/** The document without an id in one of its relations, or without all of them; items of decks stay. */
export function withoutId(schema: FlatSchema, document: JsonObject, path: readonly string[], id?: string): JsonObject {
  const [name = "", ...rest] = path;
  const value = document[name];
  if (value === undefined) return document;
  if (rest.length === 0) return { ...document, [name]: cleared(value, id) };
  const property = schema.properties.get(name);
  const item = property?.item;
  if (!item) return document;
  const changed = mapShapes(property, value, ({ value: shape }) => withoutId(item, shape, rest, id));
  return { ...document, [name]: changed };
}

function cleared(value: Json, id: string | undefined): Json {
  const isOut = (one: Json) => (id === undefined ? idsIn(one).length > 0 : idsIn(one).includes(id));
  if (Array.isArray(value)) return value.filter((one) => isJsonObject(one) || !isOut(one));
  return isOut(value) ? null : value;
}
