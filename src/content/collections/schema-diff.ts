// What a schema would change when it is saved: properties that come, leave, are renamed, change their type or become required.
// Pure: it compares flattened schemas, and counts in one document at a time.

import type { Json, JsonObject } from "#contract/json.ts";
import { type Presentation, presentValue } from "#schemas/present.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { eachShape } from "#schemas/values/walk.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";

export type ChangeKind = "removed" | "renamed" | "retyped" | "newlyRequired";

export interface PropertyChange {
  kind: ChangeKind;
  before?: Property;
  after?: Property;
}

export interface SchemaDiff {
  added: string[];
  changes: PropertyChange[];
  index: { added: string[]; removed: string[] };
}

export function diffSchemas(before: FlatSchema | undefined, after: FlatSchema): SchemaDiff {
  const diff: SchemaDiff = { added: [], changes: [], index: diffIndexes(before?.index ?? [], after.index) };
  const kept = new Set<string>();
  for (const property of after.properties.values()) {
    const former = formerOf(property, before, after);
    const old = former ?? before?.properties.get(property.name);
    const both = { ...(old && { before: old }), after: property };
    if (old) kept.add(old.name);
    else diff.added.push(property.name);
    if (former) diff.changes.push({ kind: "renamed", ...both });
    if (old && old.kind.type !== property.kind.type) diff.changes.push({ kind: "retyped", ...both });
    if (before && property.isRequired && !old?.isRequired) diff.changes.push({ kind: "newlyRequired", ...both });
  }
  for (const property of before?.properties.values() ?? []) {
    if (!kept.has(property.name)) diff.changes.push({ kind: "removed", before: property });
  }
  return diff;
}

/** The property whose values it takes over. */
function formerOf({ name, formerly }: Property, before: FlatSchema | undefined, after: FlatSchema) {
  if (!before || before.properties.has(name)) return undefined;
  const former = formerly.find((each) => before.properties.has(each) && !after.properties.has(each));
  return former === undefined ? undefined : before.properties.get(former);
}

function diffIndexes(before: readonly string[], after: readonly string[]): SchemaDiff["index"] {
  return {
    added: after.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !after.includes(name)),
  };
}

/** As a document of the schema before is stored. */
export interface CountedDocument {
  document: JsonObject;
  secrets: ObjectSecrets;
  how: Presentation;
}

/** The changes that concern a document: in it, or in a card or deck item of a changed shape. */
export function changesIn(
  schema: FlatSchema,
  { document, secrets, how }: CountedDocument,
  diffs: ReadonlyMap<string, SchemaDiff>,
): Set<PropertyChange> {
  const found = new Set<PropertyChange>();
  eachShape(schema, document, (shape, values, path) => {
    for (const change of diffs.get(shape.id)?.changes ?? []) {
      if (found.has(change)) continue;
      const isSet = ({ name }: Property) => secrets[[...path, name].join(".")] !== undefined;
      if (concerns(change, { values, isSet, how })) found.add(change);
    }
  });
  return found;
}

interface Shape {
  values: JsonObject;
  /** Whether a password is. */
  isSet(property: Property): boolean;
  how: Presentation;
}

/** Whether a value leaves or moves, does not fit, or is lacking. */
function concerns({ kind, before, after }: PropertyChange, { values, isSet, how }: Shape): boolean {
  const value = before && Object.hasOwn(values, before.name) ? values[before.name] : undefined;
  const isFilled = before !== undefined && (before.isPassword ? isSet(before) : isFilledIn(before, value));
  if (kind === "removed" || kind === "renamed") return isFilled;
  if (!after) return false;
  if (kind === "retyped")
    return isFilled && !isFilledIn(after, presentValue(after, value, { ...how, hasDefault: false }));
  if (after.kind.isUploaded) return false;
  if (after.isPassword) return before === undefined || !isSet(before);
  return !isFilledIn(after, presentValue(after, value, { ...how, hasDefault: true }));
}

function isFilledIn({ kind, isPassword }: Property, value: Json | undefined): boolean {
  return !isPassword && value !== undefined && value !== null && !kind.isEmpty(value);
}
