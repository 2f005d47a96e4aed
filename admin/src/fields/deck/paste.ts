// Rows that were copied from a spreadsheet. Pure.

import type { Json, JsonObject } from "@contract/json.ts";
import type { FieldProperty } from "#fields/property.ts";
import { parseNumber } from "#ui/number-text.ts";

/** Lines of cells; cells with tabs, breaks or quotes stand in quotes. */
export function readPasted(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"|[^\t\n]*)(\t|\n|$)/gy;
  const body = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  for (let found = cell.exec(body); found; found = cell.exec(body)) {
    const [, raw = "", end] = found;
    const isQuoted = raw.length > 1 && raw.startsWith('"');
    rows.at(-1)?.push(isQuoted ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === "") break;
    if (end === "\n") rows.push([]);
  }
  return rows;
}

/** Kinds whose value can be written in a cell of a spreadsheet. */
const texts = new Set(["string", "slug", "email", "url", "phone", "time", "code"]);

/** As the property stores it; undefined where it takes no text. What does not fit stays as it was written, to be told. */
export function pastedValue(property: FieldProperty, text: string, language: string): Json | undefined {
  const { type, definition, lock } = property;
  const written = text.trim();
  if (lock !== undefined) return undefined;
  if (type === "number" || type === "integer") return written === "" ? "" : (parseNumber(written, language) ?? written);
  if (type === "boolean") return /^(1|true|yes|x|✓)$/i.test(written);
  if (type === "date") return /^\d{4}-\d{2}-\d{2}$/.test(written) ? `${written}T00:00:00.000Z` : written;
  if (type === "list") return written === "" ? [] : written.split(/\s*,\s*/);
  if (!texts.has(type)) return undefined;
  const options = Array.isArray(definition.options) ? definition.options : [];
  const chosen = options.find((one) => isObject(one) && one.label === written);
  return isObject(chosen) ? (chosen.value ?? written) : text;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
