// The refused rows of an import as CSV: one line for each problem. Pure.

import type { RowError } from "@contract/imports.ts";

export interface Problem {
  row: number;
  id: string;
  /** Empty where the whole row is meant. */
  property: string;
  text: string;
}

export function problemsOf(errors: readonly RowError[]): Problem[] {
  return errors.flatMap(({ row, id = "", message, details = {} }) => {
    const own = Object.entries(details).map(([property, texts]) => ({ row, id, property, text: texts.join(". ") }));
    return own.length > 0 ? own : [{ row, id, property: "", text: message }];
  });
}

export function errorsCsv(header: readonly string[], errors: readonly RowError[]): string {
  const rows = problemsOf(errors).map(({ row, id, property, text }) => [String(row), id, property, text]);
  return [[...header], ...rows].map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}

/** A spreadsheet runs no text as a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
