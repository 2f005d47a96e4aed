// Sync and backups, as JSON Schema, for the OpenAPI document. Their types are contract/transfer.ts.

import type { JsonObject } from "#contract/json.ts";
import { syncCategories } from "#contract/transfer.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const boolean = { type: "boolean" };
const strings = { type: "array", items: string };
const time = { type: "string", format: "date-time" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

const item = {
  kind: { type: "string", enum: ["schema", "template", "collection", "object", "redirect"] },
  id: string,
  collection: string,
};
const side = { type: "string", enum: ["local", "remote"] };
const direction = { type: "string", enum: ["push", "pull"] };
const content = { type: ["object", "null"], additionalProperties: true };
const compared = {
  direction,
  remote: string,
  compared: boolean,
  items: {
    type: "array",
    items: object({
      ...item,
      status: { type: "string", enum: ["differs", "new", "identical", "receiver-only"] },
      newer: side,
      isLikely: boolean,
      warning: string,
      local: time,
      remote: time,
    }),
  },
  sent: boolean,
  missing: { type: "array", items: object(item) },
  unreachable: string,
};

export const transferSchemas: JsonObject = {
  SyncRemote: object({ configured: boolean, url: string, reachable: boolean, version: string, problem: string }),
  SyncRequest: object({
    direction: { ...direction, description: "Of a comparison." },
    selection: object(
      Object.fromEntries(syncCategories.map((category) => [category, { oneOf: [{ const: true }, strings] }])),
      { description: "By category all (`true`) or some ids. Without selection and objects: everything but seeding." },
    ),
    objects: { ...strings, description: "To be seeded by a push: `collection` or `collection:id,id`." },
    overwrite: { ...boolean, description: "Seeded objects replace those that exist." },
    keepNewer: { ...boolean, description: "Refuse with 412 where the receiver has the newer copy." },
  }),
  SyncComparison: object(compared),
  SyncDone: object({ ...compared, result: { $ref: "#/components/schemas/ImportReport" }, failure: string }),
  SyncDifference: object({ local: content, remote: content }),
  Backup: object({ name: string, size: integer, created: time }),
  BackupPlace: object({
    disk: { type: ["object", "null"], properties: { free: integer, total: integer } },
    job: { type: ["string", "null"], description: "The backup that is queued or running." },
  }),
};
