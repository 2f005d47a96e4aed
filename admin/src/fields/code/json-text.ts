// JSON as people type it. While the text is no JSON it is the value of the form itself, behind a mark that no server stores: so it
// is kept like any other change, and cannot be saved. Pure.

import type { FieldValue } from "#fields/field-kind.ts";
import { type ReadJson, readJson } from "./read-json.ts";

const mark = "\0";

/** The value that a text stands for. */
export function valueOfText(text: string): FieldValue {
  if (text.trim() === "") return null;
  const read = readJson(text);
  return "value" in read ? read.value : mark + text;
}

/** The text that a value is shown as; nothing is no text. */
export function textOfValue(value: FieldValue): string {
  if (value === undefined || value === null || value === "") return "";
  return typedText(value) ?? JSON.stringify(value, null, 2);
}

/** What was typed and is no JSON; undefined for every other value. */
export function typedText(value: FieldValue): string | undefined {
  return typeof value === "string" && value.startsWith(mark) ? value.slice(mark.length) : undefined;
}

/** Where the typed text stops being JSON. */
export function placeOfMistake(value: FieldValue): { line: number; column: number } | undefined {
  const text = typedText(value);
  const read: ReadJson | undefined = text === undefined ? undefined : readJson(text);
  return read && "line" in read ? read : undefined;
}
