// Parameters are documented and validated by one description of the route. Parameters that it does not name
// never reach the operation. The operation checks values that depend on a collection (names of properties, cursors).

import type { FastifyRequest } from "fastify";
import { isFilterText } from "#content/query/filter-groups.ts";
import { checkText, readWhole, refuse } from "#content/query/parameters.ts";
import type { JsonObject } from "#contract/json.ts";
import type { RouteDoc } from "#openapi/route-doc.ts";
import { noQuery, type Query } from "./query-string.ts";
import { queryOf } from "./request-helpers.ts";

type Described = NonNullable<RouteDoc["query"]>;
const nothing: Described = {};
/** Addresses are repeated, and each has one query. */
const checked = new WeakMap<Query, { described: Described; parameters: Query }>();

export function parametersOf(request: FastifyRequest): Query {
  const query = queryOf(request);
  if (query === noQuery) return query;
  const described = request.routeOptions.config.doc?.query ?? nothing;
  const before = checked.get(query);
  if (before?.described === described) return before.parameters;
  const parameters = checkParameters(query, described);
  checked.set(query, { described, parameters });
  return parameters;
}

export function checkParameters(query: Query, described: Described): Query {
  const names = Object.keys(query);
  const known = names.filter((name) => Object.hasOwn(described, name));
  for (const name of known) checkValue(query, name, described[name] as JsonObject);
  return known.length === names.length ? query : Object.fromEntries(known.map((name) => [name, query[name]]));
}

function checkValue(query: Query, name: string, { type, enum: choices, minimum, maximum }: JsonObject): void {
  if (type === "integer") {
    const range = { least: Number(minimum ?? 0), most: Number(maximum ?? Number.MAX_SAFE_INTEGER), fallback: 0 };
    readWhole(query, name, range);
  }
  if (type === "object") checkGroups(name, query[name]);
  if (type !== "string") return;
  const text = checkText(name, query[name]);
  // Empty counts as absent.
  if (Array.isArray(choices) && text !== "" && !choices.includes(text))
    refuse(name, `${name} must be one of: ${choices.join(", ")}.`);
}

/** Groups in brackets, or JSON text. */
function checkGroups(name: string, value: unknown): void {
  const isPlain = typeof value === "string" && value !== "" && !isFilterText(value);
  if (isPlain) refuse(name, `${name} is written ${name}[property]=value, or as JSON: ${name}={"property":"value"}.`);
}
