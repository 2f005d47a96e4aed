// Input and result of an import.

import type { ErrorDetails } from "#base/errors.ts";
import type { JsonObject } from "#contract/json.ts";

/** A row of the source without an object; it is reported and skipped. */
export class BadRow {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export type ImportRow = JsonObject | BadRow;

export interface RowError {
  /** Counted from 1, in the order of the source. */
  row: number;
  id?: string;
  message: string;
  details?: ErrorDetails;
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
}

export const maxReportedErrors = 100;
