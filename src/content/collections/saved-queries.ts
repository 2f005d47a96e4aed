// Saved queries on the MCP card of a collection: read from its settings, validated, and turned into query parameters.
// A caller fills in parameters; properties, order and limit are fixed by the author of the query.
// Pure: knows no database. Names of properties are checked when the query runs, because schemas change.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { type FilterOperator, filterOperators } from "#contract/queries.ts";

const queryParamTypes = ["string", "number", "integer", "boolean"] as const;
type QueryParamType = (typeof queryParamTypes)[number];

export const richFormats = ["markdown", "html", "text"] as const;
export type RichFormat = (typeof richFormats)[number];

export interface QueryParam {
  type: QueryParamType;
  description: string;
  required: boolean;
  default?: string | number | boolean;
  enum?: (string | number | boolean)[];
  minimum?: number;
  maximum?: number;
  format?: string;
}

export interface SavedQuery {
  id: string;
  description: string;
  params: Record<string, QueryParam>;
  filters: Record<string, { operator: FilterOperator; value: string | number | boolean }>;
  sort: string;
  limit: number;
  offset: number;
  include: string;
  exclude: string;
  format: RichFormat;
}

const maxNameLength = 64;
const maxDescription = 1_024;
const maxQueries = 50;
const maxParams = 20;
const pageCap = 50;
const name = /^[a-z][a-z0-9_]*$/;
const paramName = /^[A-Za-z][A-Za-z0-9_]*$/;
const placeholder = /\{\{\s*params\.([A-Za-z0-9_]+)\s*\}\}/g;

/** The definitions under `mcp.tools`: an object keyed by id, or a list of items. */
function definitionsIn(tools: Json | undefined): [id: string, definition: Json][] | undefined {
  if (tools === undefined || tools === null) return [];
  if (Array.isArray(tools)) return tools.map((item) => [isJsonObject(item) ? String(item.id) : "", item]);
  if (!isJsonObject(tools)) return undefined;
  return Object.entries(tools).map(([id, item]) => [id, isJsonObject(item) ? { ...item, id: item.id ?? id } : item]);
}

/** The problem of the `tools` of a card; undefined when all are valid. */
export function savedQueriesProblem(tools: Json): string | undefined {
  const definitions = definitionsIn(tools);
  if (!definitions) return "must be an object of saved queries";
  if (definitions.length > maxQueries) return `must not hold more than ${maxQueries} saved queries`;
  const ids = new Set<string>();
  for (const [id, definition] of definitions) {
    const read = readSavedQuery(id, definition);
    if (typeof read === "string") return `${JSON.stringify(id.slice(0, 80))}: ${read}`;
    if (ids.has(id)) return `${JSON.stringify(id)} occurs twice`;
    ids.add(id);
  }
  return undefined;
}

/** The valid ones. */
export function savedQueriesOf(mcp: JsonObject): SavedQuery[] {
  const read = (definitionsIn(mcp.tools) ?? []).map(([id, definition]) => readSavedQuery(id, definition));
  return read.filter((query) => typeof query !== "string");
}

/** A text is the problem. */
function readSavedQuery(id: string, definition: Json): SavedQuery | string {
  if (!isJsonObject(definition)) return "must be an object";
  if (definition.id !== id) return "its id must be its key";
  if (!name.test(id)) return "an id is lower-case letters, digits and _, beginning with a letter";
  if (id.length > maxNameLength) return `an id has at most ${maxNameLength} characters`;
  const { description } = definition;
  if (typeof description !== "string" || description.trim() === "") return "needs a description";
  if (description.length > maxDescription) return `the description has at most ${maxDescription} characters`;
  const params = readParams(definition.params);
  if (typeof params === "string") return params;
  const filters = readFilters(definition.filters, params);
  if (typeof filters === "string") return filters;
  const limit = readWhole(definition.limit, { fallback: 20, least: 1, most: pageCap });
  if (limit === undefined) return `limit is a whole number from 1 to ${pageCap}`;
  const offset = readWhole(definition.offset, { fallback: 0, least: 0, most: 1_000_000 });
  if (offset === undefined) return "offset is a whole number from 0";
  const format = richFormats.find((word) => word === (definition.format || "markdown"));
  if (!format) return `format is one of ${richFormats.join(", ")}`;
  const texts = { sort: definition.sort ?? "", include: definition.include ?? "", exclude: definition.exclude ?? "" };
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text !== "string") return `${key} must be text`;
    if (text.includes("{{")) return `${key} takes no placeholders; put them in filters`;
  }
  return { id, description, params, filters, limit, offset, format, ...(texts as Record<keyof typeof texts, string>) };
}

