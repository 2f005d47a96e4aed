// Shared by several kinds: cleaned texts, and structured values that may come as JSON text.

import { parseJson } from "#base/json.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { maxMarkup } from "#schemas/bounds.ts";
import { cleanHtml, hasTags, isKnownClean } from "#schemas/html/html.ts";
import { measureHtml } from "#schemas/html/html-measure.ts";
import type { Field } from "#schemas/types.ts";
import { report, settingsOf } from "./report.ts";

const maxDepth = 1_000;
/** The parser's cost for each text, however short, in marks. */
const marksOfParser = 75;

/** The text without anything that a browser could run. undefined: an error was reported. */
export function cleanText(text: string, field: Field): string | undefined {
  if (!isStorable(text, field)) return undefined;
  const { htmlclean } = field.write;
  if (!htmlclean.enabled || settingsOf(field.property).htmlclean === false || !hasTags(text)) return text;
  if (!canScan(text, field)) return undefined;
  if (isKnownClean(text, htmlclean)) return text;
  if (!isWithinMarkupLimit(text, field)) return undefined;
  return cleanHtml(text, htmlclean);
}

/** Checked before any work that grows with the length of the text, or the number of elements. */
export function isWithin(value: { length: number }, most: number, field: Field): boolean {
  if (value.length <= most) return true;
  report(field, `must not have more than ${most} ${typeof value === "string" ? "characters" : "elements"}`);
  return false;
}

/** No database keeps U+0000 in text. */
export function isStorable(text: string, field: Field): boolean {
  if (!text.includes("\0")) return true;
  report(field, "contains a character that cannot be stored");
  return false;
}

/** Clean text is scanned too, tag by tag. */
function canScan(markup: string, field: Field): boolean {
  const { write } = field;
  for (let at = markup.indexOf("<"); at >= 0 && write.tagBudget >= 0; at = markup.indexOf("<", at + 1))
    write.tagBudget--;
  return write.tagBudget >= 0 || tooMuch(field);
}

function tooMuch(field: Field): false {
  report(field, "contains more markup than can be cleaned");
  return false;
}

/** Cleaning runs on the server's only thread, so its work in one write is limited. */
export function isWithinMarkupLimit(markup: string, field: Field): boolean {
  const { write } = field;
  write.lengthBudget -= markup.length;
  if (write.lengthBudget < 0) {
    report(field, `contains more than ${maxMarkup} characters with markup, the most that can be cleaned`);
    return false;
  }
  const { marks, depth } = measureHtml(markup, write.markupBudget);
  write.markupBudget -= marks + marksOfParser;
  return (write.markupBudget >= 0 && depth <= maxDepth) || tooMuch(field);
}

/** Parses objects and arrays that came as JSON text (forms, CSV); everything else stays unchanged. */
export function decodeJson(value: Json): Json {
  if (typeof value !== "string" || !/^\s{0,100}[[{]/.test(value)) return value;
  try {
    return parseJson(Buffer.from(value));
  } catch {
    return value;
  }
}

/** Free metadata: every text in it is cleaned. undefined: an error was reported. */
export function cleanMetadata(value: Json, field: Field): Json | undefined {
  if (typeof value === "string") return cleanText(value, field);
  if (Array.isArray(value)) return value.map((entry) => cleanMetadata(entry, field) ?? null);
  if (!isJsonObject(value)) return value;
  const clean: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) {
    if (!isStorable(key, field)) continue;
    const kept = cleanMetadata(entry, field);
    if (kept !== undefined) clean[key] = kept;
  }
  return clean;
}

/** Browsers skip control characters and spaces when they look for a scheme. */
export function isHarmlessLink(link: string): boolean {
  const scheme = /^([^/?#:]*):/.exec(link.replace(/[\0-\x20]/g, ""))?.[1];
  return scheme === undefined || /^(?:https?|mailto|tel)$/i.test(scheme);
}
