// Colours as people read and type them. Pure.

import { isJsonObject, type Json } from "@contract/json.ts";
import { type Color, readColor } from "@rules/color.ts";
import { type FieldValue, isNothing, plainText } from "#fields/field-kind.ts";

/** undefined for nothing, and for what is no colour. */
export function colorOf(value: FieldValue): Color | undefined {
  return isNothing(value) ? undefined : readColor(value as Json);
}

/** As people read and type it: hex, where that says all of it. */
export function colorText(value: FieldValue): string {
  const color = colorOf(value);
  if (!color) return isJsonObject(value) ? JSON.stringify(value) : plainText(value);
  const { l, c, h } = color.oklch;
  const exact = readColor(color.hex)?.oklch;
  const isExact =
    exact &&
    Math.abs(exact.l - l) < 0.01 &&
    Math.abs(exact.c - c) < 0.0005 &&
    (c < 0.001 || Math.abs(exact.h - h) < 0.5);
  return isExact ? color.hex : `oklch(${l}% ${c} ${h})`;
}
