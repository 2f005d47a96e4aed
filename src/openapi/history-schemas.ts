// The schemas of the history and of the trash, as JSON Schema, for the OpenAPI document.

import { changeKinds, doors } from "#contract/history.ts";
import type { JsonObject } from "#contract/json.ts";

const string = { type: "string" };
const time = { type: "string", format: "date-time" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const named = object({ id: string, name: string });

const author = object(
  {
    ...{ writer: string, actor: string, user: string, impersonator: string, client: named, grant: string, key: named },
    ...{ automation: string, door: { type: "string", enum: [...doors] }, run: string },
  },
  { required: ["writer", "actor", "door"] },
);

export const historySchemas: JsonObject = {
  Change: object({
    ...{ change: string, at: time, collection: string, id: string },
    kind: { type: "string", enum: [...changeKinds] },
    properties: { type: "array", items: string, description: "The names of the properties that differ; of an update." },
    rev: { type: "integer" },
    by: author,
    note: string,
    hasContent: { type: "boolean", description: "The values that it replaced are kept." },
  }),
  ChangedProperty: object({ property: string, label: string, from: {}, to: {} }),
  TrashEntry: object({
    ...{ change: string, collection: string, id: string, title: string, deleted: time, by: author },
    until: { ...time, description: "When it is gone for good." },
  }),
};
