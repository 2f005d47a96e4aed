// What names a property besides its values, and follows when the property is renamed: parts of schemas and settings of
// collections. Pure; nothing here reads or writes anything.

import type { CollectionConfig, SavedView } from "#contract/collections.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";
import { renameCells } from "#rules/formgrid.ts";
import { itemSchemaId } from "#rules/property-types.ts";
import { viewsOf } from "./saved-views.ts";

export interface Rename {
  from: string;
  to: string;
}

const maxFormer = 20;

/** The schema itself, or one that inherits from it: required, index, layout, rules and templates of values follow. */
export function renamedRecord(record: SchemaRecord, rename: Rename): SchemaRecord {
  const { from, to } = rename;
  const name = (each: string) => (each === from ? to : each);
  const properties = Object.fromEntries(
    Object.entries(record.properties).map(([each, definition]) => {
      const after = renamedDefinition(definition, rename);
      return each === from ? [to, withFormer(after, from)] : [each, after];
    }),
  );
  const { formgrid } = record;
  return {
    ...record,
    properties,
    required: record.required.map(name),
    index: record.index.map(name),
    ...(formgrid !== undefined && { formgrid: renameCells(formgrid, rename) }),
  };
}

/** A schema whose cards or decks have the shape of the renamed one: the labels of their items follow. */
export function renamedUser(record: SchemaRecord, shape: string, rename: Rename): SchemaRecord {
  const properties = Object.fromEntries(
    Object.entries(record.properties).map(([each, definition]) => [
      each,
      itemSchemaId(definition) === shape ? renamedLabel(definition, rename) : definition,
    ]),
  );
  return { ...record, properties };
}

function withFormer(definition: PropertyDefinition, from: string): PropertyDefinition {
  const former = (definition.formerly ?? []).filter((each) => each !== from);
  return { ...definition, formerly: [from, ...former].slice(0, maxFormer) };
}

function renamedDefinition(definition: PropertyDefinition, rename: Rename): PropertyDefinition {
  const { settings } = definition;
  if (!isJsonObject(settings)) return definition;
  const { autogen, calc, visibility } = settings;
  return {
    ...definition,
    settings: {
      ...settings,
      ...(typeof autogen === "string" && { autogen: renamePlaces(autogen, rename) }),
      ...(typeof calc === "string" && { calc: renamePlaces(calc, rename) }),
      ...(isJsonObject(visibility) && { visibility: renamedRule(visibility, rename) }),
    },
  };
}

function renamedLabel(definition: PropertyDefinition, rename: Rename): PropertyDefinition {
  const { deckItemLabel, settings } = definition;
  const inner = isJsonObject(settings) ? settings.deckItemLabel : undefined;
  return {
    ...definition,
    ...(typeof deckItemLabel === "string" && { deckItemLabel: renamePlaces(deckItemLabel, rename) }),
    ...(typeof inner === "string" && { settings: { ...settings, deckItemLabel: renamePlaces(inner, rename) } }),
  };
}

function renamedRule(rule: JsonObject, { from, to }: Rename): JsonObject {
  return rule.watch === from ? { ...rule, watch: to } : rule;
}

/** `${name}` and `${name.inner}`, as templates of values and computed numbers have them; spaces are kept. */
function renamePlaces(text: string, { from, to }: Rename): string {
  return text.replace(/(\$\{\s*)([\w-]+)(?=\s*[}.])/g, (whole, start: string, name: string) =>
    name === from ? start + to : whole,
  );
}

/** `{name}`, `{{ name }}` and both with a filter, as the address of objects has them. */
function renameInUrl(url: string, { from, to }: Rename): string {
  return url.replace(/(\{\s*)([\w-]+)(?=\s*[|}])/g, (whole, start: string, name: string) =>
    name === from ? start + to : whole,
  );
}

