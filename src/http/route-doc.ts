// How a route describes itself. The OpenAPI document and the reference page are made from these.

import type { JsonObject } from "#contract/json.ts";

export interface RouteDoc {
  tag: string;
  summary: string;
  description?: string;
  /** Query parameters: name -> JSON Schema with a description. */
  query?: { [name: string]: JsonObject };
  /** JSON Schema of the body. */
  body?: JsonObject;
  /** Content types of the body when it is not JSON alone. */
  bodyTypes?: string[];
  /** Honours If-Match. */
  isConditional?: boolean;
  status?: number;
  /** JSON Schema of the answer; without one the answer has no body. */
  answer?: JsonObject;
  /** Content type -> JSON Schema, when the answer is not JSON alone. */
  answerTypes?: { [type: string]: JsonObject };
}

export function described(doc: RouteDoc): { config: { doc: RouteDoc } } {
  return { config: { doc } };
}

/** A schema that the document keeps under its components. */
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const wrapped = (schema: JsonObject): JsonObject => ({
  type: "object",
  properties: { data: schema },
  required: ["data"],
});
export const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
export const text = (description: string, more: JsonObject = {}): JsonObject => ({
  type: "string",
  description,
  ...more,
});
export const whole = (description: string, more: JsonObject = {}): JsonObject => ({
  type: "integer",
  description,
  ...more,
});
export const anyValue: JsonObject = {};

export const selecting = {
  sort: text("Property to sort by."),
  search: text("Full-text terms; all must match, `or` between them widens, quotes make a phrase."),
  filter: {
    type: "object",
    description: "`filter[property]=value`, or `filter[property][operator]=value`.",
    additionalProperties: true,
  },
} satisfies RouteDoc["query"];

export const paging = {
  offset: whole("Objects to skip.", { minimum: 0, default: 0 }),
  cursor: text("Position after the last page, as given in X-Next-Cursor; instead of offset."),
} satisfies RouteDoc["query"];

export const choosing = {
  include: text("Comma list: `property:value` filters, bare names choose what is returned."),
  exclude: text("Comma list: `property:value` drops objects, bare names are left out of the answer."),
} satisfies RouteDoc["query"];
