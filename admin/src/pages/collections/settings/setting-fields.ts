// The settings of a collection as fields: each by its path in the record, with the widget that edits it. Pure.

import type { Json, JsonObject } from "@contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "@contract/schemas.ts";
import { type FieldProperty, readProperty } from "#fields/property.ts";
import type { settings } from "#words/en/settings.ts";

export type SettingsWords = typeof settings;

export const tabIds = ["general", "address", "access", "form", "forms", "sitemap", "mcp", "danger"] as const;
export type TabId = (typeof tabIds)[number];

/** The tab that a setting stands on, by the first part of its path. */
const tabOf: Readonly<Record<string, TabId>> = {
  url: "address",
  prettyUrl: "address",
  onSite: "address",
  publicOperations: "access",
  groups: "access",
  publicFiles: "access",
  formSettings: "form",
  properties: "form",
  customProperties: "form",
  forms: "forms",
  sitemap: "sitemap",
  mcp: "mcp",
};

export function tabOfSetting(path: string): TabId {
  return tabOf[path.split(".")[0] ?? ""] ?? "general";
}

/** In kept changes it stands for the id of an object. */
export const settingsPlace = "-settings";

/** Set by the server: not a part of what is edited. */
const counters = ["count", "totalObjects", "lastUpdated", "updated", "index"];

export function editedPart(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !counters.includes(name)));
}

/** Properties to sort by, and those that hold dates, of the schema of the objects. */
export interface Choices {
  sort: Json[];
  dates: Json[];
}

export function settingFields(words: SettingsWords, choices: Choices): Record<string, FieldProperty> {
  const named = (texts: Record<string, string>): Json[] =>
    Object.entries(texts).map(([value, label]) => ({ value, label }));
  const definitions: Record<string, PropertyDefinition> = {
    name: { field: "text" },
    description: { field: "textarea" },
    schema: { field: "text", settings: { readonly: true } },
    category: { field: "text" },
    labelSingular: { field: "text" },
    labelPlural: { field: "text" },
    sortBy: { field: "select", options: choices.sort, settings: { clearValue: false } },
    reverseSort: { field: "checkbox" },
    singleton: { field: "checkbox" },
    requireEmailVerification: { field: "checkbox" },
    history: { field: "select", options: named(words.historyModes) },
    "history.mode": { field: "select", options: named(words.historyModes), settings: { clearValue: false } },
    url: { field: "text", placeholder: "/news/{id}" },
    prettyUrl: { field: "checkbox" },
    publicFiles: { field: "checkbox" },
    "formSettings.helpStyle": { field: "select", options: named(words.helpStyles) },
    "formSettings.helpOnHover": { field: "checkbox" },
    "formSettings.helpOnFocus": { field: "checkbox" },
    "sitemap.enabled": { field: "checkbox" },
    "sitemap.frequency": { field: "select", options: named(words.frequencies) },
    "sitemap.priority": { field: "number", type: "number" },
    "sitemap.date": { field: "select", options: choices.dates },
    "sitemap.include": { field: "text" },
    "sitemap.exclude": { field: "text" },
    "mcp.access": { field: "select", options: named(words.mcpAccess), settings: { clearValue: false } },
    "mcp.description": { field: "textarea" },
    "mcp.resource": { field: "checkbox" },
  };
  const properties = Object.fromEntries(
    Object.entries(definitions).map(([path, definition]): [string, PropertyDefinition] => {
      const help = path === "schema" ? words.openSchema : words.help[path];
      return [path, { ...definition, label: words.labels[path] ?? path, ...(help !== undefined && { help }) }];
    }),
  );
  const schema: SchemaRecord = { id: "settings", properties, required: ["name"], index: [] };
  return Object.fromEntries(Object.keys(properties).map((path) => [path, readProperty(schema, path, false)]));
}

/** What the server says of a card begins with the name of its part: "priority must be a number". */
export function errorPath(setting: string, text: string, fields: Readonly<Record<string, unknown>>): string {
  const [part = ""] = text.split(" ");
  const path = `${setting}.${part}`;
  return Object.hasOwn(fields, path) || path === "mcp.tools" ? path : setting;
}
