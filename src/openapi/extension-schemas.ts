// Extensions as the API shows them, as JSON Schema, for the OpenAPI document. Their types are contract/extensions.ts.

import { operations } from "#contract/collections.ts";
import { extensionSources, extensionStates } from "#contract/extensions.ts";
import type { JsonObject } from "#contract/json.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const boolean = { type: "boolean" };
const nullable = { type: ["string", "null"] };
const strings = { type: "array", items: string };
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const capability = object({
  name: { ...string, description: "Of its switch: `routes:near`, `hosts:geo.example.org`." },
  kind: { ...string, description: "The kind of contribution, or `permission`." },
  about: { ...string, description: "What it adds or may do, in a sentence." },
  sensitive: boolean,
  on: boolean,
});
const permissions = object({
  collections: {
    type: "object",
    description: "By collection, or `*` for all but the service's own.",
    additionalProperties: listOf({ type: "string", enum: [...operations] }),
  },
  ...{ hosts: strings, mail: boolean, files: boolean, jobs: boolean },
});

export const extensionSchemas: JsonObject = {
  Extension: object({
    id: { ...string, description: "`{vendor}/{name}`" },
    ...{ name: string, version: string, description: string, author: string },
    source: { type: "string", enum: [...extensionSources] },
    runtime: { type: "string", enum: ["node", "sandbox"] },
    ...{ api: integer, enabled: boolean },
    state: { type: "string", enum: [...extensionStates] },
    error: nullable,
    capabilities: listOf(capability),
    permissions,
    settings: { ...boolean, description: "Whether it has settings." },
    assetsBase: {
      ...nullable,
      description: "Where its files for browsers are; null: it is not enabled, or has none.",
    },
    deprecations: strings,
    stats: object(
      { calls: integer, errors: integer, crashes: integer, p95: { type: "number", description: "Milliseconds." } },
      { description: "Of the process that answers, since its start." },
    ),
  }),
  ExtensionDetails: {
    allOf: [
      ref("Extension"),
      object({
        manifest: { type: ["object", "null"], description: "As extension.json has it." },
        settingsSchema: { type: ["object", "null"] },
        fingerprint: { ...string, description: "What `approve` names." },
        approved: { ...nullable, description: "The fingerprint that was approved." },
        difference: { ...listOf(capability), description: "What it asks for beyond what was approved." },
        code: object({ files: integer, bytes: integer, hash: string }),
        reviewNote: nullable,
        hidden: { ...strings, description: "Folders of the same id that this one hides." },
        uses: object(
          { properties: strings, schemas: strings, collections: strings, pages: strings, forms: strings },
          { description: "Where its field kinds, schemas, page steps, templates and form actions are used." },
        ),
        errors: { ...listOf(ref("ExtensionLogLine")), description: "Its last crashes." },
      }),
    ],
  },
  ExtensionEnabling: object({
    approve: { ...string, description: "The fingerprint that was reviewed." },
    switches: {
      type: "object",
      description: "By capability; false switches it off.",
      additionalProperties: boolean,
    },
  }),
  ExtensionLogLine: object({
    id: integer,
    at: { type: "string", format: "date-time" },
    level: { type: "string", enum: ["debug", "info", "warn", "error"] },
    text: string,
    data: {},
  }),
};
