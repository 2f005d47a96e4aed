// The settings of a field for one object: those of the schema, overridden by the collection's, overridden by the object's own.

import type { CollectionConfig } from "#contract/collections.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import { settingsOf } from "./fields/report.ts";
import type { Property } from "./types.ts";

export function fieldSettings(
  { properties, customProperties }: Pick<CollectionConfig, "properties" | "customProperties">,
  objectId: string,
  property: Property,
): JsonObject {
  if (!properties && !customProperties) return settingsOf(property);
  const own = customProperties?.[objectId];
  return {
    ...settingsOf(property),
    ...settingsIn(properties, property.name),
    ...settingsIn(isJsonObject(own) ? own : undefined, property.name),
  };
}

function settingsIn(definitions: JsonObject | undefined, name: string): JsonObject {
  const definition = definitions && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isJsonObject(definition) && isJsonObject(definition.settings) ? definition.settings : {};
}
