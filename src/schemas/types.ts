// A schema made ready for use: parents merged in, references resolved, every property given its kind.

import type { PropertyDefinition, SchemaRecord } from "#contract/schemas.ts";
import type { FieldKind } from "./fields/kind.ts";

export interface Property {
  name: string;
  kind: FieldKind;
  /** With the shared definition of `$ref` merged under it. */
  definition: PropertyDefinition;
  label: string;
  isRequired: boolean;
  isIndexed: boolean;
  isUnique: boolean;
  isPassword: boolean;
  /** The shape of a card or of a deck's items. */
  item?: FlatSchema;
}

export interface FlatSchema {
  id: string;
  /** Moves whenever the flattened schema, or one it refers to, changes: 12 hex digits of a content hash. */
  rev: string;
  /** As answered by `/schema`: flattened, with own metadata. */
  record: SchemaRecord;
  /** In schema order, `id` first. */
  properties: ReadonlyMap<string, Property>;
  /** Indexed property names in order, passwords never among them. */
  index: readonly string[];
  /** Unique properties outside the index: every entry holds them all the same, so that a double is found. */
  unlisted: readonly string[];
  /** False when the schema says `additionalProperties: false`: unknown keys are refused, not dropped. */
  allowsUnknown: boolean;
  /** Some value is made from the object's number in its collection (`oid`). */
  isNumbered: boolean;
  /** Some property but the id must differ from that of every other object. */
  hasUnique: boolean;
}
