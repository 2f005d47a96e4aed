// Answers of imports on the wire.

import type { JsonObject } from "./json.ts";

export interface RowError {
  /** Counted from 1, in the order of the source. */
  row: number;
  id?: string;
  message: string;
  details?: Record<string, string[]>;
}

export interface ImportResult {
  /** Created or updated. */
  import_count: number;
  created: number;
  updated: number;
  /** Left alone: the id exists already, or, with update, does not exist. */
  skipped: number;
  /** The first of them. */
  errors: RowError[];
  errorCount: number;
  /** Properties of rows that the schema does not have; absent without any. */
  ignored?: { name: string; meant?: string }[];
  /** Nothing was stored: the counts say what an import would do. */
  dryRun?: true;
  /** Where the collection keeps its history in full: undoes the import as `{by: {import: run}}`. It is the id of its job. */
  run?: string;
  /** Of a dry run: the first rows. */
  rows?: TriedRow[];
}

/** What an import would do with a row. */
export interface TriedRow {
  row: number;
  done: "created" | "updated" | "skipped" | "refused";
  id?: string;
  /** As it would be stored. */
  object?: JsonObject;
}

/** So many rows does a dry run show. */
export const maxTriedRows = 20;
