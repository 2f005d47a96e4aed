// Which columns a schema has in CSV, and how a value looks in a cell. read-csv.ts reads what this writes.

import { isJsonText } from "#base/text.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";

export interface CsvColumn {
  header: string;
  /** One name, or two for a part of a card or a localized text. */
  path: readonly string[];
  type: string;
}

/** `id` first, the properties in schema order, then the timestamps, which a deck item does not have. */
export function csvColumns(
  schema: FlatSchema,
  locales: ReadonlyMap<string, ReadonlySet<string>>,
  of: "objects" | "deck" = "objects",
): CsvColumn[] {
  const columns: CsvColumn[] = [{ header: "id", path: ["id"], type: "slug" }];
  for (const property of schema.properties.values()) {
    if (property.isPassword || isFixed(property.name, of)) continue;
    columns.push(...propertyColumns(property, locales.get(property.name)));
  }
  if (of === "objects") {
    for (const name of ["created", "modified"]) columns.push({ header: name, path: [name], type: "date" });
  }
  return columns;
}

function isFixed(name: string, of: "objects" | "deck"): boolean {
  return name === "id" || (of === "objects" && (name === "created" || name === "modified"));
}

function propertyColumns(property: Property, locales: ReadonlySet<string> | undefined): CsvColumn[] {
  const { name, kind, item } = property;
  const part = (sub: string, type: string): CsvColumn => ({ header: `${name}.${sub}`, path: [name, sub], type });
  if (kind.type === "localizedtext" && locales) return [...locales].sort().map((locale) => part(locale, "string"));
  if (kind.type === "card" && item) {
    return [...item.properties.values()].filter((sub) => !sub.isPassword).map((sub) => part(sub.name, sub.kind.type));
  }
  return [{ header: name, path: [name], type: kind.type }];
}

export function localizedProperties(schema: FlatSchema): string[] {
  return [...schema.properties.values()].filter(({ kind }) => kind.type === "localizedtext").map(({ name }) => name);
}

export function noteLocales(locales: ReadonlyMap<string, Set<string>>, document: JsonObject): void {
  for (const [name, found] of locales) {
    const value = document[name];
    if (isJsonObject(value)) for (const locale of Object.keys(value)) found.add(locale);
  }
}

export function csvCells(columns: readonly CsvColumn[], document: JsonObject): (Json | undefined)[] {
  return columns.map(({ path, type }) => csvCell(valueAt(document, path), type));
}

function valueAt(document: JsonObject, [name = "", part]: readonly string[]): Json | undefined {
  const value = document[name];
  if (part === undefined) return value;
  return isJsonObject(value) ? value[part] : undefined;
}

/** Values that are not text are left to the writer, which makes JSON of them. */
function csvCell(value: Json | undefined, type: string): Json | undefined {
  if (type === "color") return colorText(value) ?? value;
  if (type === "list" || type === "array") return joinList(value) ?? value;
  if (type === "json") return jsonText(value);
  return type === "string" && typeof value === "string" ? value.replace(/(\\+)(n?)/g, doubled) : value;
}

/** Text is literal, unless it would be read as a different value. */
function jsonText(value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return value === null ? "null" : value;
  const isPlain = value !== "" && value.trim() === value && !/^[[{]/.test(value) && !isJsonText(value);
  return isPlain ? value : JSON.stringify(value);
}

/** Elements that would be read back differently need JSON. */
function joinList(value: Json | undefined): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const isPlain =
    value.length > 0 && value.every((part) => typeof part === "string" && /^[^,|[{\s](?:[^,|]*[^,|\s])?$/.test(part));
  return isPlain ? value.join(",") : undefined;
}

function colorText(value: Json | undefined): string | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.oklch ?? null)) return undefined;
  const { l, c, h } = value.oklch as JsonObject;
  return `oklch(${l}% ${c} ${h})`;
}

/** Backslashes before an n, which would be read as line ends. A run is matched whole: none is looked at twice. */
function doubled(_found: string, slashes: string, n: string): string {
  return n === "" ? slashes : slashes + slashes + n;
}
