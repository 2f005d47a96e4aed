// A property as a form sees it: its label, its field kind, what it must be, and why it may not be changed. Pure.

import type { JsonObject } from "@contract/json.ts";
import type { PropertyDefinition, PropertyType, SchemaRecord } from "@contract/schemas.ts";
import { humanise } from "@rules/labels.ts";
import { resolveType } from "@rules/property-types.ts";
import { readVisibility, type VisibilityRule } from "@rules/visibility.ts";

/** Why a field is text with a lock. */
export type Lock = "calc" | "created" | "updated" | "readonly" | "lockOnEdit";

export interface FieldProperty {
  name: string;
  label: string;
  /** The widget: `text`, `select`, ... */
  kind: string;
  type: PropertyType;
  definition: PropertyDefinition;
  settings: JsonObject;
  isRequired: boolean;
  lock: Lock | undefined;
  visibility: VisibilityRule | undefined;
  /** Most characters that it may have. */
  maxLength: number | undefined;
}

/** The widget of a property that names none, where the type has another name. */
const widgets: Partial<Record<PropertyType, string>> = {
  boolean: "checkbox",
  date: "datetime",
  integer: "number",
  slug: "text",
  string: "text",
};

/** A relation is chosen, not typed. */
const pickers: Record<string, string> = { text: "select", list: "multiselect", array: "multiselect" };

/** Files come by requests of their own, and secrets stay off this device. */
const unkeptTypes = new Set<PropertyType>(["password", "image", "gallery", "file", "depot"]);

export function readProperty(schema: SchemaRecord, name: string, isNew: boolean): FieldProperty {
  const definition = schema.properties[name] as PropertyDefinition;
  const settings = definition.settings ?? {};
  const type = resolveType(definition);
  const { label } = definition;
  return {
    name,
    label: label !== undefined && label !== "" ? label : humanise(name),
    kind: kindOf(name, definition, type),
    type,
    definition,
    settings,
    isRequired: schema.required.includes(name) || definition.required === true || settings.required === true,
    lock: lockOf(type, settings, isNew),
    visibility: readVisibility(settings.visibility),
    maxLength: numberOf(definition.maxLength) ?? numberOf(settings.maxlength),
  };
}

/** All that a form shows, in schema order. */
export function shownProperties(schema: SchemaRecord, isNew: boolean): FieldProperty[] {
  return Object.keys(schema.properties)
    .map((name) => readProperty(schema, name, isNew))
    .filter(({ kind, definition, settings }) => {
      return kind !== "hidden" && definition.hide !== true && settings.hide !== true;
    });
}

export function isKept({ type, kind }: FieldProperty): boolean {
  return !unkeptTypes.has(type) && kind !== "secret" && kind !== "password";
}

function kindOf(name: string, definition: PropertyDefinition, type: PropertyType): string {
  const { field, enum: values, options, reference } = definition;
  if (type === "password") return "password";
  const picker =
    typeof reference === "string" && reference !== "" ? pickers[field || (widgets[type] ?? type)] : undefined;
  if (picker !== undefined) return picker;
  if (field !== undefined && field !== "") return field;
  if (name === "id") return "id";
  if (type === "string" && (values || options)) return "select";
  return widgets[type] ?? type;
}

function lockOf(type: PropertyType, settings: JsonObject, isNew: boolean): Lock | undefined {
  if (typeof settings.calc === "string") return "calc";
  if (type === "date" && settings.onUpdate === true) return "updated";
  if (type === "date" && settings.onCreate === true) return "created";
  if (settings.readonly === true || settings.disabled === true) return "readonly";
  return settings.lockOnEdit === true && !isNew ? "lockOnEdit" : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
