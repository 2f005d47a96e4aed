// Walks over the shapes in a document: the object itself, its cards, and the items of its decks.
// The one place that knows how a deck is written: as a list of items, or as an object whose keys are the ids. Pure.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { findFormer } from "#schemas/former-names.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";

/** A card, or an item of a deck. */
export interface InnerShape {
  value: JsonObject;
  /** Of an item. Absent for a card, and for an item that was sent without one. */
  id?: string;
  /** Among the items of its deck. */
  index: number;
}

/** The items of a deck in their order, each with its id; undefined: the value is no deck. */
export function deckItems(value: Json | undefined): Json[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value).map(([id, item]) => (isJsonObject(item) ? { ...item, id } : item));
}

/** The card, or the items of the deck, in a property's value. What is no object is left out. */
export function shapesOf(property: Property, value: Json | undefined): InnerShape[] {
  if (property.kind.type === "card") return isJsonObject(value) ? [{ value, index: 0 }] : [];
  return (deckItems(value) ?? []).flatMap((item, index) => (isJsonObject(item) ? [innerShape(item, index)] : []));
}

/** The value with each card or item changed, written as it was. */
export function mapShapes(property: Property, value: Json, change: (shape: InnerShape) => JsonObject): Json {
  const changed = (item: Json, index: number, id?: string): Json =>
    isJsonObject(item) ? change({ ...innerShape(item, index), ...(id !== undefined && { id }) }) : item;
  if (Array.isArray(value)) return value.map((item, index) => changed(item, index));
  if (!isJsonObject(value)) return value;
  if (property.kind.type === "card") return change({ value, index: 0 });
  return Object.fromEntries(Object.entries(value).map(([id, item], index) => [id, changed(item, index, id)]));
}

function innerShape(value: JsonObject, index: number): InnerShape {
  const { id } = value;
  const hasId = (typeof id === "string" && id !== "") || typeof id === "number";
  return hasId ? { value, id: String(id), index } : { value, index };
}

export type VisitShape = (schema: FlatSchema, shape: JsonObject, path: readonly string[]) => void;

/** Visits the document, then each card and item in it. `path`: from the document to the shape, items by their ids. */
export function eachShape(
  schema: FlatSchema,
  document: JsonObject,
  visit: VisitShape,
  path: readonly string[] = [],
): void {
  visit(schema, document, path);
  for (const property of schema.properties.values()) {
    const { name, item } = property;
    if (!item || !Object.hasOwn(document, name)) continue;
    for (const { value, id } of shapesOf(property, document[name])) {
      eachShape(item, value, visit, property.kind.type === "card" ? [...path, name] : [...path, name, String(id)]);
    }
  }
}

export interface FollowedPath {
  /** The last one on the path that the schema has; absent: the schema has no such property. */
  property?: Property;
  /** From the document to the property. */
  path: string[];
  /** The paths of the deck items on the way. */
  items: string[][];
  /** What the path has behind the property. */
  rest: string[];
}

/** Follows a path of names through cards and decks, as far as they go. */
export function followPath(schema: FlatSchema, path: readonly string[]): FollowedPath {
  const items: string[][] = [];
  let shape = schema;
  for (let at = 0; ; at += 1) {
    const name = path[at] ?? "";
    const property = shape.properties.get(name) ?? findFormer(shape, name);
    const followed = { path: path.slice(0, at + 1), items, rest: path.slice(at + 1) };
    if (!property) return followed;
    const isDeck = property.kind.type === "deck";
    if (!property.item || followed.rest.length <= (isDeck ? 1 : 0)) return { ...followed, property };
    shape = property.item;
    if (!isDeck) continue;
    at += 1;
    items.push(path.slice(0, at + 1));
  }
}
