// Numbers: whole ones, decimal ones, prices with their currency.

import type { Json } from "#contract/json.ts";
import { maxFormed } from "#schemas/bounds.ts";
import type { Field, FieldKind } from "#schemas/types.ts";
import { report, settingsOf } from "./report.ts";

export const numberKind: FieldKind = {
  type: "number",
  comparison: "number",
  isIndexable: true,
  isEmpty: () => false,
  isShaped: (value) => typeof value === "number",
  coerce: (value, field) => readNumber(value, field) ?? report(field, "must be a number"),
};

export const integerKind: FieldKind = {
  ...numberKind,
  type: "integer",
  coerce(value, field) {
    const number = readNumber(value, field);
    return Number.isSafeInteger(number) ? number : report(field, "must be a whole number");
  },
};

function readNumber(value: Json, field: Field): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.length > maxFormed) return undefined;
  const isPrice = field.property.definition.field === "price" || settingsOf(field.property).currency !== undefined;
  return parseNumber(value.trim()) ?? (isPrice ? parsePrice(value) : undefined);
}

function parseNumber(text: string): number | undefined {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/**
 * "$100,000.00", "100.000,00 €", "CHF 1'234.50": the last separator is the decimal one,
 * unless it groups thousands (it occurs several times, or exactly three digits follow it).
 */
function parsePrice(text: string): number | undefined {
  const bare = text.replace(/[\p{Sc}\p{L}\s'’]/gu, "");
  if (!/^[+-]?\d[\d.,]*$/.test(bare) || /[.,]{2}/.test(bare)) return undefined;
  const separator = bare[Math.max(bare.lastIndexOf("."), bare.lastIndexOf(","))];
  if (separator === undefined) return Number(bare);
  const parts = bare.split(separator);
  const isMixed = bare.includes(separator === "." ? "," : ".");
  const isDecimal = parts.length === 2 && (isMixed || parts[1]?.length !== 3);
  if (!isDecimal) return Number(bare.replace(/[.,]/g, ""));
  return Number(`${(parts[0] as string).replace(/[.,]/g, "")}.${parts[1]}`);
}
