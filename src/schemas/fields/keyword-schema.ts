// The JSON Schema keywords that count in a property definition: a safe subset, without references. Which values they may have is
// asked here, since Ajv needs a tenth of a second to make its own schema of schemas ready, on the server's own thread.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { PropertyDefinition } from "#contract/schemas.ts";

type Kind = "any" | "count" | "flag" | "list" | "names" | "number" | "step" | "text" | "types" | Below;
/** Of keywords whose values are schemas themselves. */
type Below = "schema" | "schemas" | "schemas by name";

const kinds = new Map<string, Kind>(
  Object.entries<Kind>({
    ...kindOf("any", "const"),
    ...kindOf("list", "enum"),
    ...kindOf("text", "pattern format"),
    ...kindOf("number", "minimum maximum exclusiveMinimum exclusiveMaximum"),
    ...kindOf("step", "multipleOf"),
    ...kindOf("count", "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains"),
    ...kindOf("flag", "uniqueItems"),
    ...kindOf("names", "required"),
    ...kindOf("types", "type"),
    ...kindOf("schema", "items contains additionalProperties propertyNames not if then else"),
    ...kindOf("schema", "unevaluatedItems unevaluatedProperties"),
    ...kindOf("schemas", "allOf anyOf oneOf prefixItems"),
    ...kindOf("schemas by name", "properties patternProperties dependentSchemas"),
  }),
);
const jsonTypes = new Set<Json>(["string", "number", "integer", "boolean", "array", "object", "null"]);

function kindOf(kind: Kind, keywords: string): Record<string, Kind> {
  return Object.fromEntries(keywords.split(" ").map((keyword) => [keyword, kind]));
}

/** The keywords of the definition itself, without its `type` and the keys of this service. */
export function keywordSchema(definition: PropertyDefinition): JsonObject {
  const { type: _, ...schema } = pickKeywords(definition as JsonObject);
  return schema;
}

function pickKeywords(source: JsonObject): JsonObject {
  const picked: JsonObject = {};
  for (const [keyword, value] of Object.entries(source)) {
    const kept = pickValue(kinds.get(keyword), value);
    if (kept !== undefined) picked[keyword] = kept;
  }
  return picked;
}

/** Nothing for what this service reads in a way of its own, such as `required: true` and names of its own types. */
function pickValue(kind: Kind | undefined, value: Json): Json | undefined {
  switch (kind) {
    case "schema":
      return pickSchema(value);
    case "schemas":
      return Array.isArray(value) ? value.map(pickSchema) : undefined;
    case "schemas by name":
      if (!isJsonObject(value)) return undefined;
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, pickSchema(schema)]));
    case "names":
      return Array.isArray(value) ? value : undefined;
    case "types":
      return [value].flat().every((type) => jsonTypes.has(type)) ? value : undefined;
    default:
      return kind && value;
  }
}

function pickSchema(value: Json): Json {
  return isJsonObject(value) ? pickKeywords(value) : value;
}

/** Whether Ajv can make a check of a schema of these keywords, but for patterns, which it reads itself. */
export function isKeywordSchema(schema: Json): boolean {
  if (!isJsonObject(schema)) return typeof schema === "boolean";
  return Object.entries(schema).every(([keyword, value]) => isValid(kinds.get(keyword), value));
}

function isValid(kind: Kind | undefined, value: Json): boolean {
  switch (kind) {
    case "any":
      return true;
    case "list":
      return Array.isArray(value) && value.length > 0;
    case "text":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "step":
      return typeof value === "number" && value > 0;
    case "count":
      return Number.isInteger(value) && (value as number) >= 0;
    case "flag":
      return typeof value === "boolean";
    case "names":
      return Array.isArray(value) && value.every((name) => typeof name === "string") && isDistinct(value);
    case "types":
      return typeof value === "string" || (Array.isArray(value) && value.length > 0 && isDistinct(value));
    case "schema":
      return isKeywordSchema(value);
    case "schemas":
      return Array.isArray(value) && value.length > 0 && value.every(isKeywordSchema);
    case "schemas by name":
      return isJsonObject(value) && Object.values(value).every(isKeywordSchema);
    case undefined:
      return false;
  }
}

const isDistinct = (values: Json[]) => new Set(values).size === values.length;
