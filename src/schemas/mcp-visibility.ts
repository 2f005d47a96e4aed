// The part of a schema that AI clients see: a property with `mcp: {expose: false}` does not exist for them,
// whatever their rights. Secrets are hidden by default; password properties can be written and never read.

import { perInstance } from "#base/per-instance.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "./types.ts";
import { mapShapes } from "./values/walk.ts";

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
