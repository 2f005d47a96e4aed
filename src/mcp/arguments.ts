// Checks the arguments of a call against the tool's input schema: the small part of JSON Schema that our schemas use.
// Reports all mistakes at once, by argument, so that a model can correct itself.

import { type ErrorDetails, fail } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

/** The arguments without those that are null, which many clients send for "none". Fails with all mistakes. */
export function readArguments(schema: JsonObject, args: JsonObject): JsonObject {
  const properties = schema.properties as JsonObject;
  const details: ErrorDetails = {};
  const read: JsonObject = {};
  for (const [name, value] of Object.entries(args)) {
    if (value === null) continue;
    const rules = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const problem = isJsonObject(rules) ? problemWith(rules, value) : "is not an argument of this tool";
    if (problem) details[name.slice(0, 80)] = [problem];
    else read[name] = value;
  }
  for (const name of (schema.required ?? []) as string[])
    if (read[name] === undefined && !details[name]) details[name] = ["is required"];
  if (Object.keys(details).length > 0) fail("invalid", `The arguments are not valid. ${takenBy(schema)}`, details);
  return read;
}

function takenBy({ properties, required }: JsonObject): string {
  const names = Object.keys(properties as JsonObject);
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  const shown = names.map((name) => (isRequired(name) ? `${name} (required)` : name));
  return shown.length === 0 ? "This tool takes none." : `This tool takes: ${shown.join(", ")}.`;
}

function problemWith(rules: JsonObject, value: Json): string | undefined {
  const expected = rules.type;
  if (typeof expected === "string" && !isOfType(expected, value)) return `must be ${article(expected)}`;
  if (Array.isArray(rules.enum) && !rules.enum.includes(value)) return `must be one of: ${rules.enum.join(", ")}`;
  if (typeof value === "string") return problemWithText(rules, value);
  if (typeof value === "number") return problemWithNumber(rules, value);
  return Array.isArray(value) ? problemWithList(rules, value) : undefined;
}

function isOfType(type: string, value: Json): boolean {
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}

function article(type: string): string {
  if (type === "integer") return "a whole number";
  if (type === "array" || type === "object") return `an ${type}`;
  return type === "boolean" ? "true or false" : type === "string" ? "text" : `a ${type}`;
}

function problemWithText({ minLength, maxLength }: JsonObject, value: string): string | undefined {
  if (!value.isWellFormed() || value.includes("\0")) return "holds characters that are not text";
  if (typeof minLength === "number" && value.length < minLength) return "must not be empty";
  if (typeof maxLength === "number" && value.length > maxLength) return `must not be longer than ${maxLength}`;
  return undefined;
}

function problemWithNumber({ minimum, maximum }: JsonObject, value: number): string | undefined {
  if (typeof minimum === "number" && value < minimum) return `must be at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `must be at most ${maximum}`;
  return undefined;
}

function problemWithList({ items, maxItems }: JsonObject, value: Json[]): string | undefined {
  if (typeof maxItems === "number" && value.length > maxItems) return `must not have more than ${maxItems} entries`;
  if (!isJsonObject(items)) return undefined;
  const problem = value.map((entry) => problemWith(items, entry)).find((found) => found !== undefined);
  return problem && `has an entry that ${problem}`;
}
