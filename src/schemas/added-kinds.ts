// Field kinds that extensions brought: a base type of the core with rules of their own. They are kept in the database, so that
// values stay readable and checked when an extension is switched off or gone. Pure: content/collections/follow-kinds.ts
// reads them, and finding them must stay a lookup.

import { perInstance } from "#base/per-instance.ts";
import type { BaseType, KeptKind } from "#contract/extensions.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { PropertyDefinition, PropertyType } from "#contract/schemas.ts";
import { resolveType } from "#rules/property-types.ts";
import type { Comparison } from "#storage/query/selection.ts";

export interface AddedKind {
  /** `{vendor}/{name}:{kind}`: what `field` of a property names. */
  name: string;
  extension: string;
  title: string;
  type: BaseType;
  /** JSON Schema of its values. */
  schema: JsonObject | undefined;
  /** Dotted parts of a JSON value that are filtered and sorted by. */
  index: readonly string[];
  /** Dotted parts whose words are searched. */
  text: readonly string[];
  /** Whether code of the extension changes values before they are stored. */
  normalise: boolean;
}

export type AddedKinds = ReadonlyMap<string, AddedKind>;

export const noKinds: AddedKinds = new Map();

const state = perInstance((_storage: object): { kinds: AddedKinds } => ({ kinds: noKinds }));

/** The same map until a kind changes. */
export function addedKinds(storage: object): AddedKinds {
  return state(storage).kinds;
}

export function setAddedKinds(storage: object, kinds: AddedKinds): void {
  state(storage).kinds = kinds;
}

/** Of one extension, by their full names. */
export function toAddedKinds(extension: string, kept: { readonly [kind: string]: KeptKind }): [string, AddedKind][] {
  return Object.entries(kept).map(([kind, one]) => {
    const name = `${extension}:${kind}`;
    return [name, { ...one, name, extension, schema: one.schema }];
  });
}

const form = /^[a-z0-9-]{2,40}\/[a-z0-9-]{2,40}:[A-Za-z0-9_-]{1,60}$/;

/** Whether a property names a kind of an extension, known or not. */
export function isAddedName(field: string | undefined): field is string {
  return field !== undefined && form.test(field);
}

/** Undefined also where the property is of another type than the kind: then the type alone counts. */
export function findAdded(kinds: AddedKinds, definition: PropertyDefinition): AddedKind | undefined {
  const found = definition.field === undefined ? undefined : kinds.get(definition.field);
  return found && isBasedOn(resolveType(definition), found) ? found : undefined;
}

export function isBasedOn(type: PropertyType, { type: base }: AddedKind): boolean {
  return type === base || (base === "json" && type === "object");
}

/** Of a value, by its dotted name. */
export function partOf(value: Json | undefined, path: string): Json | undefined {
  let at = value;
  for (const name of path.split(".")) at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

const comparisons: Readonly<Record<string, Comparison>> = {
  number: "number",
  integer: "number",
  boolean: "boolean",
  array: "list",
};

/** As the schema of the kind says; text where it says nothing. */
export function comparisonOf({ schema }: AddedKind, path: string): Comparison {
  let at: Json | undefined = schema;
  for (const name of path.split(".")) at = partOf(at, "properties") && partOf(partOf(at, "properties"), name);
  const type = isJsonObject(at) ? at.type : undefined;
  const named = Array.isArray(type) ? type.find((one) => one !== "null") : type;
  return (typeof named === "string" ? comparisons[named] : undefined) ?? "text";
}

const fitting: Readonly<Partial<Record<Comparison, (value: Json) => boolean>>> = {
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  list: Array.isArray,
  text: (value) => typeof value === "string",
};

/** The parts of a value that the index holds, by their names in it: `place.lat`. Others are left out. */
export function indexedParts(kind: AddedKind, property: string, value: Json): [string, Json, Comparison][] {
  return kind.index.flatMap((path) => {
    const part = partOf(value, path);
    const comparison = comparisonOf(kind, path);
    return part !== undefined && fitting[comparison]?.(part) ? [[`${property}.${path}`, part, comparison]] : [];
  });
}

/** The schema of its values, for descriptions; undefined where there is none that can stand inside of another schema. */
export function describedSchema(kind: { schema: JsonObject | undefined } | undefined): JsonObject | undefined {
  if (kind?.schema === undefined || JSON.stringify(kind.schema).includes('"$ref"')) return undefined;
  const { $id: _id, $schema: _schema, $defs: _defs, ...own } = kind.schema;
  return own;
}
