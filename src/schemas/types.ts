// A schema made ready for use: parents merged in, references resolved, every property given its kind. And what a field kind is:
// one file per kind or small family in fields/, all known to fields/registry.ts.
// A kind never throws on bad input: it reports, and returns undefined.

import type { Json, JsonObject } from "#contract/json.ts";
import type { PropertyDefinition, PropertyType, SchemaRecord } from "#contract/schemas.ts";
import type { Comparison } from "#storage/query/selection.ts";
import type { ObjectSecrets } from "#storage/tables/object-row.ts";
import type { AddedKind } from "./added-kinds.ts";
import type { HtmlRules } from "./html/html.ts";

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
  /** Names that it had before: values stored under them are its own. */
  formerly: readonly string[];
  /** The shape of a card or of a deck's items. */
  item?: FlatSchema;
  /** The kind of an extension that `field` names. */
  added?: AddedKind;
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
  /** Some property holds files, its own or those of cards and items in it. */
  holdsFiles: boolean;
  /** Some property had another name before. */
  hasFormer: boolean;
  /** Some property with files, or one around it, had: files may lie under that name. */
  movesFiles: boolean;
  /** Some objects of the collection may still be stored under former names: queries look there too. */
  isMoving?: true;
}

/** One value being written. */
export interface Field {
  /** Dotted: `title`, `card.sub`, `deck.itemId.sub`. */
  path: string;
  property: Property;
  write: FieldWrite;
}

/** What holds for the whole write. */
export interface FieldWrite {
  /** ISO time of the write. */
  now: string;
  created: string;
  modified: string;
  /** The number of the object in its collection, for `oid`. */
  counter: number;
  /** Import and sync: password hashes and stamped dates are taken as they come. */
  isTrusted: boolean;
  /** Showing what an older schema stored: nothing is refused, generated or computed. */
  isLenient: boolean;
  htmlclean: HtmlRules;
  /** How much HTML may still be cleaned in this write. */
  markupBudget: number;
  /** How many characters that hold some. */
  lengthBudget: number;
  /** How many tags may still be looked at. */
  tagBudget: number;
  /** Plain text -> hash, made before the transaction. */
  hashes: ReadonlyMap<string, string>;
  /** The object's secrets before the write, and those it will have. */
  stored: Readonly<ObjectSecrets>;
  secrets: ObjectSecrets;
  problems: Problem[];
  /** The document whose files are real: what is said about any other file is dropped. undefined: nothing is. */
  files: JsonObject | undefined;
  /** The object's properties that were sent; the others stay as they are stored. undefined: all were. */
  changed: ReadonlySet<string> | undefined;
}

export interface Problem {
  path: string;
  message: string;
}

export interface FieldKind {
  type: PropertyType;
  /** How filters and sorting compare it; undefined = it cannot be filtered or sorted (filters never match). */
  comparison?: Comparison;
  /** Short scalar values that are worth a database index. */
  isIndexable?: boolean;
  /** Files come by a second request, once the object exists: `required` accepts an object without them. */
  isUploaded?: boolean;
  /**
   * Which keywords of a definition count: all by default; `own-form`: all but `format`, and none for an empty text;
   * `counts`: only the number of entries; `none`: the kind says everything.
   */
  rules?: "own-form" | "counts" | "none";
  /** Counts as not filled for `required`. Absent and null always do. */
  isEmpty(value: Json): boolean;
  /** What an older schema stored and today's rules refuse is shown all the same when it has this form. */
  isShaped(value: Json): boolean;
  /**
   * From what a caller sent to what is stored: coerces, cleans, checks.
   * undefined = there is no value (it was reported, or it is kept elsewhere).
   */
  coerce(value: Json, field: Field): Json | undefined;
  /** Text for the full-text index. Default: none. */
  text?(value: Json, item?: FlatSchema): string;
  /** The plain-text passwords in a value that was sent. Default: none. */
  passwords?(value: Json, item?: FlatSchema): string[];
}
