// Changes to the properties of a schema. Each answers another record; keys that it does not concern stay as they are. Pure.

import type { BaseType } from "@contract/extensions.ts";
import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "@contract/schemas.ts";
import { resolveType, typeOfField } from "@rules/property-types.ts";
import { readProperty } from "#fields/property.ts";
import { moved } from "#ui/order.ts";

/** As the server takes them. */
export const nameForm = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

export interface NewProperty {
  name: string;
  kind: string;
  /** Of a kind of an extension: its base type. */
  type?: BaseType | undefined;
  label: string;
  help: string;
  isRequired: boolean;
  isIndexed: boolean;
  isUnique: boolean;
  /** Of a card or deck. */
  itemSchema: string;
}

/** The widget that edits a property, as forms choose it. */
export function kindOf(name: string, definition: PropertyDefinition): string {
  const schema: SchemaRecord = { id: "", properties: { [name]: definition }, required: [], index: [] };
  return readProperty(schema, name, false).kind;
}

export function addProperty(record: SchemaRecord, made: NewProperty): SchemaRecord {
  const { name, kind, type, label, help, isRequired, isIndexed, isUnique, itemSchema } = made;
  const definition: PropertyDefinition = {
    field: kind,
    ...(type !== undefined && { type }),
    ...(label !== "" && { label }),
    ...(help !== "" && { help }),
    ...(isUnique && { unique: true }),
    ...(itemSchema !== "" && { schemaref: itemSchema }),
  };
  const next = { ...record, properties: { ...record.properties, [name]: definition } };
  return withListed(withListed(next, "required", name, isRequired), "index", name, isIndexed);
}

export function withDefinition(record: SchemaRecord, name: string, definition: PropertyDefinition): SchemaRecord {
  return { ...record, properties: { ...record.properties, [name]: definition } };
}

export function removeProperty(record: SchemaRecord, name: string): SchemaRecord {
  const { [name]: _, ...properties } = record.properties;
  return {
    ...withoutName(record, name),
    properties,
    ...(record.formgrid !== undefined && { formgrid: inLayout(record.formgrid, name, ".") }),
  };
}

/** The parents' definition holds again. Its place in the layout stays. */
export function resetOverride(record: SchemaRecord, name: string): SchemaRecord {
  const { [name]: _, ...properties } = record.properties;
  return { ...withoutName(record, name), properties };
}

function withoutName(record: SchemaRecord, name: string): SchemaRecord {
  const others = (names: readonly string[]) => names.filter((one) => one !== name);
  return { ...record, required: others(record.required), index: others(record.index) };
}

/** For a property that is not saved yet: no object has a value under its name. */
export function renameUnsaved(record: SchemaRecord, from: string, to: string): SchemaRecord {
  const rename = (name: string) => (name === from ? to : name);
  return {
    ...record,
    properties: Object.fromEntries(Object.entries(record.properties).map(([name, one]) => [rename(name), one])),
    required: record.required.map(rename),
    index: record.index.map(rename),
    ...(record.formgrid !== undefined && { formgrid: inLayout(record.formgrid, from, to) }),
  };
}

export function moveProperty(record: SchemaRecord, from: number, to: number): SchemaRecord {
  return { ...record, properties: Object.fromEntries(moved(Object.entries(record.properties), from, to)) };
}

export function duplicateProperty(record: SchemaRecord, name: string, copy: string): SchemaRecord {
  const entries = Object.entries(record.properties);
  const at = entries.findIndex(([one]) => one === name);
  const { formerly: _, ...definition } = structuredClone(record.properties[name] ?? {});
  entries.splice(at + 1, 0, [copy, definition]);
  const next = { ...record, properties: Object.fromEntries(entries) };
  const isIn = (list: "required" | "index") => record[list].includes(name);
  return withListed(withListed(next, "required", copy, isIn("required")), "index", copy, isIn("index"));
}

export function withListed(
  record: SchemaRecord,
  list: "required" | "index",
  name: string,
  isListed: boolean,
): SchemaRecord {
  if (record[list].includes(name) === isListed) return record;
  return { ...record, [list]: isListed ? [...record[list], name] : record[list].filter((one) => one !== name) };
}

/** A definition may say it by itself, too. */
export function withRequired(record: SchemaRecord, name: string, isRequired: boolean): SchemaRecord {
  const { required, ...definition } = record.properties[name] ?? {};
  const next = required === true && !isRequired ? withDefinition(record, name, definition) : record;
  return withListed(next, "required", name, isRequired);
}

export function isRequiredIn(record: SchemaRecord, name: string): boolean {
  return record.required.includes(name) || record.properties[name]?.required === true;
}

/** What a value is stays where the new kind edits it too; else the kind decides. */
export function withKind(definition: PropertyDefinition, kind: string, base?: BaseType): PropertyDefinition {
  const { type, $ref, ...others } = definition;
  const stored = resolveType(definition);
  if (base !== undefined)
    return stored === base ? { ...definition, field: kind } : { ...others, type: base, field: kind };
  const isFitting = stored === typeOfField(kind) || (stored === "integer" && typeOfField(kind) === "number");
  if (isFitting) return { ...definition, field: kind };
  return { ...others, field: kind };
}

/** The value of a key; `settings.min` is one of the settings. */
export function keyOf(definition: PropertyDefinition, key: string): Json | undefined {
  let value: Json | undefined = definition as JsonObject;
  for (const part of key.split("."))
    value = isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

/** `undefined` removes the key, and what it leaves empty. */
export function withKey(definition: PropertyDefinition, key: string, value: Json | undefined): PropertyDefinition {
  return put(definition as JsonObject, key.split("."), value);
}

function put(target: JsonObject, [name = "", ...rest]: string[], value: Json | undefined): JsonObject {
  const present = target[name];
  const next = rest.length === 0 ? value : put(isJsonObject(present) ? present : {}, rest, value);
  const isNone = next === undefined || (rest.length > 0 && isJsonObject(next) && Object.keys(next).length === 0);
  if (!isNone) return { ...target, [name]: next };
  const { [name]: _, ...others } = target;
  return others;
}

/** Another name in the cells of a layout; a row of empty cells alone goes. */
function inLayout(formgrid: string, from: string, to: string): string {
  return formgrid
    .split("\n")
    .flatMap((line) => {
      const text = line.trim();
      if (text.startsWith("---") || text.startsWith("[[") || text.startsWith("]]")) return [line];
      const cells = text.split(/\s+/);
      if (!cells.includes(from)) return [line];
      const next = cells.map((cell) => (cell === from ? to : cell));
      return next.every((cell) => cell === ".") ? [] : [next.join(" ")];
    })
    .join("\n");
}

/** A name from words for people: "Start of sale" is startOfSale. */
export function nameFrom(label: string): string {
  const plain = label.normalize("NFD").replace(/\p{M}/gu, "").replace(/ß/g, "ss");
  const words = plain
    .replace(/[^A-Za-z0-9]+/g, " ")
    .replace(/^[\s0-9]+/, "")
    .trim()
    .split(" ");
  return words
    .map((word, at) => (at === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join("")
    .slice(0, 100);
}

export function freeName(taken: (name: string) => boolean, name: string): string {
  for (let number = 2; ; number++) if (!taken(`${name}${number}`)) return `${name}${number}`;
}
