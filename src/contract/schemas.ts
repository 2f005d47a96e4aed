// A schema on the wire and on disk.

import type { Json, JsonObject } from "./json.ts";

export interface PropertyDefinition {
  type?: string;
  $ref?: string;
  field?: string;
  label?: string;
  help?: string;
  placeholder?: string;
  default?: Json;
  factory?: Json;
  options?: Json;
  settings?: JsonObject;
  schemaref?: string;
  deckref?: string;
  unique?: boolean;
  required?: boolean;
  enum?: Json[];
  [keyword: string]: Json | undefined;
}

export interface SchemaRecord {
  $schema?: string;
  $id?: string;
  id: string;
  type?: string;
  title?: string;
  description?: string;
  category?: string;
  formgrid?: string;
  inheritFrom?: string[];
  properties: { [property: string]: PropertyDefinition };
  required: string[];
  index: string[];
  additionalProperties?: boolean;
  updated?: string;
  mcp?: JsonObject;
}

export interface SchemaSummary {
  name: string;
  title: string;
  description: string;
  url: string;
}

/** The types a property may have. `integer` and `object` are Cairn's additions. */
export const propertyTypes = [
  "array",
  "boolean",
  "card",
  "code",
  "color",
  "date",
  "deck",
  "depot",
  "email",
  "file",
  "gallery",
  "image",
  "integer",
  "json",
  "list",
  "localizedtext",
  "number",
  "object",
  "password",
  "phone",
  "rating",
  "slug",
  "string",
  "svg",
  "time",
  "url",
] as const;
export type PropertyType = (typeof propertyTypes)[number];

/** The field kinds: each has a widget in the admin. Others are kept and hold text. */
export const fieldKinds = [
  "card",
  "checkbox",
  "checklist",
  "code",
  "color",
  "date",
  "datetime",
  "deck",
  "deckTable",
  "depot",
  "email",
  "file",
  "gallery",
  "hidden",
  "id",
  "image",
  "json",
  "list",
  "localizedstyledtext",
  "localizedtext",
  "localizedtextarea",
  "multicheckbox",
  "multiselect",
  "number",
  "password",
  "phone",
  "price",
  "radio",
  "range",
  "rating",
  "secret",
  "select",
  "styledtext",
  "svg",
  "text",
  "textarea",
  "time",
  "toggle",
  "url",
] as const;
