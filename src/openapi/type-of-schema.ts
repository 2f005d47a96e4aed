// JSON Schema as a TypeScript type, for values of field kinds. What it cannot say is `CairnJson`. Names are written as data.

import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";

const maxDepth = 6;
const maxChoices = 50;

export function typeOfSchema(schema: Json | undefined, indent: string, depth = 0): string {
  if (!isJsonObject(schema) || depth > maxDepth) return "CairnJson";
  const { type, enum: choices, const: only } = schema;
  if (only !== undefined && typeof only !== "object") return JSON.stringify(only);
  if (Array.isArray(choices) && choices.length <= maxChoices && choices.every((one) => typeof one !== "object"))
    return choices.map((one) => JSON.stringify(one)).join(" | ");
  if (Array.isArray(type))
    return type.map((one) => typeOfSchema({ ...schema, type: one }, indent, depth + 1)).join(" | ");
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `(${typeOfSchema(schema.items, indent, depth + 1)})[]`;
    case "object":
      return objectOf(schema, indent, depth);
    default:
      return "CairnJson";
  }
}

function objectOf(schema: JsonObject, indent: string, depth: number): string {
  const { properties, required, additionalProperties } = schema;
  if (!isJsonObject(properties)) return "{ [name: string]: CairnJson }";
  const inner = `${indent}  `;
  const isThere = (name: string) => Array.isArray(required) && required.includes(name);
  const lines = Object.entries(properties).map(
    ([name, one]) =>
      `${inner}${JSON.stringify(name)}${isThere(name) ? "" : "?"}: ${typeOfSchema(one, inner, depth + 1)};\n`,
  );
  const more = additionalProperties === false ? "" : `${inner}[more: string]: CairnJson | undefined;\n`;
  return `{\n${lines.join("")}${more}${indent}}`;
}
