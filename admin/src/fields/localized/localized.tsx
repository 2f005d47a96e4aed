// Texts in several languages.

import { isJsonObject } from "@contract/json.ts";
import { lazy } from "react";
import { type FieldKind, type FieldValue, isNothing } from "#fields/field-kind.ts";
import { nameOf } from "./locales.ts";

const LineInput = lazy(() => import("./localized-inputs.tsx").then((part) => ({ default: part.LocalizedLine })));
const AreaInput = lazy(() => import("./localized-inputs.tsx").then((part) => ({ default: part.LocalizedArea })));

function textOf(value: FieldValue): string {
  const texts = isJsonObject(value) ? Object.entries(value).filter(([, text]) => !isNothing(text)) : [];
  return texts.map(([locale, text]) => `${nameOf(locale)}: ${text}`).join("\n");
}

function isEmpty(value: FieldValue): boolean {
  return isNothing(value) || (isJsonObject(value) && Object.values(value).every(isNothing));
}

export function isTextByLocale(value: FieldValue): boolean {
  return isNothing(value) || (isJsonObject(value) && Object.values(value).every((text) => typeof text === "string"));
}

const common = { text: textOf, isEmpty, accepts: isTextByLocale };

export const localizedTextField: FieldKind = { kinds: ["localizedtext"], Input: LineInput, ...common };
export const localizedAreaField: FieldKind = { kinds: ["localizedtextarea"], Input: AreaInput, ...common };
