// Checks a manifest by the JSON Schema that ships, without compiling it: that would hold up the server for a quarter of a second
// when the first extension is read. It knows the keywords of that schema alone, and says so when there is another.

import type { ErrorDetails } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

type Problem = (path: string, message: string) => void;
interface Checking {
  root: JsonObject;
  problem: Problem;
}

/** Messages by dotted path; the empty path is the value itself. None: the value fits. */
export function checkShape(root: JsonObject, value: Json): ErrorDetails {
  const details: ErrorDetails = {};
  const problem = (path: string, message: string) => {
    const said = details[path] ?? [];
    if (!said.includes(message)) details[path] = [...said, message];
  };
  check({ root, problem }, root, { path: "", value });
  return details;
}

interface Place {
  path: string;
  value: Json;
}

const silent = new Set(["$schema", "$id", "$defs", "title", "description", "$ref"]);

/** Each says what is wrong, or nothing. `limit`: the value of the keyword. */
const rules: Readonly<Record<string, (limit: Json, value: Json) => string | undefined>> = {
  type: (type, value) => (isOfType(String(type), value) ? undefined : `Value must be ${String(type)}`),
  const: (only, value) => (value === only ? undefined : `Value must be ${JSON.stringify(only)}`),
  enum: (choices, value) =>
    (choices as Json[]).includes(value) ? undefined : `Value must be one of: ${(choices as Json[]).join(", ")}`,
  pattern: (pattern, value) =>
    typeof value !== "string" || expressionOf(String(pattern)).test(value)
      ? undefined
      : "Value does not match required format",
  minLength: (limit, value) =>
    typeof value === "string" && value.length < Number(limit)
      ? `String must be at least ${limit} characters`
      : undefined,
  maxLength: (limit, value) =>
    typeof value === "string" && value.length > Number(limit) ? `String exceeds maximum length of ${limit}` : undefined,
  minimum: (limit, value) =>
    typeof value === "number" && value < Number(limit) ? `Value must be at least ${limit}` : undefined,
  maximum: (limit, value) =>
    typeof value === "number" && value > Number(limit) ? `Value must not exceed ${limit}` : undefined,
  minItems: (limit, value) =>
    Array.isArray(value) && value.length < Number(limit) ? `Array must contain at least ${limit} items` : undefined,
  maxItems: (limit, value) =>
    Array.isArray(value) && value.length > Number(limit) ? `Array exceeds maximum of ${limit} items` : undefined,
  maxProperties: (limit, value) =>
    isJsonObject(value) && Object.keys(value).length > Number(limit)
      ? `Value must have at most ${limit} names`
      : undefined,
  uniqueItems: (_limit, value) =>
    Array.isArray(value) && new Set(value.map((one) => JSON.stringify(one))).size < value.length
      ? "Array items must be unique"
      : undefined,
};

function check(checking: Checking, schema: Json, { path, value }: Place): void {
  if (!isJsonObject(schema)) return;
  if (typeof schema.$ref === "string") check(checking, referred(checking.root, schema.$ref), { path, value });
  for (const [keyword, limit] of Object.entries(schema)) {
    if (silent.has(keyword) || within.has(keyword)) continue;
    const rule = rules[keyword];
    if (!rule) throw new Error(`The schema of manifests has the keyword ${keyword}, which is not checked.`);
    const message = rule(limit, value);
    if (message !== undefined) checking.problem(path, message);
  }
  if (isJsonObject(value)) checkObject(checking, schema, { path, value });
  if (Array.isArray(value) && schema.items !== undefined)
    for (const [at, one] of value.entries())
      check(checking, schema.items, { path: below(path, String(at)), value: one });
}

const within = new Set(["properties", "required", "additionalProperties", "propertyNames", "items"]);

function checkObject(checking: Checking, schema: JsonObject, { path, value }: Place & { value: JsonObject }): void {
  const { required, additionalProperties, propertyNames } = schema;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  for (const name of Array.isArray(required) ? (required as string[]) : [])
    if (!Object.hasOwn(value, name)) checking.problem(below(path, name), "is required");
  for (const [name, one] of Object.entries(value)) {
    const place = { path: below(path, name), value: one };
    if (propertyNames !== undefined) check(checking, propertyNames, { path: place.path, value: name });
    if (Object.hasOwn(properties, name)) check(checking, properties[name] as Json, place);
    else if (additionalProperties === false) checking.problem(place.path, "is not known");
    else if (additionalProperties !== undefined) check(checking, additionalProperties, place);
  }
}

function below(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function referred(root: JsonObject, ref: string): Json {
  const name = ref.replace("#/$defs/", "");
  return (root.$defs as JsonObject)[name] ?? {};
}

const expressions = new Map<string, RegExp>();

/** Those of the schema that ships: all take linear time. */
function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern) ?? new RegExp(pattern, "u");
  expressions.set(pattern, known);
  return known;
}

function isOfType(type: string, value: Json): boolean {
  switch (type) {
    case "object":
      return isJsonObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
