// From what a browser sends to the properties of an object. Pure. Texts stay texts where the kind of the property reads
// them itself; boxes and lists are told apart here, because a form leaves out what is not ticked.

import type { JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";

/** By name, in the order in which they came. */
export type SentFields = ReadonlyMap<string, readonly string[]>;

const listFields = new Set(["list", "multiselect", "multicheckbox", "checklist", "tags"]);
const boxes = new Set(["checkbox", "toggle"]);

export function takesMany({ kind, definition }: Pick<Property, "kind" | "definition">): boolean {
  return kind.type === "array" || kind.type === "list" || listFields.has(String(definition.field ?? ""));
}

export function isBox({ kind, definition }: Pick<Property, "kind" | "definition">): boolean {
  return kind.type === "boolean" || boxes.has(String(definition.field ?? ""));
}

/** `fields`: the ones that the form lists. */
export function readFields(schema: FlatSchema, fields: readonly string[], sent: SentFields): JsonObject {
  const values: JsonObject = {};
  for (const name of fields) {
    const property = schema.properties.get(name);
    const texts = sent.get(name) ?? sent.get(`${name}[]`);
    if (!property) continue;
    if (isBox(property)) values[name] = texts?.some((text) => !/^(|0|false|off|no)$/i.test(text)) ?? false;
    else if (takesMany(property)) values[name] = (texts ?? []).map(plainText).filter((text) => text !== "");
    else if (texts?.[0] !== undefined && texts[0].trim() !== "") values[name] = plainText(texts[0]);
  }
  return values;
}

/** Browsers end lines with two characters. */
function plainText(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}
