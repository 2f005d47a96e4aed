// Error reports of field kinds, and access to the settings of a property.

import type { JsonObject } from "#contract/json.ts";
import type { Field, Property } from "#schemas/types.ts";

const noSettings: JsonObject = Object.freeze({});

export function settingsOf(property: Property): JsonObject {
  return property.definition.settings ?? noSettings;
}

/** "Price must be a number" is `report(field, "must be a number")`. */
export function report(field: Field, complaint: string): undefined {
  reportAt(field, field.path, `${field.property.label} ${complaint}`);
}

export function reportAt({ write }: Pick<Field, "write">, path: string, message: string): undefined {
  write.problems.push({ path, message });
}
