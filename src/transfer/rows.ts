// Input and result of an import.

import { type ImportResult, maxTriedRows, type RowError, type TriedRow } from "#contract/imports.ts";
import type { JsonObject } from "#contract/json.ts";

/** A row of the source without an object; it is reported and skipped. */
export class BadRow {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export type ImportRow = JsonObject | BadRow;

export const maxReportedErrors = 100;
/** So many names of properties that the schema does not have are reported. */
export const maxIgnored = 50;

export interface ImportOptions {
  /** Change what exists instead of creating; the other rows are skipped. */
  update?: boolean;
  /** Store nothing, and say what an import would do. */
  dryRun?: boolean;
}

export function emptyResult({ dryRun }: ImportOptions): ImportResult {
  const counts = { import_count: 0, created: 0, updated: 0, skipped: 0 };
  return { ...counts, errors: [], errorCount: 0, ...(dryRun && { dryRun: true, rows: [] }) };
}

export function addErrors(result: ImportResult, errors: readonly RowError[]): void {
  result.errorCount += errors.length;
  result.errors.push(...errors.slice(0, maxReportedErrors - result.errors.length));
}

export function addTried(result: ImportResult, rows: readonly TriedRow[]): void {
  const shown = result.rows;
  shown?.push(...rows.slice(0, maxTriedRows - shown.length));
}