function readWhole(value: Json | undefined, range: { fallback: number; least: number; most: number }) {
  if (value === undefined || value === null) return range.fallback;
  const isRight = Number.isInteger(value) && (value as number) >= range.least && (value as number) <= range.most;
  return isRight ? (value as number) : undefined;
}

function readParams(sent: Json | undefined): SavedQuery["params"] | string {
  if (sent === undefined || sent === null) return {};
  if (!isJsonObject(sent)) return "params must be an object";
  const entries = Object.entries(sent);
  if (entries.length > maxParams) return `takes at most ${maxParams} params`;
  const params: SavedQuery["params"] = {};
  for (const [key, value] of entries) {
    const read = readParam(key, value);
    if (typeof read === "string") return read;
    params[key] = read;
  }
  return params;
}

function readParam(key: string, sent: Json): QueryParam | string {
  const where = `params.${key.slice(0, 80)}`;
  if (!paramName.test(key) || key.length > maxNameLength) return `${where} is not a name`;
  if (!isJsonObject(sent)) return `${where} must be an object`;
  const type = queryParamTypes.find((word) => word === sent.type);
  if (!type) return `${where}.type is one of ${queryParamTypes.join(", ")}`;
  const { description = "", required = false, default: fallback, minimum, maximum, format } = sent;
  if (typeof description !== "string" || description.length > maxDescription)
    return `${where}.description must be text`;
  if (typeof required !== "boolean") return `${where}.required must be true or false`;
  if (fallback !== undefined && !isOfType(type, fallback)) return `${where}.default must be of type ${type}`;
  const choices = sent.enum;
  if (choices !== undefined && !(Array.isArray(choices) && choices.every((choice) => isOfType(type, choice))))
    return `${where}.enum must be a list of values of type ${type}`;
  for (const bound of [minimum, maximum])
    if (bound !== undefined && typeof bound !== "number") return `${where}: bounds are numbers`;
  if (format !== undefined && typeof format !== "string") return `${where}.format must be text`;
  return {
    type,
    description,
    required,
    ...(fallback !== undefined && { default: fallback as string | number | boolean }),
    ...(choices !== undefined && { enum: choices as (string | number | boolean)[] }),
    ...(typeof minimum === "number" && { minimum }),
    ...(typeof maximum === "number" && { maximum }),
    ...(typeof format === "string" && { format }),
  };
}

function isOfType(type: QueryParamType, value: Json): value is string | number | boolean {
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}

function readFilters(sent: Json | undefined, params: SavedQuery["params"]): SavedQuery["filters"] | string {
  if (sent === undefined || sent === null) return {};
  if (!isJsonObject(sent)) return "filters must be an object";
  const filters: SavedQuery["filters"] = {};
  for (const [property, filter] of Object.entries(sent)) {
    const where = `filters.${property.slice(0, 80)}`;
    if (!isJsonObject(filter)) return `${where} must be an object`;
    const { value, operator: asked = "eq" } = filter;
    const operator = filterOperators.find((word) => word === asked);
    if (!operator) return `${where}.operator is one of ${filterOperators.join(", ")}`;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
      return `${where}.value must be text, a number or a boolean`;
    for (const [, param = ""] of String(value).matchAll(placeholder))
      if (!Object.hasOwn(params, param)) return `${where} names the undeclared param ${param}`;
    filters[property] = { operator, value };
  }
  return filters;
}

/** The parameters of the query, as a caller of the REST API would send them. A filter whose param is absent is dropped. */
export function queryParamsOf(query: SavedQuery, args: JsonObject): Record<string, unknown> {
  const filter: Record<string, Record<string, string>> = {};
  for (const [property, { operator, value }] of Object.entries(query.filters)) {
    const text = fill(String(value), query, args);
    if (text !== undefined) filter[property] = { [operator]: text };
  }
  return {
    filter,
    limit: String(query.limit),
    offset: String(query.offset),
    ...(query.sort && { sort: query.sort }),
    ...(query.include && { include: query.include }),
    ...(query.exclude && { exclude: query.exclude }),
  };
}

function fill(template: string, { params }: SavedQuery, args: JsonObject): string | undefined {
  let isAbsent = false;
  const filled = template.replace(placeholder, (_, param: string) => {
    const value = args[param] ?? params[param]?.default;
    if (value === undefined || value === null) isAbsent = true;
    return String(value);
  });
  return isAbsent ? undefined : filled;
}
