// The answers that the admin is made from, as JSON Schema, for the OpenAPI document. Their types are contract/admin.ts.

import { depotOperations, maxDepotPaths } from "#contract/admin.ts";
import { operations } from "#contract/collections.ts";
import { baseTypes, navGroups } from "#contract/extensions.ts";
import { historyModes } from "#contract/history.ts";
import type { JsonObject } from "#contract/json.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const boolean = { type: "boolean" };
const strings = { type: "array", items: string };
const time = { type: "string", format: "date-time" };
const operationList = { type: "array", items: { type: "string", enum: [...operations] } };
const schemaRecord = { $ref: "#/components/schemas/Schema" };

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });

/** The address of a file, folder or depot. */
const fileChoice = {
  collection: string,
  id: string,
  path: { ...string, description: "Below the object, separated by slashes: `papers/2026/report.pdf`." },
};
const user = object({ id: string, email: string, name: string, groups: strings });
const nullable = { type: ["string", "null"] };
const ofExtension = { extension: string, extensionName: string };
const ofElement = { ...ofExtension, frame: boolean, assets: string };
const view = object({ name: string, query: string });

export const adminSchemas: JsonObject = {
  DepotChange: object(
    {
      operation: { type: "string", enum: [...depotOperations] },
      paths: {
        ...strings,
        minItems: 1,
        maxItems: maxDepotPaths,
        description: "Of files and folders, below the depot.",
      },
      destination: { ...string, description: "Of a move: the folder to move to; empty: the top." },
      name: { ...string, description: "Of a renaming: the new last name." },
    },
    { required: ["operation", "paths"] },
  ),
  FileLinkRequest: object(
    {
      ...fileChoice,
      password: { ...string, description: "Of the file; where there is none, any text." },
      expires: { ...string, description: "A duration such as P7D." },
    },
    { required: ["collection", "id", "path", "password"] },
  ),
  FileLink: object({ pwd: string, download: string, stream: string, isRight: boolean }),
  FileProtection: object({ protected: boolean, hasPassword: boolean, lockedBy: string, groups: strings }),
  FileProtectionChange: object(
    { ...fileChoice, protected: boolean, password: { type: ["string", "null"], description: "null removes it." } },
    { required: ["collection", "id", "path"] },
  ),
  TemplatePreview: object({
    html: string,
    errors: listOf(object({ line: integer, column: integer, message: string, template: string })),
  }),
  AdminStart: object({
    user,
    csrfToken: string,
    impersonator: { ...user, description: "The administrator who acts as `user`." },
    can: object({
      admin: boolean,
      builder: boolean,
      mailer: boolean,
      playground: boolean,
      dataviews: boolean,
      docs: boolean,
      collectionsMeta: operationList,
      schemas: operationList,
      utils: strings,
    }),
    site: object({
      name: string,
      url: string,
      version: string,
      edition: string,
      environment: string,
      timezone: string,
      locales: strings,
      mail: boolean,
      oauth: boolean,
      mcp: boolean,
      passkeys: boolean,
      maxUploadSize: integer,
    }),
    collections: listOf(
      object({
        id: string,
        name: string,
        category: string,
        labelSingular: string,
        labelPlural: string,
        schema: string,
        count: integer,
        singleton: boolean,
        sortBy: string,
        reverseSort: boolean,
        hasUrl: boolean,
        history: { type: "string", enum: [...historyModes] },
        drafts: boolean,
        locales: strings,
        views: listOf(view),
        operations: operationList,
        canConfigure: boolean,
      }),
    ),
    attention: object(
      {
        ...{ failedJobs: integer, disabledAutomations: integer, failedDeliveries: integer },
        ...{ stoppedExtensions: integer, siteErrors: integer },
      },
      { description: "A count that the caller may not see is absent; 1000 stands for so many or more." },
    ),
    extensions: object(
      {
        pages: listOf(
          object({
            ...ofElement,
            ...{ name: string, title: string, path: string, icon: nullable, element: string },
            nav: { type: "string", enum: [...navGroups] },
          }),
        ),
        fields: listOf(
          object({
            ...ofElement,
            ...{ kind: string, field: string, title: string, element: nullable, cell: nullable },
            type: { type: "string", enum: [...baseTypes] },
          }),
        ),
        formActions: listOf(object({ ...ofExtension, name: string, title: string })),
        pageSteps: listOf(object({ ...ofExtension, name: string, title: string, protects: boolean })),
      },
      {
        description:
          "What enabled extensions add for this user: of those that a group of theirs holds, for administrators of all.",
      },
    ),
    steps: object(
      { hasKey: boolean, hasAgent: boolean },
      { description: "For administrators: whether there is an API key, and whether an AI client has been connected." },
    ),
  }),
  FormDescription: object({
    collection: string,
    schema: schemaRecord,
    items: { type: "object", additionalProperties: schemaRecord },
    form: { type: "object" },
    titleProperty: string,
    url: string,
    address: string,
    passwords: strings,
  }),
  FoundObject: object(
    { collection: string, id: string, title: string, image: string, modified: time, by: { type: "object" } },
    { required: ["collection", "id", "title", "modified"] },
  ),
  SystemReport: object({
    ...{ version: string, node: string, engine: string, edition: string, dataDir: string, projectDir: string },
    counts: object({ schemas: integer, collections: integer, objects: integer, keys: integer }),
    files: { type: "string", enum: ["disk", "s3"] },
    uptimeSeconds: integer,
    disk: { ...object({ free: integer, total: integer }), type: ["object", "null"], description: "In bytes." },
    checks: listOf(
      object({
        id: string,
        level: { type: "string", enum: ["good", "warn", "bad"] },
        message: string,
        cure: { type: "string", description: "What to do; empty where nothing is wrong." },
      }),
    ),
  }),
  CacheReport: object({
    caches: listOf(
      object({
        name: string,
        about: { type: "string", description: "What is kept, and until when." },
        place: { type: "string", enum: ["memory", "files"] },
        shared: { type: "boolean", description: "All processes of a machine use the same entries." },
        clearable: { type: "boolean", description: "False: it is cleared together with everything else, never alone." },
        entries: integer,
        bytes: integer,
        capacity: { type: "integer", description: "The most bytes that it takes." },
        hits: { type: "integer", description: "Since the start of each process." },
        misses: { type: "integer", description: "Since the start of each process." },
        rate: {
          type: ["number", "null"],
          description: "Hits by lookups, from 0 to 1; null where nothing was looked up.",
        },
        evictions: { type: "integer", description: "Entries that were dropped to make room." },
        oldest: { type: ["string", "null"], description: "No entry is older; null where there is none." },
      }),
    ),
    processes: listOf(
      object({ id: string, started: string, bytes: { type: "integer", description: "Of all its caches, in memory." } }),
    ),
    images: object({
      files: integer,
      bytes: integer,
      limit: integer,
      isCounting: { type: "boolean", description: "Files are still being counted: the numbers may grow." },
      byCollection: listOf(object({ collection: string, files: integer, bytes: integer })),
    }),
  }),
  ServerConfig: object({
    detected: {
      type: ["string", "null"],
      description: "The proxy that the request came through, as far as its headers tell.",
    },
    text: { type: "string", description: "The configuration, to be copied." },
  }),
};
