// Writes CSV by RFC 4180, safe to open in a spreadsheet: text that would run as a formula is escaped.

import type { Json } from "#contract/json.ts";

/** Text that looks escaped already is escaped again, so that removing one quote restores the text. */
const formula = /^'*[=+\-@\t\r]/;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/** One row with its line end. Missing values are empty cells, arrays and objects are JSON. */
export function csvRow(cells: readonly (Json | undefined)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return quote(formula.test(value) ? `'${value}` : value);
  if (typeof value === "object") return quote(JSON.stringify(value));
  return String(value);
}

function quote(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
