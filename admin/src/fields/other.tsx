// A kind that this form cannot edit: its value as text, with a note. It is never changed.

import { isJsonObject, type Json } from "@contract/json.ts";
import { fieldWords } from "#words/fields.ts";
import { useWords } from "#words/language.ts";
import { type FieldInputProps, type FieldKind, type FieldValue, isNothing } from "./field-kind.ts";
import { ReadOnlyField } from "./frame.tsx";
import { wordsOfHtml } from "./html-text.ts";
import type { FieldProperty } from "./property.ts";

function Input({ property, value, extra, error }: FieldInputProps) {
  const words = useWords(fieldWords);
  const isInJson = property.type !== "password";
  return (
    <ReadOnlyField
      property={property}
      text={readable(value, property)}
      note={isInJson ? words.notEditedHere : words.notEditedAnywhere}
      error={error}
      extra={extra}
    />
  );
}

/** More would be a page of its own. */
const maxText = 5_000;

function readable(value: FieldValue, property: Pick<FieldProperty, "type" | "kind">): string {
  const words = fieldWords.en;
  if (property.type === "password" || property.kind === "secret") return words.neverShown;
  if (isNothing(value)) return "";
  const text = textOf(value as Json, property);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

function textOf(value: Json, { type, kind }: Pick<FieldProperty, "type" | "kind">): string {
  const words = fieldWords.en;
  if (typeof value === "string") return kind.includes("styledtext") ? wordsOfHtml(value) : value;
  if (Array.isArray(value)) {
    if (type === "gallery") return words.images(value.length);
    if (type === "deck") return words.items(value.length);
    if (value.every((entry) => typeof entry !== "object")) return value.join(", ");
  }
  if (isJsonObject(value)) {
    if (type === "color" && typeof value.hex === "string") return value.hex;
    if (type === "depot") return Array.isArray(value.files) ? words.files(value.files.length) : "";
    if (type === "deck") return words.items(Object.keys(value).length);
    if ((type === "image" || type === "file") && typeof value.name === "string") return value.name;
    if (type === "localizedtext")
      return Object.entries(value)
        .map(([locale, text]) => `${locale}: ${kind.includes("styledtext") ? wordsOfHtml(String(text)) : text}`)
        .join("\n");
    if (Object.keys(value).length === 0) return "";
  }
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

export const otherField: FieldKind = { kinds: [], Input, text: readable, isEmpty: isNothing };
