// Objects from elsewhere (imports, sync, snapshots) may be older than a rename: their values go to the present names of
// properties, in cards and deck items too. Pure.

import type { JsonObject } from "#contract/json.ts";
import { moveFormer } from "#schemas/former-names.ts";
import type { FlatSchema } from "#schemas/types.ts";
import { mapShapes } from "./walk.ts";

export function withPresentNames(schema: FlatSchema, values: JsonObject): JsonObject {
  const moved = schema.hasFormer ? moveFormer(schema, values) : values;
  const inner: JsonObject = {};
  for (const property of schema.properties.values()) {
    const { name, item } = property;
    const value = item && Object.hasOwn(moved, name) ? moved[name] : undefined;
    if (item && value !== undefined)
      inner[name] = mapShapes(property, value, (shape) => withPresentNames(item, shape.value));
  }
  return { ...moved, ...inner };
}
