// The schemas that every installation has, as JSON Schema, for the OpenAPI document.

import { operations } from "#contract/collections.ts";
import type { JsonObject } from "#contract/json.ts";
import { keyMethods } from "#contract/keys.ts";
import { mentionKinds } from "#contract/schemas.ts";
import { scopes } from "#contract/scopes.ts";
import { adminSchemas } from "./admin-schemas.ts";
import { extensionSchemas } from "./extension-schemas.ts";
import { historySchemas } from "./history-schemas.ts";
import { oversightSchemas } from "./oversight-schemas.ts";
import { transferSchemas } from "./transfer-schemas.ts";
import { undoSchemas } from "./undo-schemas.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const boolean = { type: "boolean" };
const strings = { type: "array", items: string };
const numbers: JsonObject = { type: "object", additionalProperties: integer };
const time = { type: "string", format: "date-time" };
const scopeList = { type: "array", items: { type: "string", enum: [...scopes] } };

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

const resourcePermission = object({
  operations: { type: "array", items: { type: "string", enum: [...operations] } },
  all: boolean,
  allowed: strings,
});
const surfacePermission = object({ all: boolean, allowed: strings });
const itemRefs = {
  type: "array",
  items: object({
    kind: { type: "string", enum: ["schema", "template", "collection", "object"] },
    id: string,
    collection: string,
  }),
};
const snapshot = {
  kind: { type: "string", enum: ["schema", "collection", "object"] },
  collection: string,
  id: string,
  file: string,
  created: time,
};
const sessionUser = object({ id: string, email: string, name: string, groups: strings, isAdmin: boolean });

