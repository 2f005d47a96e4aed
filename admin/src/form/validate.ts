// What is wrong with a value before the server is asked: the rules of the schema that a browser can check as the server does.
// The server decides; what is not checked here is checked there. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import { readColor } from "@rules/color.ts";
import { isRuleMet } from "@rules/visibility.ts";
import { placeOfMistake } from "#fields/code/json-text.ts";
import { hasDrawing } from "#fields/code/svg-text.ts";
import { itemSchemaOf } from "#fields/items.ts";
import { type FieldProperty, numberOf } from "#fields/property.ts";
import { innerProperties, objectsIn, type Shape } from "./shape.ts";
import { isBlank, pathIn, type Value } from "./values.ts";

type Limited =
  | ("minLength" | "maxLength" | "min" | "max" | "above" | "below" | "multiple")
  | ("minItems" | "maxItems" | "fewItems" | "manyItems");

export type Problem =
  | { code: "required" | "number" | "whole" | "email" | "url" | "phone" | "pattern" }
  | { code: "time" | "color" | "differs" | "spaces" }
  | { code: Limited; limit: number }
  | { code: "list" | "object" | "svg" }
  | { code: "json"; line: number; column: number }
  | { code: "enum"; values: string[] };

/** Their files are uploaded once the object exists. */
const uploaded = new Set(["image", "gallery", "file", "depot"]);

export function validateProperty(
  property: FieldProperty,
  values: JsonObject,
  { isNew }: { isNew: boolean },
): Problem | undefined {
  const { name, lock } = property;
  if (lock !== undefined) return undefined;
  const value = values[name];
  const typed = isBlank(value) ? undefined : ofCode(property, value);
  if (typed) return typed;
  if (isEmpty(property, value))
    return !isHidden(property, values) && isAskedFor(property, value, isNew)
      ? { code: "required" }
      : ofItems(property, value);
  return (
    ofNumber(property, value) ??
    ofForm(property, value) ??
    ofText(property, value) ??
    ofList(property, value) ??
    ofEnum(property, value) ??
    ofItems(property, value)
  );
}

/** Also of what lies in cards and decks, by dotted path. */
export function validateAll(
  properties: readonly FieldProperty[],
  values: JsonObject,
  form: { isNew: boolean; items?: Shape["items"] },
  parent = "",
): Map<string, Problem> {
  const found = new Map<string, Problem>();
  for (const property of properties) {
    const path = pathIn(parent, property.name);
    const problem = validateProperty(property, values, form);
    if (problem) found.set(path, problem);
    if (problem || property.lock !== undefined || isHidden(property, values)) continue;
    const schema = itemSchemaOf(property, form.items ?? {});
    for (const [key, object] of schema ? objectsIn(property, values[property.name]) : []) {
      const inner = innerProperties(schema as SchemaRecord, form.isNew);
      for (const [at, one] of validateAll(inner, object, form, key === "" ? path : pathIn(path, key)))
        found.set(at, one);
    }
  }
  return found;
}

function isHidden({ visibility }: FieldProperty, values: JsonObject): boolean {
  return visibility !== undefined && visibility.mode === "hide" && !isRuleMet(visibility, values);
}

function isEmpty({ type }: FieldProperty, value: Value): boolean {
  if (type === "localizedtext" && isJsonObject(value)) return Object.values(value).every(isBlank);
  return isBlank(value) || (Array.isArray(value) && value.length === 0);
}

/** Of values that are written in a way of their own. */
function ofForm({ type }: FieldProperty, value: Value): Problem | undefined {
  if (type === "color" && readColor(value as Json) === undefined) return { code: "color" };
  if (type === "time" && !/^([01]\d|2[0-3]):[0-5]\d$/.test(String(value))) return { code: "time" };
  // While the two texts of a password differ, the value holds both.
  if (type === "password" && typeof value !== "string") return { code: "differs" };
  if (type === "password" && /\s/.test(value as string)) return { code: "spaces" };
  return undefined;
}

function ofList({ type, definition, settings }: FieldProperty, value: Value): Problem | undefined {
  if ((type !== "list" && type !== "array") || !Array.isArray(value)) return undefined;
  const least = numberOf(definition.minItems);
  const count = numberOf(settings.maxItemCount);
  const most = numberOf(definition.maxItems) ?? (count !== undefined && count > 0 ? count : undefined);
  if (least !== undefined && value.length < least) return { code: "minItems", limit: least };
  if (most !== undefined && value.length > most) return { code: "maxItems", limit: most };
  return undefined;
}

