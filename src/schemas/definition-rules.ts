// Valid values for each key of a property definition. Saving refuses a definition with invalid keys, reading a file
// drops them, lint names them, so the rest of the code can trust a definition's keys.

import { compilePattern } from "#base/pattern.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { type PropertyDefinition, propertyTypes } from "#contract/schemas.ts";
import { isPropertyType } from "#rules/property-types.ts";
import { onDeleteChoices, onMissingChoices } from "#rules/relations.ts";

interface Rule {
  holds(value: Json): boolean;
  /** Completes "minLength must be ...". */
  says: string;
}

const text: Rule = { holds: (value) => typeof value === "string", says: "text" };
const flag: Rule = { holds: (value) => typeof value === "boolean", says: "true or false" };
const object: Rule = { holds: isJsonObject, says: "an object" };
const number: Rule = { holds: (value) => Number.isFinite(value), says: "a number" };
const whole: Rule = {
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  says: "a whole number, 0 or more",
};

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...each("$ref field label help placeholder title description", text),
  ...each("format reference schemaref deckref deckItemLabel", text),
  ...each("unique uniqueItems readOnly writeOnly deprecated", flag),
  ...each("minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains", whole),
  ...each("minimum maximum exclusiveMinimum exclusiveMaximum", number),
  ...each("settings mcp", object),
  ["onMissing", oneOf(onMissingChoices)],
  ["onDelete", oneOf(onDeleteChoices)],
  ["formerly", { holds: isTexts, says: "a list of names" }],
  ["examples", { holds: Array.isArray, says: "a list" }],
  ["multipleOf", { holds: (value) => Number.isFinite(value) && (value as number) > 0, says: "a number above 0" }],
  ["enum", { holds: (value) => Array.isArray(value) && value.length > 0, says: "a list that is not empty" }],
  ["options", { holds: (value) => Array.isArray(value) || isJsonObject(value), says: "a list or an object" }],
  [
    "required",
    { holds: (value) => typeof value === "boolean" || isTexts(value), says: "true, false or a list of names" },
  ],
]);

/** Keywords that contain schemas: one, a list, or several by name. */
const single = new Set(
  "items contains additionalProperties propertyNames not if then else unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);
const listed = new Set("allOf anyOf oneOf prefixItems".split(" "));
const named = new Set("properties patternProperties dependentSchemas $defs".split(" "));

/** All that mean something to the service, to forms, or to clients that read JSON Schema. */
export const knownKeywords: ReadonlySet<string> = new Set([
  ...rules.keys(),
  ...single,
  ...listed,
  ...named,
  ..."type default factory const pattern $id $schema $comment $anchor definitions dependencies dependentRequired".split(
    " ",
  ),
  ..."contentEncoding contentMediaType contentSchema relationalOptions hidden icon rows cols step min max".split(" "),
]);

function oneOf(choices: readonly string[]): Rule {
  return { holds: (value) => choices.includes(String(value)), says: `one of ${choices.join(", ")}` };
}

function each(keys: string, rule: Rule): [string, Rule][] {
  return keys.split(" ").map((key) => [key, rule]);
}

export function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}

/** The invalid keys, each with the reason; none: the definition is valid. */
export function problemsOf(definition: JsonObject): Map<string, string> {
  const problems = new Map<string, string>();
  for (const [key, value] of Object.entries(definition)) {
    const problem = key === "type" ? typeProblem(value) : keyProblem(key, value);
    if (problem) problems.set(key, problem);
  }
  return problems;
}

/** Without the invalid keys. */
export function withoutInvalidKeys(definition: JsonObject): PropertyDefinition {
  const problems = problemsOf(definition);
  if (problems.size === 0) return definition;
  return Object.fromEntries(Object.entries(definition).filter(([key]) => !problems.has(key)));
}

function typeProblem(value: Json): string | undefined {
  return isPropertyType(value) ? undefined : `type must be one of ${propertyTypes.join(", ")}`;
}

function keyProblem(key: string, value: Json): string | undefined {
  const rule = rules.get(key);
  if (rule) return rule.holds(value) ? undefined : `${key} must be ${rule.says}`;
  if (key === "pattern") return patternProblem(key, value);
  if (single.has(key)) return schemaProblem(key, value);
  if (listed.has(key)) {
    if (!Array.isArray(value)) return `${key} must be a list`;
    return first(value, (schema, position) => schemaProblem(`${key}.${position}`, schema));
  }
  if (named.has(key)) {
    if (!isJsonObject(value)) return `${key} must be an object`;
    const wrong = key === "patternProperties" && first(Object.keys(value), (name) => patternProblem(key, name));
    return wrong || first(Object.entries(value), ([name, schema]) => schemaProblem(`${key}.${name}`, schema));
  }
  return undefined;
}

function patternProblem(key: string, value: Json): string | undefined {
  if (typeof value !== "string") return `${key} must be text`;
  try {
    compilePattern(value);
    return undefined;
  } catch (error) {
    return `${key} cannot be used: ${(error as Error).message}`;
  }
}

/** A schema inside a definition is plain JSON Schema: its types are not checked here. */
function schemaProblem(path: string, schema: Json): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isJsonObject(schema)) return `${path} must be an object`;
  return first(Object.entries(schema), ([key, value]) => {
    const problem = keyProblem(key, value);
    return problem && `${path}.${problem}`;
  });
}

function first<T>(parts: T[], problem: (part: T, position: number) => string | undefined): string | undefined {
  for (const [position, part] of parts.entries()) {
    const found = problem(part, position);
    if (found) return found;
  }
  return undefined;
}
