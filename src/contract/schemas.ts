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
  /** Names that the property had before; values stored under them become its own. */
  formerly?: string[];
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

/** `GET /api/schemas?details=true`. */
export interface SchemaDetails extends SchemaSummary {
  /** Empty without one. */
  category: string;
  isBuiltIn: boolean;
  /** The extension that brought it. */
  extension: string | null;
  /** How many it has by itself. */
  properties: number;
  inheritFrom: string[];
  /** Schemas that inherit from it, or whose cards and decks have its shape. */
  usedBy: string[];
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

export interface LintFinding {
  schema: string;
  level: "error" | "warning";
  property?: string;
  message: string;
}

/** `POST /api/schema-plan`: what saving a schema would do. */
export interface SchemaPlan {
  /** The collections whose objects it concerns, among those whose objects the caller may read, drafts included. */
  collections: { id: string; objects: number }[];
  /** It concerns other collections too: their objects are not counted. */
  hasOthers: boolean;
  added: string[];
  /** Values that leave are kept out of sight, and return with the property. */
  removed: (Counted<"filled"> & { property: string })[];
  renamed: (Counted<"filled"> & { from: string; to: string })[];
  retyped: (Counted<"unfit"> & { property: string; from: string; to: string })[];
  newlyRequired: (Counted<"lacking"> & { property: string })[];
  /** Indexed properties, and how many objects are indexed again. */
  index: { added: string[]; removed: string[]; objects: number };
  /** Schemas that inherit from it, or whose cards and decks have its shape. */
  children: string[];
  findings: LintFinding[];
  mentions: PropertyMention[];
  /** When not every object was looked at, the numbers are those of the objects that were. */
  counted: { objects: number; isComplete: boolean; ms: number };
}

/** The number of objects, and of those in each collection that has any. */
type Counted<Name extends string> = { [name in Name]: number } & { collections: Record<string, number> };

export const mentionKinds = ["collection", "saved-query", "saved-view", "template", "data-view", "automation"] as const;

/** Something that names a property that leaves or is renamed. */
export interface PropertyMention {
  property: string;
  kind: (typeof mentionKinds)[number];
  id: string;
  /** Of a saved query or view. */
  collection?: string;
  /** Of a text: the first line. */
  line?: number;
}
