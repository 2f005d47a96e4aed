// Rich text in the format that the caller asks for: as Markdown to read, as HTML to change, as plain text to search.
// Knows which properties hold rich text, also inside cards and decks.

import { perInstance } from "#base/per-instance.ts";
import type { RichFormat } from "#content/collections/saved-queries.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { htmlKind } from "#schemas/fields/text.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { mapShapes } from "#schemas/values/walk.ts";
import { readHtml } from "./html-reader.ts";

export function isRich({ kind, definition }: Property): boolean {
  return kind === htmlKind || definition.field === "localizedstyledtext";
}

/** The names of properties that are rich or hold something rich. */
const richNamesOf = perInstance((schema: FlatSchema): readonly string[] =>
  [...schema.properties.values()]
    .filter((property) => isRich(property) || (property.item && richNamesOf(property.item).length > 0))
    .map(({ name }) => name),
);

/** The same object when there is nothing to change in it. */
export function inFormat(schema: FlatSchema, object: JsonObject, format: RichFormat): JsonObject {
  const names = format === "html" ? [] : richNamesOf(schema).filter((name) => object[name] !== undefined);
  if (names.length === 0) return object;
  const shown = { ...object };
  for (const name of names) {
    const property = schema.properties.get(name) as Property;
    shown[name] = isRich(property)
      ? readValue(object[name] as Json, format)
      : mapShapes(property, object[name] as Json, ({ value }) => inFormat(property.item as FlatSchema, value, format));
  }
  return shown;
}

/** One text, or one for each locale. */
function readValue(value: Json, format: RichFormat): Json {
  if (typeof value === "string") return readText(value, format);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([locale, text]) => [locale, readValue(text, format)]));
}

function readText(html: string, format: RichFormat): string {
  return format === "html" ? html : readHtml(html, format);
}

/** A rich text that comes back just as it was read, in a format that is not for writing, is the stored one. */
export function asStored(sent: Json, stored: Json | undefined): Json {
  if (stored === undefined || sent === stored) return sent;
  const isUnchanged = (["markdown", "text"] as const).some((format) => isSame(sent, readValue(stored, format)));
  return isUnchanged ? stored : sent;
}

function isSame(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
