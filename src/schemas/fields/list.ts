// Lists of short texts (tags, categories), and arrays of anything.

import type { Json } from "#contract/json.ts";
import { maxElements, maxShapedText } from "#schemas/bounds.ts";
import { hasTags } from "#schemas/html/html.ts";
import type { Field, FieldKind } from "#schemas/types.ts";
import { cleanMetadata, decodeJson, isWithin } from "./clean.ts";
import { report } from "./report.ts";

export const listKind: FieldKind = {
  type: "list",
  comparison: "list",
  isEmpty: (value) => Array.isArray(value) && value.length === 0,
  isShaped: (value) => Array.isArray(value) && value.every((entry) => typeof entry === "string"),
  coerce(value, field) {
    const entries = readEntries(value, field)?.filter((entry) => entry !== null);
    if (!entries) return undefined;
    if (!entries.every(isScalar)) return report(field, "must be a list of texts");
    const texts = entries.map((entry) => String(entry).trim());
    const clean = texts.some((text) => hasTags(text) || text.includes("\0")) ? cleanMetadata(texts, field) : texts;
    const filled = (clean as string[]).filter((text) => text !== "");
    return field.property.definition.settings?.duplicateItemsAllowed === true ? filled : [...new Set(filled)];
  },
  text: textOf,
};

export const arrayKind: FieldKind = {
  ...listKind,
  type: "array",
  isShaped: (value) => Array.isArray(value),
  coerce(value, field) {
    const entries = readEntries(value, field);
    return entries && cleanMetadata(entries, field);
  },
};

function readEntries(value: Json, field: Field): Json[] | undefined {
  const decoded = decodeJson(value);
  if (typeof decoded === "string")
    return isWithin(decoded, maxShapedText, field) ? splitList(decoded, field) : undefined;
  if (!Array.isArray(decoded)) return report(field, "must be a list");
  return isWithin(decoded, maxElements, field) ? decoded : undefined;
}

function splitList(text: string, field: Field): string[] | undefined {
  const parts = text.split(",", maxElements + 1);
  if (!isWithin(parts, maxElements, field)) return undefined;
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function textOf(value: Json): string {
  return Array.isArray(value) ? value.filter(isScalar).join(" ") : "";
}

function isScalar(value: Json): boolean {
  return value === null ? false : typeof value !== "object";
}
