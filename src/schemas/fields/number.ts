// Numbers: whole ones, decimal ones, prices with their currency.

import type { Json } from "#contract/json.ts";
import { parsePrice } from "#rules/price.ts";
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
