// The JSON Schema keywords of a property definition, checked on the value as it will be stored.
// Patterns take linear time, and the checks are compiled once for each definition.

import type * as Ajv from "ajv/dist/2020.js";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type * as AjvFormats from "ajv-formats/dist/formats.js";
import { lazily } from "#base/lazy.ts";
import { compilePattern, PatternTooExpensive } from "#base/pattern.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import type { PropertyDefinition } from "#contract/schemas.ts";
import type { Property } from "#schemas/types.ts";
import { isKeywordSchema, keywordSchema } from "./keyword-schema.ts";

export interface KeywordFailure {
  /** Dotted, below the property; empty for the property itself. */
  path: string;
  message: string;
}

/** `none`: there is nothing to check. `broken`: the definition is invalid. */
type Check = ValidateFunction | "none" | "broken";

/** The shipped expressions are not all linear; no real value is longer. */
const maxFormatLength = 2_000;
/** Unknown formats (`html`) are ignored. */
const formats: Record<string, (text: string) => boolean> = {
  date: shipped("date"),
  "date-time": shipped("iso-date-time"),
  time: (text) => /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(z|[+-]\d\d:\d\d)?$/i.test(text),
  email: shipped("email"),
  hostname: shipped("hostname"),
  ipv4: shipped("ipv4"),
  ipv6: shipped("ipv6"),
  uri: shipped("uri"),
  url: (text) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text),
  uuid: shipped("uuid"),
  duration: shipped("duration"),
};

const ajvPackage = lazily<typeof Ajv>("ajv/dist/2020.js");
const formatsPackage = lazily<typeof AjvFormats>("ajv-formats/dist/formats.js");
let instance: Ajv.Ajv2020 | undefined;
const noFailures: KeywordFailure[] = [];
const checks = new WeakMap<PropertyDefinition, Check>();

export function checkKeywords(value: Json, property: Property): KeywordFailure[] {
  let check = checks.get(property.definition);
  if (!check) {
    check = compile(property);
    checks.set(property.definition, check);
  }
  if (check === "none" || (value === "" && property.kind.rules === "own-form")) return noFailures;
  if (check === "broken") return [{ path: "", message: "The rules of this property in the schema are not valid" }];
  try {
    return check(value) ? noFailures : failuresOf(check.errors ?? []);
  } catch (error) {
    if (error instanceof PatternTooExpensive) return [{ path: "", message: error.message }];
    throw error;
  }
}

function compile({ definition, kind }: Property): Check {
  if (kind.rules === "none") return "none";
  const schema: JsonObject = {
    ...(kind.comparison === "number" && boundsOf(definition)),
    ...keywordSchema(definition),
  };
  if (kind.rules) delete schema.format;
  if (kind.rules === "counts") onlyCounts(schema);
  // In a list `enum` names the entries, not whole lists.
  if (kind.comparison === "list" && schema.enum) {
    schema.items = { allOf: [{ enum: schema.enum }, schema.items ?? {}] };
    delete schema.enum;
  }
  if (Object.keys(schema).length === 0) return "none";
  if (!isKeywordSchema(schema)) return "broken";
  instance ??= createAjv({ checksSchemas: false });
  const ajv = instance;
  try {
    return ajv.compile(schema);
  } catch {
    return "broken";
  } finally {
    // The instance would keep every schema it has ever compiled.
    ajv.removeSchema(schema);
  }
}

function boundsOf({ settings }: PropertyDefinition): JsonObject {
  const bounds: JsonObject = {};
  if (typeof settings?.min === "number") bounds.minimum = settings.min;
  if (typeof settings?.max === "number") bounds.maximum = settings.max;
  return bounds;
}

function onlyCounts(schema: JsonObject): void {
  for (const keyword of Object.keys(schema))
    if (keyword !== "minItems" && keyword !== "maxItems") delete schema[keyword];
}

/** Errors of one property: more are not useful, and each may list all allowed values. */
const maxFailures = 100;

export function failuresOf(errors: ErrorObject[]): KeywordFailure[] {
  return errors.slice(0, maxFailures).map((error) => ({
    path: error.instancePath.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~"),
    message: messageOf(error),
  }));
}

function messageOf({ keyword, params, message }: ErrorObject): string {
  const { limit } = params as { limit?: number };
  switch (keyword) {
    case "minLength":
      return `String must be at least ${limit} characters`;
    case "maxLength":
      return `String exceeds maximum length of ${limit}`;
    case "minimum":
      return `Value must be at least ${limit}`;
    case "maximum":
      return `Value must not exceed ${limit}`;
    case "exclusiveMinimum":
      return `Value must be greater than ${limit}`;
    case "exclusiveMaximum":
      return `Value must be less than ${limit}`;
    case "multipleOf":
      return `Value must be a multiple of ${params.multipleOf}`;
    case "pattern":
      return "Value does not match required format";
    case "format":
      return params.format === "email" ? "Invalid email format" : "Value does not match required format";
    case "enum":
      return `Value must be one of: ${params.allowedValues.map(shown).join(", ")}`;
    case "const":
      return `Value must be ${shown(params.allowedValue)}`;
    case "minItems":
      return `Array must contain at least ${limit} items`;
    case "maxItems":
      return `Array exceeds maximum of ${limit} items`;
    case "uniqueItems":
      return "Array items must be unique";
    default:
      return `Value ${message ?? "is not valid"}`;
  }
}

function shown(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shipped(name: keyof AjvFormats.DefinedFormats): (text: string) => boolean {
  return (text) => {
    const format = formatsPackage().fullFormats[name];
    if (format instanceof RegExp) return format.test(text);
    const validate = typeof format === "function" ? format : (format as { validate: unknown }).validate;
    return (validate as (text: string) => boolean)(text);
  };
}

/** One that does not check schemas takes those alone that somebody has checked. */
export function createAjv({ checksSchemas = true } = {}): Ajv.Ajv2020 {
  // Ajv distinguishes patterns by their text.
  const compileNamed = (source: string) => ({ ...compilePattern(source), toString: () => source }) as RegExp;
  const regExp = Object.assign(compileNamed, { code: "compilePattern" });
  const ajv = new (ajvPackage().Ajv2020)({
    strict: false,
    allErrors: true,
    logger: false,
    meta: checksSchemas,
    validateSchema: checksSchemas,
    multipleOfPrecision: 9,
    code: { regExp },
  });
  for (const [name, test] of Object.entries(formats)) {
    // An empty text is an empty value, not an invalid one.
    ajv.addFormat(name, (text) => text === "" || (text.length <= maxFormatLength && test(text)));
  }
  // The shipped one compares every item with every other.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (isUnique: boolean, items: Json[]) =>
      !isUnique || new Set(items.map((item) => JSON.stringify(item))).size === items.length,
  });
  return ajv;
}
