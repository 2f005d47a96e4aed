// How a route describes itself. The OpenAPI document and the reference page are made from these.

import type { JsonObject } from "#contract/json.ts";

export interface RouteDoc {
  tag: string;
  summary: string;
  description?: string;
  /** Query parameters: name -> JSON Schema with a description. By it they are checked too (parameters.ts). */
  query?: { [name: string]: JsonObject };
  /** JSON Schema of the body. */
  body?: JsonObject;
  isBodyOptional?: true;
  /** Content types of the body when it is not JSON alone. */
  bodyTypes?: string[];
  /** Honours If-Match. */
  isConditional?: boolean;
  /** Carries an ETag; If-None-Match gets 304. */
  isTagged?: true;
  /** Answers 201 when what it was to replace did not exist. */
  mayCreate?: true;
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
export const flag = (description: string): JsonObject => text(description, { enum: ["true", "false", "1", "0"] });
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

/** Pages by number; `what` is on them. */
export const pages = (what: string, limit: { default: number; max: number }) =>
  ({
    limit: whole(`${what} in a page; more than ${limit.max} count as ${limit.max}.`, {
      minimum: 1,
      default: limit.default,
    }),
    offset: whole(`${what} to skip.`, { minimum: 0, default: 0 }),
  }) satisfies RouteDoc["query"];

export const paging = (what: string, limit: { default: number; max: number }) =>
  ({
    ...pages(what, limit),
    cursor: text("Position after the last page, as given in X-Next-Cursor; instead of offset."),
  }) satisfies RouteDoc["query"];

/** Of schemas. */
export const rawForm = text("`true`: as stored, without what it inherits.", { enum: ["true", "false"] });

export const filtering = {
  include: text("Comma list of `property:value` or `property:operator:value`; all must hold."),
  exclude: text("The same; objects that match any are left out."),
} satisfies RouteDoc["query"];

export const choosing = {
  include: text("Comma list: `property:value` filters, bare names choose what is returned."),
  exclude: text("Comma list: `property:value` drops objects, bare names are left out of the answer."),
} satisfies RouteDoc["query"];
