// The answers about grants, signing keys, logs and the MCP endpoint, as JSON Schema, for the OpenAPI document. Their types are
// contract/oauth.ts, contract/audit.ts and contract/mcp.ts.

import { changeKinds, doors } from "#contract/history.ts";
import type { JsonObject } from "#contract/json.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const boolean = { type: "boolean" };
const strings = { type: "array", items: string };
const maybeText = { type: ["string", "null"] };
const time = { type: "string", format: "date-time" };

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });

const named = object({ id: string, name: string });
const authorProperties = {
  writer: string,
  actor: string,
  user: string,
  impersonator: string,
  client: named,
  grant: string,
  key: named,
  automation: string,
  door: { ...string, enum: [...doors] },
  run: string,
};
const changeAuthor = object(authorProperties);

export const oversightSchemas: JsonObject = {
  GrantReach: object({
    unlimited: { ...boolean, description: "No groups limit it: it is an administrator." },
    collections: listOf(
      object({
        id: string,
        name: string,
        count: { type: ["integer", "null"], description: "Objects; null where they cannot be read." },
        read: boolean,
        write: boolean,
      }),
    ),
  }),
  SigningKeys: object({
    configured: boolean,
    kid: { ...maybeText, description: "The name of the key in tokens." },
    created: { ...maybeText, format: "date-time" },
    problem: { ...string, description: "Why a stored key does not work." },
    isNew: { ...boolean, description: "Only after POST: false where there were keys already." },
    revoked: { ...integer, description: "Only after POST: grants that ended." },
  }),
  AuditEntry: object(
    {
      id: { ...string, description: "Its place in the log, for `after`." },
      time,
      type: string,
      level: string,
      message: string,
      actor: string,
      user: string,
    },
    { required: ["id", "time", "type"], additionalProperties: true },
  ),
  ChangeAuthor: changeAuthor,
  Change: object({
    change: string,
    at: time,
    collection: string,
    id: string,
    kind: { ...string, enum: [...changeKinds] },
    properties: { ...strings, description: "The names that differ." },
    rev: integer,
    by: changeAuthor,
    note: string,
    hasContent: { ...boolean, description: "The values that it replaced are kept." },
  }),
  Writer: object({ ...authorProperties, first: time, last: { ...maybeText, format: "date-time" } }),
  McpStatus: object({
    enabled: boolean,
    endpoint: string,
    publicAccess: boolean,
    apiKeys: boolean,
    oauth: boolean,
    publicIpPerMinute: integer,
    allowedOrigins: strings,
    toolPrefix: string,
    subscriptionsEnabled: boolean,
    sessions: integer,
    collections: listOf(
      object({
        id: string,
        name: string,
        access: { type: "string", enum: ["public", "authenticated", "admin"] },
        resource: boolean,
        tools: { ...strings, description: "Saved queries, by the names of their tools." },
      }),
    ),
    tools: strings,
  }),
  DoctorReport: object({
    url: string,
    isWell: boolean,
    checks: listOf(
      object({
        check: string,
        result: { type: "string", enum: ["pass", "warn", "fail", "skip"] },
        message: string,
        fix: string,
      }),
    ),
  }),
};
