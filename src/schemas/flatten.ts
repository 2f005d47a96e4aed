// From records to schemas ready for use: parents merged in, references resolved, every property given its kind,
// the shapes of cards and deck items built the same way. Pure: it knows only the given records.

import { createHash } from "node:crypto";
import { isJsonObject } from "#contract/json.ts";
import type { PropertyDefinition, PropertyType, SchemaRecord } from "#contract/schemas.ts";
import { type FindSchema, inherit } from "#rules/inherit.ts";
import { humanise } from "#rules/labels.ts";
import { itemSchemaId, refTo, resolveType } from "#rules/property-types.ts";
import { relationTarget } from "#rules/relations.ts";
import { type AddedKinds, comparisonOf, findAdded } from "./added-kinds.ts";
import { withParts } from "./fields/added.ts";
import { kindOf } from "./fields/registry.ts";
import type { FlatSchema, Property } from "./types.ts";

/** The use of a shape. A card has no id of its own; an item contains no further lists of files or items. */
type Shape = "object" | "card" | "deck";

export const notInItems: ReadonlySet<PropertyType> = new Set(["gallery", "depot", "deck"]);

export const idDefinition: PropertyDefinition = {
  $ref: refTo("slug") as string,
  field: "id",
  label: "Id",
  help: "Names the object in addresses.",
};

/** Caches flattened schemas: make a new one when a record changes. */
export function createFlattener(find: FindSchema, kinds: AddedKinds): (id: string) => FlatSchema | undefined {
  const merged = new Map<string, SchemaRecord>();
  const flattened = new Map<string, FlatSchema>();

  function findMerged(id: string): SchemaRecord | undefined {
    const known = merged.get(id);
    if (known) return known;
    const record = find(id);
    if (!record) return undefined;
    const whole = inherit(record, find);
    merged.set(id, whole);
    return whole;
  }

  /** Whether cards inside an item lead back to the schema it is part of; such a cycle is cut. */
  function leadsTo(from: string, to: string): boolean {
    const seen = new Set([from]);
    for (const id of seen) {
      if (id === to) return true;
      for (const definition of Object.values(findMerged(id)?.properties ?? {})) {
        const next = resolveType(definition) === "card" ? itemSchemaId(definition) : undefined;
        if (next !== undefined) seen.add(next);
      }
    }
    return false;
  }

  function itemOf(id: string, definition: PropertyDefinition): FlatSchema | undefined {
    const target = itemSchemaId(definition);
    if (target === undefined || leadsTo(target, id)) return undefined;
    return flatten(target, resolveType(definition) as "card" | "deck");
  }

  function flatten(id: string, shape: Shape): FlatSchema | undefined {
    const key = `${shape}:${id}`;
    const known = flattened.get(key);
    if (known) return known;
    const whole = findMerged(id);
    if (!whole) return undefined;
    const flat = compose(shapedRecord(whole, shape), shape, { kinds, itemOf: (definition) => itemOf(id, definition) });
    flattened.set(key, flat);
    return flat;
  }

  return (id) => flatten(id, "object");
}

/** The record for this shape: `id` first, lists that name existing properties only. */
function shapedRecord(whole: SchemaRecord, shape: Shape): SchemaRecord {
  const { id, ...others } = whole.properties;
  const properties: SchemaRecord["properties"] = {};
  if (id || shape !== "card") properties.id = id ?? idDefinition;
  for (const [name, definition] of Object.entries(others)) {
    if (shape === "object" || !notInItems.has(resolveType(definition))) properties[name] = definition;
  }
  const has = (name: string): boolean => Object.hasOwn(properties, name);
  const marked = Object.keys(properties).filter((name) => properties[name]?.required === true);
  const required = [...new Set([...whole.required, ...marked])].filter(has);
  return {
    ...whole,
    properties,
    required: shape === "card" ? required.filter((name) => name !== "id") : required,
    index: whole.index.filter((name) => has(name) && !isPassword(properties[name])),
  };
}

interface Around {
  kinds: AddedKinds;
  itemOf(definition: PropertyDefinition): FlatSchema | undefined;
}

function compose(record: SchemaRecord, shape: Shape, { kinds, itemOf }: Around): FlatSchema {
  const required = new Set(record.required);
  const index = new Set(record.index);
  const properties = new Map<string, Property>();
  for (const [name, written] of Object.entries(record.properties)) {
    const definition = resolved(written);
    const item = itemOf(written);
    const added = findAdded(kinds, definition);
    const kind = added ? withParts(kindOf(definition), added) : kindOf(definition);
    properties.set(name, {
      name,
      kind,
      definition,
      label: definition.label || humanise(name),
      isRequired: required.has(name) || (name === "id" && shape !== "card"),
      isIndexed: index.has(name),
      isUnique: definition.unique === true,
      isPassword: isPassword(written),
      formerly: definition.formerly ?? [],
      ...(item && { item }),
      ...(added && { added }),
    });
  }
  const all = [...properties.values()];
  return {
    id: record.id,
    rev: revisionOf(record, shape, properties),
    record,
    properties,
    index: record.index,
    unlisted: [...properties.values()].filter(isUnlisted).map(({ name }) => name),
    allowsUnknown: record.additionalProperties !== false,
    isNumbered: all.some(({ definition, item }) => item?.isNumbered || /\$\{\s*oid/.test(JSON.stringify(definition))),
    hasUnique: all.some(({ name, isUnique }) => isUnique && name !== "id"),
    holdsFiles: all.some(hasFiles),
    hasFormer: all.some(({ formerly }) => formerly.length > 0),
    movesFiles: all.some(
      (property) => hasFiles(property) && (property.formerly.length > 0 || property.item?.movesFiles),
    ),
  };
}

/** Its own, or those of cards and items in it. */
function hasFiles({ kind, item }: Property): boolean {
  return kind.isUploaded === true || item?.holdsFiles === true;
}

function isUnlisted({ name, isUnique, isIndexed, isPassword }: Property): boolean {
  return isUnique && !isIndexed && !isPassword && name !== "id";
}

/** With the reference resolved, so that every reader sees one type. */
function resolved(written: PropertyDefinition): PropertyDefinition {
  const { $ref: _, ...definition } = written;
  return {
    ...definition,
    type: resolveType(written),
    settings: isJsonObject(definition.settings) ? definition.settings : {},
  };
}

function isPassword(definition: PropertyDefinition | undefined): boolean {
  return definition !== undefined && resolveType(definition) === "password";
}

/** Of the stored references. Objects of a schema with relations are rebuilt, in the background, when it moves. */
const referencesLayout = "references 1";

/** `updated` is left out: saving a schema unchanged must not make every document stale. */
function revisionOf(record: SchemaRecord, shape: Shape, properties: ReadonlyMap<string, Property>): string {
  const { updated: _, ...content } = record;
  const items = [...properties.values()].map((property) => property.item?.rev ?? null);
  const all = [...properties.values()];
  const layout = all.some(({ definition }) => relationTarget(definition) !== undefined) ? [referencesLayout] : [];
  // What the index entry holds of them.
  const parts = all.flatMap(({ name, added }) =>
    added && added.index.length + added.text.length > 0
      ? [[name, added.index.map((path) => [path, comparisonOf(added, path)]), added.text]]
      : [],
  );
  const text = JSON.stringify([shape, content, items, ...layout, ...parts]);
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
