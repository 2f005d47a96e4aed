// The shapes in which objects are stored and handed to the tables.

import type { Recorded } from "#storage/log/change-record.ts";

export interface ObjectRow {
  rid: number;
  collection: string;
  id: string;
  created: string;
  modified: string;
  /** Counts the writes to this object. */
  rev: number;
  /** The revision of the schema that the document was written under. */
  schemaRev: string;
  doc: string;
}

/** What finds an object by its number. */
export type ObjectKey = Pick<ObjectRow, "collection" | "rid">;

/** Dotted property path -> password hash. */
export interface ObjectSecrets {
  [path: string]: string;
}

export type LockedObject = ObjectRow & { secrets: ObjectSecrets };

export interface IndexEntry {
  /** JSON text: the indexed properties as they are answered. */
  idx: string;
  /** JSON text: their strings in lower case, for filters. */
  fold: string;
  /** Search text, folded: the title, and all other indexed text; the elements of every indexed list are in it. */
  title: string;
  body: string;
}

/** Of an object that is changed: what is left out stays as it is stored. The words of title and body go together. */
export type EntryChange = Partial<IndexEntry>;

export interface ObjectWrite {
  collection: string;
  id: string;
  created: string;
  modified: string;
  schemaRev: string;
  doc: string;
  secrets: ObjectSecrets;
  entry: IndexEntry;
}

/** A new object, and what the log keeps of it. */
export type NewObject = ObjectWrite & { record: Recorded };

/** What an object that comes back has besides. */
export interface FormerObject {
  rid: number;
  rev: number;
  /** JSON text: values that its schema does not show. */
  attic: string;
}

/** Where the entry keeps its words, the object keeps its time of creation. */
export type ObjectUpdate = Omit<ObjectWrite, "entry"> & { entry: EntryChange };
