// Entries as CSV and as HTML. Everything in HTML is escaped; the page carries no script and no style.

import { csvRow } from "#base/csv.ts";
import { escapeHtml } from "#base/text.ts";
import type { Json, JsonObject } from "#contract/json.ts";

export function csvTable(columns: readonly string[], rows: readonly JsonObject[]): string {
  return csvRow(columns) + rows.map((row) => csvRow(columns.map((name) => row[name]))).join("");
}

export function htmlTable(title: string, columns: readonly string[], rows: readonly JsonObject[]): string {
  const head = columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join("");
  const body = rows.map((row) => `<tr>${columns.map((name) => htmlCell(row[name])).join("")}</tr>\n`).join("");
  return htmlPage(title, `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}</tbody>\n</table>`);
}

function htmlCell(value: Json | undefined): string {
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
  return `<td>${escapeHtml(text)}</td>`;
}

export interface Choice {
  name: string;
  label: string;
}

/** Checkboxes that a form can submit as `fields[]`. */
export function htmlChoices(title: string, choices: readonly Choice[]): string {
  const items = choices.map(
    ({ name, label }) =>
      `<li><label><input type="checkbox" name="fields[]" value="${escapeHtml(name)}"> ${escapeHtml(label)}</label></li>\n`,
  );
  return htmlPage(title, `<ul>\n${items.join("")}</ul>`);
}

function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body>
${body}
</body>
</html>
`;
}
