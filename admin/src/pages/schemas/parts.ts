// A schema as the parts that people change apart from each other: its texts and lists, each property, and their order. The form
// store, kept changes and the joining of two people's changes work on these. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import type { PropertyDefinition, SchemaRecord } from "@contract/schemas.ts";
import { type Merge, merge } from "#form/merge.ts";

/** Written by the server with each answer: no part of what is edited. */
const served = new Set(["$schema", "$id", "type", "name", "updated"]);
/** Names in lists are joined one by one. */
const lists = ["properties", "required", "index", "inheritFrom"] as const;
const prefix = "property ";

/** The part of a property; names of properties have no dots. */
export function partOfProperty(name: string): string {
  return prefix + name;
}

/** Undefined: the part is none of a property. */
export function propertyOfPart(part: string): string | undefined {
  return part.startsWith(prefix) ? part.slice(prefix.length) : undefined;
}

/** Every key that is not known stays as it is. */
export function partsOf(record: Readonly<JsonObject>): JsonObject {
  const parts: JsonObject = {};
  for (const [key, value] of Object.entries(record)) if (!served.has(key) && key !== "properties") parts[key] = value;
  const properties = isJsonObject(record.properties) ? record.properties : {};
  parts.properties = Object.keys(properties);
  for (const [name, definition] of Object.entries(properties)) parts[partOfProperty(name)] = definition;
  return parts;
}

export function recordOf(parts: Readonly<JsonObject>): SchemaRecord {
  const record: JsonObject = {};
  const definitions = new Map<string, Json>();
  for (const [part, value] of Object.entries(parts)) {
    const name = propertyOfPart(part);
    if (name !== undefined) definitions.set(name, value);
    else if (part !== "properties") record[part] = value;
  }
  const names = new Set([...namesIn(parts.properties), ...definitions.keys()]);
  const properties = [...names].flatMap((name): [string, PropertyDefinition][] => {
    const definition = definitions.get(name);
    return isJsonObject(definition) ? [[name, definition]] : [];
  });
  const { id = "", required, index, ...others } = record;
  return {
    id: String(id),
    ...others,
    properties: Object.fromEntries(properties),
    required: namesIn(required),
    index: namesIn(index),
  };
}

/** What differs: the parts of `after`, those that it lacks as undefined. */
export function difference(before: JsonObject, after: JsonObject): { [part: string]: Json | undefined } {
  const parts = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...parts].filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]));
  return Object.fromEntries(changed.map((part) => [part, after[part]]));
}

/** After the server has renamed a property: what is stored, with the changes that are not saved under the new name. */
export function renamedParts(
  stored: JsonObject,
  mine: JsonObject,
  dirty: readonly string[],
  { from, to }: { from: string; to: string },
): JsonObject {
  const parts = { ...stored };
  for (const old of dirty) {
    const part = old === partOfProperty(from) ? partOfProperty(to) : old;
    const { [part]: kept } = stored;
    const value = mine[part];
    // The server notes the former name.
    if (part !== old && isJsonObject(value) && isJsonObject(kept) && kept.formerly !== undefined)
      parts[part] = { ...value, formerly: kept.formerly };
    else if (value === undefined) delete parts[part];
    else parts[part] = value;
  }
  return parts;
}

export interface JoinedParts extends Merge {
  /** Lists that both changed, joined. */
  joined: { [part: string]: Json };
}

/** `yours`: the changed parts alone, those that were removed as null. */
export function joinParts(before: JsonObject, theirs: JsonObject, yours: JsonObject): JoinedParts {
  const { theirs: taken, conflicts } = merge(before, theirs, yours);
  const isList = (part: string) => (lists as readonly string[]).includes(part);
  const joined = conflicts
    .filter(({ property }) => isList(property))
    .map((one) => [one.property, joinNames(namesIn(one.before), namesIn(one.theirs), namesIn(one.yours))]);
  return {
    theirs: taken,
    conflicts: conflicts.filter(({ property }) => !isList(property)),
    joined: Object.fromEntries(joined),
  };
}

/** Theirs, without what you removed; what you added stands after the name that it follows in yours. */
function joinNames(before: readonly string[], theirs: readonly string[], yours: readonly string[]): string[] {
  const names = theirs.filter((name) => yours.includes(name) || !before.includes(name));
  for (const [at, name] of yours.entries()) {
    if (before.includes(name) || names.includes(name)) continue;
    const previous = names.indexOf(yours[at - 1] ?? "");
    names.splice(previous < 0 ? names.length : previous + 1, 0, name);
  }
  return names;
}

export function namesIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}
