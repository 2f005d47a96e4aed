// Texts in several languages.

import { isJsonObject } from "@contract/json.ts";
import { lazy } from "react";
import { type FieldKind, type FieldValue, isNothing, plainText } from "#fields/field-kind.ts";
import { wordsOfHtml } from "#fields/html-text.ts";
import { nameOf } from "./locales.ts";

const LineInput = lazy(() => import("./localized-inputs.tsx").then((part) => ({ default: part.LocalizedLine })));
const AreaInput = lazy(() => import("./localized-inputs.tsx").then((part) => ({ default: part.LocalizedArea })));
const StyledInput = lazy(() => import("./localized-inputs.tsx").then((part) => ({ default: part.LocalizedStyled })));

function textOf(value: FieldValue, read = plainText): string {
  const texts = isJsonObject(value) ? Object.entries(value).filter(([, text]) => !isNothing(text)) : [];
  return texts.map(([locale, text]) => `${nameOf(locale)}: ${read(text)}`).join("\n");
}

function isEmpty(value: FieldValue): boolean {
  return isNothing(value) || (isJsonObject(value) && Object.values(value).every(isNothing));
}

export function isTextByLocale(value: FieldValue): boolean {
  return isNothing(value) || (isJsonObject(value) && Object.values(value).every((text) => typeof text === "string"));
}

const common = { text: (value: FieldValue) => textOf(value), isEmpty, accepts: isTextByLocale };

export const localizedTextField: FieldKind = { kinds: ["localizedtext"], Input: LineInput, ...common };
export const localizedAreaField: FieldKind = { kinds: ["localizedtextarea"], Input: AreaInput, ...common };
export const localizedStyledField: FieldKind = {
  ...common,
  kinds: ["localizedstyledtext"],
  Input: StyledInput,
  text: (value) => textOf(value, (text) => wordsOfHtml(plainText(text))),
};
