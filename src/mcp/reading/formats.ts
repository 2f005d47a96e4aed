// Rich text in the format that the caller asks for: as Markdown to read, as HTML to change, as plain text to search. And back:
// from what callers write to HTML.
// Knows which properties hold rich text, also inside cards and decks.

import { fail } from "#base/errors.ts";
import { perInstance } from "#base/per-instance.ts";
import type { RichFormat } from "#content/collections/saved-queries.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { markdownToHtml } from "#mcp/markdown-blocks.ts";
import { htmlKind } from "#schemas/fields/text.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";
import { mapShapes } from "#schemas/values/walk.ts";
import { readHtml } from "./html-reader.ts";

/** How rich text is written. */
export const writtenFormats = ["html", "markdown"] as const;
export type WrittenFormat = (typeof writtenFormats)[number];

const maxMarkdown = 200_000;

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

/**
 * A sent rich text as it is stored: the stored one when it comes back just as it was read, else as HTML. One text, or one for
 * each locale.
 */
export function asStored(sent: Json, stored: Json | undefined, format: WrittenFormat): Json {
  if (isJsonObject(sent)) {
    const before = isJsonObject(stored) ? stored : {};
    return Object.fromEntries(
      Object.entries(sent).map(([locale, one]) => [locale, asStored(one, before[locale], format)]),
    );
  }
  if (typeof sent !== "string" || sent === stored) return sent;
  const isUnchanged =
    typeof stored === "string" && (["markdown", "text"] as const).some((each) => sent === readText(stored, each));
  if (isUnchanged) return stored;
  return format === "markdown" ? fromMarkdown(sent) : sent;
}

function fromMarkdown(text: string): string {
  if (text.length > maxMarkdown) fail("invalid", `A text in Markdown has at most ${maxMarkdown} characters.`);
  return markdownToHtml(text);
}
