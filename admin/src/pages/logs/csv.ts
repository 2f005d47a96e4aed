// Entries as a table for spreadsheets: one column for each name that any of them has.

import type { AuditEntry } from "@contract/audit.ts";

const first = ["time", "type", "level", "message", "actor", "user"];

export function csvOf(entries: readonly AuditEntry[]): string {
  const names = new Set(entries.flatMap((entry) => Object.keys(entry)));
  names.delete("id");
  const columns = [...first.filter((name) => names.has(name)), ...[...names].filter((name) => !first.includes(name))];
  const rows = entries.map((entry) => columns.map((name) => cellOf(entry[name])));
  return [columns.map(cellOf), ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const plain = typeof value === "string" ? value : JSON.stringify(value);
  const text = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
