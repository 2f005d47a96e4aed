// How a route describes itself. The OpenAPI document and the reference page are built from these.

import type { JsonObject } from "#contract/json.ts";

export interface RouteDoc {
  tag: string;
  summary: string;
  description?: string;
  /** Query parameters: name -> JSON Schema with a description. They are validated by it (parameters.ts). */
  query?: { [name: string]: JsonObject };
  /** JSON Schema of the body. */
  body?: JsonObject;
  isBodyOptional?: true;
  /** Content types of the body other than JSON. */
  bodyTypes?: string[];
  /** Honours If-Match. */
  isConditional?: boolean;
  /** The answer shows a secret, only this once: it is kept nowhere. */
  showsSecret?: true;
  /** Makes power changes, always or by what is sent. */
  isOfPower?: true;
  /** Carries an ETag; If-None-Match gets 304. */
  isTagged?: true;
  /** Answers 201 when the replaced resource did not exist. */
  mayCreate?: true;
  status?: number;
  /** JSON Schema of the answer; without one the answer has no body. */
  answer?: JsonObject;
  /** Content type -> JSON Schema, when the answer is not only JSON. */
  answerTypes?: { [type: string]: JsonObject };
}

export interface DocumentedRoute {
  method: string;
  /** With `{name}` for parameters. */
  path: string;
  doc: RouteDoc;
}

const powerNote =
  "Where it gives power, a session gets 403 (`confirm-required`) until `POST /api/auth/confirm`; keys and tokens do not.";

export function described({ isOfPower, ...doc }: RouteDoc): { config: { doc: RouteDoc } } {
  if (isOfPower) doc.description = [doc.description, powerNote].filter(Boolean).join(" ");
  return { config: { doc } };
}

/** Below these addresses an answer belongs to one session: it sets its cookie, or says what it may do. */
export function isOfSession(path: string): boolean {
  return /^\/api\/(auth|passkeys)\//.test(path);
}

/** A schema in the components of the document. */
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const wrapped = (schema: JsonObject): JsonObject => ({
  type: "object",
  properties: { data: schema },
  required: ["data"],
});
export const expansion: JsonObject = {
  type: "object",
  description: "With `expand`: path -> id -> object. What the caller may not read is absent.",
  additionalProperties: { type: "object", additionalProperties: ref("Object") },
};
/** `{data}`, and beside it the objects that came along. */
export const expandable = (schema: JsonObject): JsonObject => ({
  type: "object",
  properties: { data: schema, expand: expansion },
  required: ["data"],
});
export const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
export const text = (description: string, more: JsonObject = {}): JsonObject => ({
  type: "string",
  description,
  ...more,
});
export const expanding = text(
  "Comma list of relations whose objects come along, such as `author,ingredients.product`: at most 10 paths, over at " +
    "most 3 relations each.",
);
export const whole = (description: string, more: JsonObject = {}): JsonObject => ({
  type: "integer",
  description,
  ...more,
});
export const flag = (description: string): JsonObject => text(description, { enum: ["true", "false", "1", "0"] });
export const anyValue: JsonObject = {};

export const selecting = {
  sort: text("Property to sort by."),
  search: text("Full-text terms; all must match, or any with `or` between them; quotes make a phrase."),
  filter: {
    type: "object",
    description:
      "`filter[property]=value`, or `filter[property][operator]=value`; `filter[property][empty]=true` finds objects " +
      "without a value. Groups: `filter[or][0][property]=value`, `filter[and][0]...`, `filter[not]...`. The same as " +
      'JSON text: `filter={"or":[{"status":"a"},{"price":{"lt":5}}]}`. Inside cards and decks: `filter[deck.property]=value`.',
    additionalProperties: true,
  },
} satisfies RouteDoc["query"];

export const choosingFields = {
  fields: text("Comma list of properties to show, also `cover.url`; `id` is always shown."),
  urls: text("`path`: every file carries its address as `url`; `absolute`: with the address of the service.", {
    enum: ["path", "absolute"],
  }),
} satisfies RouteDoc["query"];

/** Paging parameters; `what` names the items. */
export const pages = (what: string, limit: { default: number; max: number }) =>
  ({
    limit: whole(`${what} in a page; values above ${limit.max} count as ${limit.max}.`, {
      minimum: 1,
      default: limit.default,
    }),
    offset: whole(`${what} to skip.`, { minimum: 0, default: 0 }),
  }) satisfies RouteDoc["query"];

export const paging = (what: string, limit: { default: number; max: number }) =>
  ({
    ...pages(what, limit),
    cursor: text("Where to continue, from X-Next-Cursor of the last page; replaces offset."),
  }) satisfies RouteDoc["query"];

/** For schemas. */
export const rawForm = text("`true`: as stored, without inherited properties.", { enum: ["true", "false"] });

export const filtering = {
  include: text("Comma list of `property:value` or `property:operator:value`; all must match."),
  exclude: text("The same; objects that match any are left out."),
} satisfies RouteDoc["query"];

export const choosing = {
  include: text("Comma list: `property:value` filters, bare names choose properties to return."),
  exclude: text("Comma list: `property:value` drops objects, bare names are left out of the answer."),
} satisfies RouteDoc["query"];
