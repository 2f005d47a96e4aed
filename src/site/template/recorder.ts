// What a page reads while it is rendered. The page cache keeps the record beside the page: the page is valid while all of it is
// unchanged (site/cache). Values of templates call the recorder; it decides nothing. Pages need not record that they depend on
// collections, schemas, settings, templates and redirects: the cache takes these scopes for every page.

import type { JsonObject } from "#contract/json.ts";
import type { VersionScope } from "#storage/port.ts";

/** One object that a template was given, and the properties that it has read so far. */
export interface RecordedObject {
  collection: string;
  id: string;
  /** From `versionOf` (storage/query/object-versions.ts): an object that is deleted and created again has another. */
  rev: string;
  /** Exactly as `storedDocument` shows it, so that the values of the properties can be compared with later ones. */
  document: JsonObject;
  /**
   * Top-level names; values of templates add to it when a property is read. A member that is not stored (`url`) adds the
   * properties that it is made of, or `*`, which stands for all of them.
   */
  readonly properties: Set<string>;
}

/** Objects that were asked for together: the answer depends on their order and number as well. */
export interface RecordedQuery {
  collection: string;
  objects: readonly RecordedObject[];
  /** Undefined where the template cannot have seen it. */
  total?: number | undefined;
  /** From `decidingProperties`: writes to others of an object change neither the order nor the total. Undefined: any may. */
  decidedBy?: ReadonlySet<string> | undefined;
  /** Asks the same again, and as little as possible: ids in order with their `rev`, and the total if it was recorded. */
  ask(): Promise<{ rows: readonly { id: string; rev: string }[]; total?: number | undefined }>;
}

/** Anything else that can be worked out again: the route of the path, a menu, a count. */
export interface RecordedFact {
  /** Nothing is asked while none of these has moved. */
  scopes: readonly VersionScope[];
  value: string;
  ask(): string | Promise<string>;
}

/** An object as a page has read it. */
export interface ReadObject {
  id: string;
  rev: string;
  /** The properties that were read. */
  names: readonly string[];
  hash: string;
}

export interface ReadQuery {
  objects: readonly ReadObject[];
  total: number | undefined;
  decidedBy: RecordedQuery["decidedBy"];
  ask: RecordedQuery["ask"];
}

/** What a page has read of one collection. */
export interface CollectionReads {
  objects: ReadObject[];
  absences: string[];
  queries: ReadQuery[];
}

export interface PageRecord {
  /** Parallel to `versions`. */
  scopes: readonly VersionScope[];
  versions: number[];
  /** Each move of one of these ends the page. */
  whole: ReadonlySet<VersionScope>;
  collections: ReadonlyMap<string, CollectionReads>;
  facts: readonly RecordedFact[];
  /** Sorted by name. */
  parameters: readonly (readonly [name: string, value: string | undefined])[];
  templates: ReadonlySet<string>;
  isPrivate: boolean;
  isNever: boolean;
  /** Why it must not be kept, where that is known. */
  why: string;
  /** Seconds; Infinity where nothing ends it. */
  seconds: number;
  /** Time alone decides. */
  isTimed: boolean;
}

export interface Recorder {
  /** The page depends on everything in this scope: each move of its version ends the page. */
  scope(scope: VersionScope): void;
  /** An object that was found by its id. */
  object(object: RecordedObject): void;
  /** An object that was asked for by its id and is not there, or is a draft. */
  absence(collection: string, id: string): void;
  query(query: RecordedQuery): void;
  fact(fact: RecordedFact): void;
  /** A parameter of the query string, also one that is not there. */
  parameter(name: string, value: string | undefined): void;
  /** A template that took part: `pages/blog`, `layouts/base`, `partials/card`. */
  template(id: string): void;
  /** The visitor was looked at: the answer is for this visitor alone. */
  visitor(): void;
  /** The page may be kept for at most so many seconds (`now`: 60). */
  expires(seconds: number): void;
  /** Time alone decides: the page is kept for so many seconds, whatever is written meanwhile (`page.cache`). */
  timed(seconds: number): void;
  /** A part of the page that was recorded before, and has not changed. */
  include(record: PageRecord): void;
  /** The page must not be kept at all. `why`: a sentence for the one who builds the site. */
  never(why?: string): void;
}

/** For pages that are not kept. */
export const noRecorder: Recorder = {
  scope() {},
  object() {},
  absence() {},
  query() {},
  fact() {},
  parameter() {},
  template() {},
  visitor() {},
  expires() {},
  timed() {},
  include() {},
  never() {},
};
