// The shapes that every installation has, as JSON Schema, for the OpenAPI document.

import { operations } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const boolean = { type: "boolean" };
const strings = { type: "array", items: string };
const time = { type: "string", format: "date-time" };

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

export const fixedSchemas: JsonObject = {
  Object: object(
    { id: string, created: { ...time, readOnly: true }, modified: { ...time, readOnly: true } },
    {
      description: "The properties are those of the collection's schema; passwords are never returned.",
      additionalProperties: true,
    },
  ),
  Collection: object({ name: string, title: string, count: integer, schema: string }),
  CollectionSettings: object(
    {
      id: string,
      name: string,
      schema: string,
      description: string,
      url: string,
      prettyUrl: boolean,
      category: string,
      labelPlural: string,
      labelSingular: string,
      groups: strings,
      publicOperations: { type: "array", items: { type: "string", enum: [...operations] } },
      sortBy: string,
      reverseSort: boolean,
      singleton: boolean,
      count: { ...integer, readOnly: true },
      totalObjects: { ...integer, readOnly: true },
      lastUpdated: { ...time, readOnly: true },
      updated: { ...time, readOnly: true },
    },
    { additionalProperties: true },
  ),
  Schema: object(
    {
      id: string,
      name: { ...string, readOnly: true },
      title: string,
      description: string,
      category: string,
      properties: { type: "object", additionalProperties: { type: "object" } },
      required: strings,
      index: strings,
      inheritFrom: strings,
      formgrid: string,
      updated: { ...time, readOnly: true },
    },
    { required: ["id", "properties", "required", "index"] },
  ),
  SchemaSummary: object({ name: string, title: string, description: string, url: string }),
  PropertyValue: object({ property: string, value: { type: "number" } }),
  ReportField: object({ name: string, label: string, type: string }),
  ImportResult: object({
    import_count: { ...integer, description: "Objects created or updated." },
    created: integer,
    updated: integer,
    skipped: integer,
    errorCount: integer,
    errors: {
      type: "array",
      items: object({ row: integer, id: string, message: string, details: { type: "object" } }),
    },
  }),
  Pagination: object({
    total: integer,
    count: integer,
    per_page: integer,
    current_page: integer,
    total_pages: integer,
    next_cursor: string,
  }),
  Error: object(
    {
      error: object(
        {
          code: { ...integer, description: "The HTTP status." },
          message: string,
          details: { type: "object", description: "Property -> messages.", additionalProperties: strings },
        },
        { required: ["code", "message"] },
      ),
    },
    { required: ["error"] },
  ),
};
