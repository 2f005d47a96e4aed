// The shapes that every installation has, as JSON Schema, for the OpenAPI document.

import { operations } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import { keyMethods } from "#contract/keys.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const boolean = { type: "boolean" };
const strings = { type: "array", items: string };
const time = { type: "string", format: "date-time" };

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

const resourcePermission = object({
  operations: { type: "array", items: { type: "string", enum: [...operations] } },
  all: boolean,
  allowed: strings,
});
const surfacePermission = object({ all: boolean, allowed: strings });
const sessionUser = object({ id: string, email: string, name: string, groups: strings, isAdmin: boolean });

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
  Session: object(
    { user: sessionUser, csrfToken: string, impersonator: sessionUser },
    { required: ["user", "csrfToken"] },
  ),
  OwnSession: object({
    id: string,
    created: time,
    lastSeen: time,
    address: string,
    agent: string,
    isCurrent: boolean,
  }),
  AccessGroup: object(
    {
      id: { ...string, pattern: "^[a-z0-9-]{1,64}$" },
      description: string,
      permissions: object({
        collectionsMeta: resourcePermission,
        collections: resourcePermission,
        schemas: resourcePermission,
        builder: boolean,
        mailer: boolean,
        playground: boolean,
        dataviews: boolean,
        docs: boolean,
        utils: surfacePermission,
        settings: surfacePermission,
        extensions: surfacePermission,
      }),
    },
    { required: ["id"] },
  ),
  ApiKey: object(
    {
      id: { ...string, readOnly: true },
      name: string,
      key: { ...string, readOnly: true, description: "Only in the answer to the creation." },
      prefix: { ...string, readOnly: true },
      methods: { type: "array", items: { type: "string", enum: [...keyMethods] } },
      endpoints: { ...strings, description: "Path prefixes without `/api`; `*` is every endpoint." },
      created: { ...time, readOnly: true },
      lastUsed: { type: ["string", "null"], format: "date-time", readOnly: true },
    },
    { required: ["name", "methods", "endpoints"] },
  ),
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
