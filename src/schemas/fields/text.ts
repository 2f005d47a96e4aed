// Text: a line, several lines, or HTML; and code, which is never changed.

import { htmlToText } from "#base/text.ts";
import type { Json } from "#contract/json.ts";
import { maxSearchedText, maxShapedText } from "#schemas/bounds.ts";
import { hasTags } from "#schemas/html/html.ts";
import type { Field, FieldKind } from "#schemas/types.ts";
import { cleanText, isStorable, isWithin } from "./clean.ts";
import { report, settingsOf } from "./report.ts";

/** A line of text: the most common kind. */
export const lineKind: FieldKind = {
  type: "string",
  comparison: "text",
  isIndexable: true,
  isEmpty: (value) => value === "",
  isShaped: (value) => typeof value === "string" && !hasTags(value),
  coerce: coerceText,
  text: (value) => (typeof value === "string" ? (hasTags(value) ? searchedHtml(value) : searched(value)) : ""),
};

/** Paragraphs: too long for a database index. */
export const proseKind: FieldKind = { ...lineKind, isIndexable: false };

/** Always HTML, also where it has no tags. */
export const htmlKind: FieldKind = {
  ...proseKind,
  text: (value) => (typeof value === "string" ? searchedHtml(value) : ""),
};

export const codeKind: FieldKind = {
  ...proseKind,
  type: "code",
  isShaped: (value) => typeof value === "string",
  coerce(value, field) {
    if (settingsOf(field.property).htmlclean === true) return coerceText(value, field);
    const text = readText(value, field);
    return text !== undefined && isStorable(text, field) ? text : undefined;
  },
};

/** The searched part of it. */
function searched(text: string): string {
  return text.length > maxSearchedText ? text.slice(0, maxSearchedText) : text;
}

export function searchedHtml(html: string): string {
  return htmlToText(searched(html));
}

/** Numbers and booleans have one obvious spelling; arrays and objects have none. */
export function readText(value: Json, field: Field): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return report(field, "must be text");
}

function coerceText(value: Json, field: Field): string | undefined {
  const text = readText(value, field);
  if (text === undefined) return undefined;
  const { textTransform } = settingsOf(field.property);
  if (typeof textTransform !== "string" || hasTags(text)) return cleanText(text, field);
  return isWithin(text, maxShapedText, field) ? cleanText(transform(text, textTransform), field) : undefined;
}

function transform(text: string, name: string): string {
  const isOneCase = text === text.toLowerCase() || text === text.toUpperCase();
  switch (name) {
    case "lowercase":
      return text.toLowerCase();
    case "uppercase":
      return text.toUpperCase();
    case "titlecase":
      return titleCase(text);
    case "sentencecase":
      return sentenceCase(text);
    case "smart-titlecase":
      return isOneCase ? titleCase(text) : text;
    case "smart-sentencecase":
      return isOneCase ? sentenceCase(text) : text;
    default:
      return text;
  }
}

function titleCase(text: string): string {
  return text.toLowerCase().replace(/(^|[\s([{"“‘-])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
}

function sentenceCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[.!?]\s)(\s*)(\p{L})/gu, (_, before, space, letter) => before + space + letter.toUpperCase());
}