/** Ids and generated values are made by the server, and so are defaults where nothing is sent. */
function isAskedFor(property: FieldProperty, value: Value, isNew: boolean): boolean {
  const { name, type, settings, definition, isRequired } = property;
  if (!isRequired || name === "id" || uploaded.has(type) || typeof settings.autogen === "string") return false;
  if (type === "password" && !isNew) return false;
  const hasDefault = definition.default !== undefined && definition.default !== null;
  if (hasDefault && (value === undefined || value === null || type === "date")) return false;
  // A definition with a minimum decides itself whether a value may be empty.
  return definition.minLength === undefined && definition.minItems === undefined;
}

/** Lists and objects without a form of their own are typed as JSON. */
function ofCode({ type, kind }: FieldProperty, value: Value): Problem | undefined {
  const mistake = placeOfMistake(value);
  if (mistake) return { code: "json", ...mistake };
  if (kind === "array" && !Array.isArray(value)) return { code: "list" };
  if (kind === "object" && !isJsonObject(value)) return { code: "object" };
  return type === "svg" && typeof value === "string" && !hasDrawing(value) ? { code: "svg" } : undefined;
}

function ofNumber({ type, definition, settings }: FieldProperty, value: Value): Problem | undefined {
  if (type !== "number" && type !== "integer") return undefined;
  if (typeof value !== "number") return { code: "number" };
  if (type === "integer" && !Number.isSafeInteger(value)) return { code: "whole" };
  const least = numberOf(definition.minimum) ?? numberOf(settings.min);
  const most = numberOf(definition.maximum) ?? numberOf(settings.max);
  const above = numberOf(definition.exclusiveMinimum);
  const below = numberOf(definition.exclusiveMaximum);
  const multiple = numberOf(definition.multipleOf);
  if (least !== undefined && value < least) return { code: "min", limit: least };
  if (most !== undefined && value > most) return { code: "max", limit: most };
  if (above !== undefined && value <= above) return { code: "above", limit: above };
  if (below !== undefined && value >= below) return { code: "below", limit: below };
  if (multiple !== undefined && multiple > 0 && !isMultiple(value, multiple))
    return { code: "multiple", limit: multiple };
  return undefined;
}

/** To nine digits, as the server does. */
function isMultiple(value: number, step: number): boolean {
  const ratio = value / step;
  return Math.abs(Math.round(ratio) - ratio) < 1e-9;
}

function ofText({ type, definition, settings, maxLength }: FieldProperty, value: Value): Problem | undefined {
  if (typeof value !== "string" || type === "date") return undefined;
  const length = [...value].length;
  const minLength = numberOf(definition.minLength) ?? numberOf(settings.minlength);
  if (minLength !== undefined && length < minLength) return { code: "minLength", limit: minLength };
  if (maxLength !== undefined && length > maxLength) return { code: "maxLength", limit: maxLength };
  if (type === "email" && !/^[^\s@<>]+@[^\s@<>]+$/.test(value.trim())) return { code: "email" };
  if (type === "url" && !isWebUrl(value.trim())) return { code: "url" };
  if (type === "phone" && !/^\+?[\d\s()-]{7,15}$/.test(value.trim())) return { code: "phone" };
  const pattern = definition.pattern ?? settings.pattern;
  if (typeof pattern === "string" && safeTest(pattern, value) === false) return { code: "pattern" };
  return undefined;
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** Longer texts, and expressions that might take very long on them, are left to the server. */
const maxTested = 200;
const maxRepeats = 3;

/** undefined: it cannot be told here. */
export function safeTest(pattern: string, value: string): boolean | undefined {
  const bare = pattern.replace(/\\[^\d]/g, "x").replace(/\[[^\]]*\]/g, "x");
  const repeats = bare.match(/[*+]|,\}/g)?.length ?? 0;
  const isRisky = /\)[*+{]|\\\d/.test(bare) || repeats > maxRepeats || value.length > maxTested;
  if (isRisky) return undefined;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return undefined;
  }
}

/** Counted by the definition, as the server does. */
function ofItems({ type, definition }: FieldProperty, value: Value): Problem | undefined {
  if (type !== "deck" || (value !== undefined && !Array.isArray(value))) return undefined;
  const count = value?.length ?? 0;
  const least = numberOf(definition.minItems);
  const most = numberOf(definition.maxItems);
  // A deck that was never there is not counted.
  if (value !== undefined && least !== undefined && count < least) return { code: "fewItems", limit: least };
  return most !== undefined && count > most ? { code: "manyItems", limit: most } : undefined;
}

function ofEnum({ definition }: FieldProperty, value: Value): Problem | undefined {
  const { enum: allowed } = definition;
  if (!Array.isArray(allowed) || Array.isArray(value)) return undefined;
  if (allowed.includes(value as Json)) return undefined;
  return { code: "enum", values: allowed.map(String) };
}