/** Overrides of the form, order and address of objects, views and saved queries. */
export function renamedConfig(config: CollectionConfig, rename: Rename): CollectionConfig {
  const { properties, customProperties, manualSort, sortBy, url, mcp, views } = config;
  const { from, to } = rename;
  return {
    ...config,
    ...(properties && { properties: renameKey(properties, rename) }),
    ...(customProperties && { customProperties: mapObjects(customProperties, (part) => renameKey(part, rename)) }),
    ...(manualSort && { manualSort: renameKey(manualSort, rename) }),
    sortBy: sortBy === from ? to : sortBy,
    url: renameInUrl(url, rename),
    mcp: { ...mcp, ...(mcp.tools !== undefined && { tools: renamedQueries(mcp.tools, rename) }) },
    ...(views && { views: renamedViews(config, rename) }),
  };
}

function renamedQueries(tools: Json, rename: Rename): Json {
  const one = (query: JsonObject): JsonObject => {
    const { filters, sort, include, exclude } = query;
    return {
      ...query,
      ...(isJsonObject(filters) && { filters: renameKey(filters, rename) }),
      ...(typeof sort === "string" && { sort: renameInSort(sort, rename) }),
      ...(typeof include === "string" && { include: renameInClauses(include, rename) }),
      ...(typeof exclude === "string" && { exclude: renameInClauses(exclude, rename) }),
    };
  };
  if (Array.isArray(tools)) return tools.map((query) => (isJsonObject(query) ? one(query) : query));
  return isJsonObject(tools) ? mapObjects(tools, one) : tools;
}

/** The query of a table's address: filters, order and columns. */
function renamedViews(config: CollectionConfig, rename: Rename): SavedView[] {
  return viewsOf(config).map(({ name, query }) => ({ name, query: renamedAddress(query, rename) }));
}

function renamedAddress(query: string, rename: Rename): string {
  const { from, to } = rename;
  const parts = [...new URLSearchParams(query)];
  const after = parts.map(([key, value]) => {
    const filter = /^filter\[([^\]]*)\](.*)$/.exec(key);
    if (filter?.[1] === from) return [`filter[${to}]${filter[2]}`, value];
    if (key === "sort") return [key, renameInSort(value, rename)];
    return [key, key === "columns" ? renameInClauses(value, rename) : value];
  });
  const isSame = JSON.stringify(after) === JSON.stringify(parts);
  return isSame ? query : new URLSearchParams(after as [string, string][]).toString();
}

/** What one person has chosen for a table: columns, their widths, own views. It is the admin's, so it may hold anything. */
export function renamedTable(table: JsonObject, rename: Rename): JsonObject {
  const { columns, widths, views } = table;
  const { from, to } = rename;
  const view = (one: Json) =>
    isJsonObject(one) && typeof one.query === "string" ? { ...one, query: renamedAddress(one.query, rename) } : one;
  return {
    ...table,
    ...(Array.isArray(columns) && { columns: columns.map((name) => (name === from ? to : name)) }),
    ...(isJsonObject(widths) && { widths: renameKey(widths, rename) }),
    ...(Array.isArray(views) && { views: views.map(view) }),
  };
}

/** `name`, `-name`, `name:desc`, separated by commas. */
function renameInSort(sort: string, { from, to }: Rename): string {
  return sort.replace(/[^,:\s-][^,:\s]*/g, (word, at: number) => (isFirst(sort, at) && word === from ? to : word));
}

/** `name` and `name:test`, separated by commas. */
function renameInClauses(clauses: string, { from, to }: Rename): string {
  return clauses.replace(/[^,:\s]+/g, (word, at: number) => (isFirst(clauses, at) && word === from ? to : word));
}

/** Of its part between two commas. */
function isFirst(text: string, at: number): boolean {
  return /(?:^|,)\s*-?$/.test(text.slice(0, at));
}

function mapObjects(map: JsonObject, change: (part: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, part]) => [key, isJsonObject(part) ? change(part) : part]));
}

function renameKey(map: JsonObject, { from, to }: Rename): JsonObject {
  if (!Object.hasOwn(map, from) || Object.hasOwn(map, to)) return map;
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name === from ? to : name, value]));
}
