// Requests and answers of undo, as JSON Schema, for the OpenAPI document. Their types are contract/history.ts.

import { undoMarks } from "#contract/history.ts";
import type { JsonObject } from "#contract/json.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const strings = { type: "array", items: string };
const messages = { type: "object", additionalProperties: strings };

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });

const author = object(
  { writer: string, actor: string, door: string },
  { required: ["writer", "actor", "door"], additionalProperties: true },
);

const item = object(
  {
    collection: string,
    id: string,
    action: { ...string, enum: ["revert", "delete", "restore", "keep"] },
    properties: listOf(
      object(
        {
          name: string,
          from: { description: "As it is; null where it is absent." },
          to: { description: "As it will be." },
          status: { ...string, enum: ["clean", "superseded", "lost", "conflict"] },
          by: { ...author, description: "Who changed it later." },
        },
        { required: ["name", "status"] },
      ),
    ),
    conflict: { ...string, enum: ["edited", "taken", "lost", "invalid", "missing", "forbidden"] },
    details: { ...messages, description: "Of the conflict `invalid`: messages by property." },
  },
  { required: ["collection", "id", "action", "properties"] },
);

export const undoSchemas: JsonObject = {
  UndoRequest: object(
    {
      by: object(Object.fromEntries(undoMarks.map((mark) => [mark, string])), {
        minProperties: 1,
        maxProperties: 1,
        description: "Whose writes. `import` is the id of its job, or the run of a sync or an undo.",
      }),
      since: { ...string, description: "Only changes from this time on: an ISO time, or a duration before now." },
      until: { ...string, description: "Only changes before this time, in the same form." },
      collections: strings,
      limit: { ...integer, minimum: 0, default: 50, description: "Items in a page, at most 100." },
      offset: { ...integer, minimum: 0, default: 0 },
      apply: { ...string, description: "The plan of the preview: it is carried out." },
      force: {
        ...strings,
        description: "`{collection}/{id}` of objects that are deleted although others have edited them.",
      },
    },
    { required: ["by"] },
  ),
  UndoPreview: object(
    {
      plan: { ...string, description: "Names exactly this plan, for `apply`." },
      summary: object({
        objects: integer,
        reverted: integer,
        deleted: integer,
        restored: integer,
        superseded: { ...integer, description: "Properties that others changed later." },
        conflicts: { ...integer, description: "Objects." },
        lost: { ...integer, description: "Properties and objects whose old values are not kept." },
      }),
      items: listOf(item),
    },
    { required: ["plan", "summary", "items"] },
  ),
};
