// A site's schema as JSON Schema: the shape of its objects in answers.

import type { JsonObject } from "#contract/json.ts";
import type { PropertyType } from "#contract/schemas.ts";
import { describedSchema } from "#schemas/added-kinds.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { schemasOf, type TypedCollection } from "./typed-collections.ts";

const string = { type: "string" };
const number = { type: "number" };
const file = {
  type: "object",
  properties: { name: string, size: { type: "integer" }, alt: string },
};
const image = {
  type: "object",
  properties: {
    ...file.properties,
    url: string,
    width: { type: "integer" },
    height: { type: "integer" },
    focalpoint: { type: "object", properties: { x: number, y: number } },
  },
};

const simple: Partial<Record<PropertyType, JsonObject>> = {
  array: { type: "array" },
  boolean: { type: "boolean" },
  color: { type: "object" },
  date: { type: "string", format: "date-time" },
  depot: { type: "object" },
  email: { type: "string", format: "email" },
  file,
  gallery: { type: "array", items: image },
  image,
  integer: { type: "integer" },
  json: {},
  list: { type: "array", items: string },
  localizedtext: { type: "object", additionalProperties: string },
  number,
  object: { type: "object" },
  rating: number,
  url: { type: "string", format: "uri-reference" },
};

export function objectSchema(schema: FlatSchema): JsonObject {
  const times = { created: { type: "string", format: "date-time" }, modified: { type: "string", format: "date-time" } };
  return {
    type: "object",
    ...(schema.record.description && { description: schema.record.description }),
    properties: { ...propertiesOf(schema), ...times },
    required: requiredOf(schema),
  };
}

/** What a create or a replace takes. */
export function inputSchema(schema: FlatSchema): JsonObject {
  const required = requiredOf(schema).filter((name) => name !== "id");
  return { type: "object", properties: sentProperties(schema), ...(required.length > 0 && { required }) };
}

/** What a patch takes. */
export function changeSchema(schema: FlatSchema): JsonObject {
  return { type: "object", properties: sentProperties(schema) };
}

/** Without defaults: generators take a property with one for required. */
function sentProperties(schema: FlatSchema): JsonObject {
  const properties = Object.entries(propertiesOf(schema)) as [string, JsonObject][];
  return Object.fromEntries(properties.map(([name, { default: _, ...rest }]) => [name, rest]));
}

/** All of them as one JSON Schema: an object with the schema of each collection. */
export function collectionsSchema(collections: readonly TypedCollection[]): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: Object.fromEntries(collections.map(({ id, schema }) => [id, { $ref: `#/$defs/${schema.id}` }])),
    $defs: Object.fromEntries(schemasOf(collections).map((schema) => [schema.id, objectSchema(schema)])),
  };
}

function propertiesOf(schema: FlatSchema): JsonObject {
  return Object.fromEntries(
    [...schema.properties.values()].map((property) => [property.name, propertySchema(property)]),
  );
}

function requiredOf(schema: FlatSchema): string[] {
  return [...schema.properties.values()].filter(({ isRequired }) => isRequired).map(({ name }) => name);
}

function propertySchema(property: Property): JsonObject {
  const { definition, label, isPassword, kind } = property;
  // Defaults of dates may be words, such as `now`.
  const hasPlainDefault = definition.default !== undefined && !isPassword && kind.type !== "date";
  return {
    ...shape(property),
    title: label,
    ...(typeof definition.help === "string" && { description: definition.help }),
    ...(definition.enum && { enum: definition.enum }),
    ...(hasPlainDefault && { default: definition.default }),
    ...(isPassword && { writeOnly: true }),
  };
}

function shape({ kind, item, added }: Property): JsonObject {
  if (added) return { ...(describedSchema(added) ?? simple[kind.type] ?? string), "x-field": added.name };
  if (kind.type === "card" && item) return itemSchema(item);
  if (kind.type === "deck") return { type: "array", items: item ? itemSchema(item) : { type: "object" } };
  return simple[kind.type] ?? string;
}

function itemSchema(item: FlatSchema): JsonObject {
  return { type: "object", properties: propertiesOf(item), required: requiredOf(item) };
}