export const fixedSchemas: JsonObject = {
  ...historySchemas,
  ...adminSchemas,
  ...extensionSchemas,
  ...oversightSchemas,
  ...transferSchemas,
  ...undoSchemas,
  Object: object(
    { id: string, created: { ...time, readOnly: true }, modified: { ...time, readOnly: true } },
    {
      description: "The properties are those of the collection's schema; passwords are never returned.",
      additionalProperties: true,
    },
  ),
  Job: object({
    id: string,
    kind: string,
    subject: string,
    status: { type: "string", enum: ["queued", "running", "succeeded", "failed"] },
    attempts: integer,
    maxAttempts: integer,
    createdAt: time,
    runAt: time,
    startedAt: time,
    finishedAt: time,
    cancelledAt: time,
    canCancel: boolean,
    progress: object({ done: integer, total: integer }),
    result: {},
    error: string,
  }),
  BulkRequest: object(
    {
      operation: { type: "string", enum: ["patch", "delete"] },
      ids: { ...strings, maxItems: 10_000 },
      select: object(
        { search: string, filter: { type: "object", additionalProperties: true } },
        { description: "In place of ids: search and filter as lists take them." },
      ),
      expect: { ...integer, minimum: 0, description: "How many objects the change shall reach." },
      body: { type: "object", additionalProperties: true, description: "Of a patch: the properties to set." },
    },
    { required: ["operation", "expect"] },
  ),
  BulkResult: object({
    done: integer,
    failed: {
      type: "array",
      items: object({ id: string, message: string, details: { type: "object", additionalProperties: strings } }),
    },
    run: { ...string, description: "Where the collection keeps its history in full: `POST /api/undo` by `import`." },
  }),
  Presence: object({
    others: { type: "array", items: object({ id: string, name: string, editing: boolean, since: time }) },
    etag: string,
    modified: time,
  }),
  Snapshot: object(snapshot),
  SnapshotContent: object({ ...snapshot, content: { type: "object", additionalProperties: true } }),
  SnapshotRestored: object({ ...snapshot, replaced: { type: ["string", "null"] } }),
  Run: object({
    runId: string,
    status: { type: "string", enum: ["queued", "running", "succeeded", "failed"] },
    trigger: string,
    queuedAt: time,
    startedAt: time,
    finishedAt: time,
    cancelledAt: time,
    durationMs: integer,
    attempts: integer,
    result: {},
    error: string,
    log: strings,
  }),
  RunDetails: {
    allOf: [
      { $ref: "#/components/schemas/Run" },
      object({ args: { type: "object" }, event: { type: ["object", "null"] }, request: { type: ["object", "null"] } }),
    ],
  },
  AutomationState: object({
    id: string,
    name: string,
    category: string,
    enabled: boolean,
    autoDisabled: boolean,
    triggers: strings,
    open: boolean,
    lastRuns: {
      type: "array",
      items: object({
        runId: string,
        status: { type: "string", enum: ["succeeded", "failed"] },
        finishedAt: time,
        durationMs: integer,
        error: string,
      }),
    },
    queued: integer,
    running: integer,
    next: time,
  }),
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
      views: { type: "array", items: object({ name: string, query: string }) },
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
  SchemaSummary: object(
    {
      ...{ name: string, title: string, description: string, url: string },
      ...{
        category: string,
        isBuiltIn: boolean,
        extension: { type: ["string", "null"] },
        properties: integer,
        inheritFrom: strings,
      },
      usedBy: strings,
    },
    { required: ["name", "title", "description", "url"] },
  ),
  SchemaFinding: object(
    { schema: string, level: { type: "string", enum: ["error", "warning"] }, property: string, message: string },
    { required: ["schema", "level", "message"] },
  ),
  SchemaPlan: object({
    collections: { type: "array", items: object({ id: string, objects: integer }) },
    hasOthers: { ...boolean, description: "It concerns collections that the caller may not read too." },
    added: strings,
    removed: { type: "array", items: object({ property: string, filled: integer, collections: numbers }) },
    renamed: { type: "array", items: object({ from: string, to: string, filled: integer, collections: numbers }) },
    retyped: {
      type: "array",
      items: object({ property: string, from: string, to: string, unfit: integer, collections: numbers }),
    },
    newlyRequired: { type: "array", items: object({ property: string, lacking: integer, collections: numbers }) },
    index: object({ added: strings, removed: strings, objects: integer }),
    children: strings,
    findings: { type: "array", items: { $ref: "#/components/schemas/SchemaFinding" } },
    mentions: {
      type: "array",
      items: object(
        {
          property: string,
          kind: { type: "string", enum: [...mentionKinds] },
          id: string,
          collection: { ...string, description: "Of a saved query or view." },
          line: { ...integer, description: "Of a text: the first line that names it." },
        },
        { required: ["property", "kind", "id"] },
      ),
    },
    counted: object({ objects: integer, isComplete: boolean, ms: integer }),
  }),
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
    ignored: {
      type: "array",
      description: "Properties of rows that the schema does not have, with the name that was probably meant.",
      items: object({ name: string, meant: string }, { required: ["name"] }),
    },
    dryRun: { type: "boolean", description: "`true`: nothing was stored." },
    run: { ...string, description: "Where the collection keeps its history in full: `POST /api/undo` by `import`." },
    rows: {
      type: "array",
      description: "Of a dry run: the first 20 rows.",
      items: object({
        row: integer,
        done: { type: "string", enum: ["created", "updated", "skipped", "refused"] },
        id: string,
        object: { type: "object", description: "As it would be stored." },
      }),
    },
  }),
  JumpstartDefinition: object(
    {
      version: string,
      name: string,
      description: string,
      schemas: { type: "array", items: { $ref: "#/components/schemas/Schema" } },
      collections: object({
        reserved: { type: "array", items: {}, description: "Ids, or settings with an id." },
        custom: { type: "array", items: { $ref: "#/components/schemas/CollectionSettings" } },
      }),
      templates: { type: "array", items: object({ id: string, template: string, updated: time }) },
      objects: { type: "array", items: object({ collection: string, id: string, data: { type: "object" } }) },
      factory: {
        type: "array",
        items: object({ collection: string, count: integer, id: string, data: { type: "object" } }),
      },
    },
    { description: "Passwords and uploaded files are never in it." },
  ),
  ImportReport: object({
    created: itemRefs,
    updated: itemRefs,
    unchanged: itemRefs,
    skipped: itemRefs,
    errors: itemRefs,
    dryRun: boolean,
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
      id: { ...string, pattern: "^[a-z0-9][a-z0-9-]{0,63}$" },
      description: string,
      permissions: object({
        collectionsMeta: resourcePermission,
        collections: resourcePermission,
        schemas: resourcePermission,
        builder: {
          ...boolean,
          description:
            "Templates and pages. Their scripts run in the browsers of everybody who looks at the site, administrators included.",
        },
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
      endpoints: {
        ...strings,
        description:
          "Path prefixes without `/api`; `*` is every endpoint. Any other key reaches users, automations and data views only " +
          "where an endpoint names their collection, and two endpoints open no more together than apart. " +
          "`/automations` opens the webhooks, `/automations-admin` manual runs. " +
          "`*`, `/sync` and `/settings` amount to an administrator.",
      },
      published: {
        ...boolean,
        default: false,
        description: "The key sees no drafts and changes only objects.",
      },
      created: { ...time, readOnly: true },
      lastUsed: { type: ["string", "null"], format: "date-time", readOnly: true },
    },
    { required: ["name", "methods", "endpoints"] },
  ),
  OAuthClient: object(
    {
      id: { ...string, readOnly: true },
      name: string,
      redirectUris: { ...strings, description: "Compared exactly, character by character." },
      scopes: { ...scopeList, description: "Scopes that it may request." },
      confidential: { ...boolean, description: "It has a secret and authenticates by it." },
      secret: { ...string, readOnly: true, description: "Only in the answer to the creation." },
      origin: { ...string, readOnly: true, description: "`static`: created here; otherwise it registered itself." },
      created: { ...time, readOnly: true },
      lastUsed: { type: ["string", "null"], format: "date-time", readOnly: true },
      grants: { ...integer, readOnly: true, description: "Number of users that have approved it." },
    },
    { required: ["name", "redirectUris"] },
  ),
  OAuthGrant: object({
    id: string,
    clientId: string,
    clientName: string,
    clientOrigin: string,
    userId: { ...string, description: "The user that approved." },
    userName: { ...string, description: "The name of the user, else the email address." },
    scopes: scopeList,
    resource: { ...string, description: "Resource that its tokens open." },
    created: time,
    lastUsed: { type: ["string", "null"], format: "date-time" },
    expires: time,
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
