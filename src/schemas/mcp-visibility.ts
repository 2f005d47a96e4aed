// The part of a schema that AI clients see: a property with `mcp: {expose: false}` does not exist for them,
// whatever their rights. Secrets are hidden by default; password properties can be written and never read.

import { perInstance } from "#base/per-instance.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "./types.ts";
import { type InnerShape, mapShapes, shapesOf } from "./values/walk.ts";

/** The same schema when it hides nothing. */
export const exposedSchema = perInstance(withoutHidden);

function withoutHidden(schema: FlatSchema): FlatSchema {
  const properties = new Map<string, Property>();
  for (const [name, property] of schema.properties) {
    if (!isExposed(property)) continue;
    const item = property.item && exposedSchema(property.item);
    properties.set(name, item === property.item ? property : { ...property, ...(item && { item }) });
  }
  const isWhole = [...schema.properties].every(([name, property]) => properties.get(name) === property);
  return isWhole ? schema : { ...schema, properties, index: schema.index.filter((name) => properties.has(name)) };
}

function isExposed({ name, definition, isPassword }: Property): boolean {
  if (name === "id") return true;
  const { expose } = isJsonObject(definition.mcp) ? definition.mcp : {};
  if (isPassword || definition.field === "secret") return expose === true && !isPassword;
  return expose !== false;
}

/** Description of a property for agents. */
export function exposedDescription({ definition, label }: Property): string {
  const { description } = isJsonObject(definition.mcp) ? definition.mcp : {};
  return [description, definition.help, label].find((text) => typeof text === "string" && text !== "") as string;
}

/** A document without hidden properties. */
export function exposedDocument(schema: FlatSchema, document: JsonObject): JsonObject {
  const shown = exposedSchema(schema);
  return shown === schema ? document : prune(schema, shown, document);
}

function prune(schema: FlatSchema, shown: FlatSchema, document: JsonObject): JsonObject {
  const pruned: JsonObject = {};
  for (const [name, value] of Object.entries(document)) {
    const property = schema.properties.get(name);
    if (property && !shown.properties.has(name)) continue;
    const item = property?.item;
    pruned[name] = item ? mapShapes(property, value, (shape) => exposedDocument(item, shape.value)) : value;
  }
  return pruned;
}

/**
 * Values that agents may write, from an older version: hidden properties of their cards and items stay as they are in the
 * present document. An item that is not there now comes back whole.
 */
export function keepHidden(schema: FlatSchema, values: JsonObject, current: JsonObject): JsonObject {
  const kept = Object.entries(values).map(([name, value]): [string, Json] => {
    const property = schema.properties.get(name);
    const item = property?.item;
    if (!property || !item || exposedSchema(item) === item) return [name, value];
    const now = shapesOf(property, current[name]);
    const isCard = property.kind.type === "card";
    const changed = (shape: InnerShape): JsonObject => {
      const same = now.find(({ id }) => isCard || (id !== undefined && id === shape.id))?.value;
      return same ? mergeHidden(item, shape.value, same) : shape.value;
    };
    return [name, mapShapes(property, value, changed)];
  });
  return Object.fromEntries(kept);
}

function mergeHidden(schema: FlatSchema, value: JsonObject, now: JsonObject): JsonObject {
  const shown = exposedSchema(schema);
  const isShown = ([name]: [string, Json]) => !schema.properties.has(name) || shown.properties.has(name);
  const open = Object.fromEntries(Object.entries(value).filter(isShown));
  const hidden = Object.entries(now).filter((entry) => !isShown(entry));
  return { ...keepHidden(schema, open, now), ...Object.fromEntries(hidden) };
}
