// From what a browser sends to the properties of an object. Pure. Texts stay texts where the kind of the property reads
// them itself; boxes and lists are told apart here, because a form leaves out what is not ticked.

import { fail } from "#base/errors.ts";
import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { FlatSchema, Property } from "#schemas/types.ts";

/** By name, in the order in which they came. */
export type SentFields = ReadonlyMap<string, readonly string[]>;

const listFields = new Set(["list", "multiselect", "multicheckbox", "checklist", "tags"]);
const refusedNames = new Set(["__proto__", "constructor", "prototype"]);
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

/**
 * Every field that was sent, for a create without a definition of a form. `address[street]` is a part of a card. A field
 * that is left out keeps its default.
 */
export function readAllFields(schema: FlatSchema, sent: SentFields): JsonObject {
  const values: JsonObject = {};
  for (const [field, texts] of sent) {
    const [, name = "", part] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(field) ?? [];
    if (name === "" || refusedNames.has(name) || (part !== undefined && refusedNames.has(part))) {
      fail("invalid", `The form has a field whose name cannot be read: ${field.slice(0, 100)}`);
    }
    if (part) {
      const before = values[name];
      const card: JsonObject = isJsonObject(before) ? before : {};
      values[name] = { ...card, [part]: plainText(texts[0] ?? "") };
    } else if (schema.properties.has(name)) Object.assign(values, readFields(schema, [name], sent));
    else values[name] = plainText(texts[0] ?? "");
  }
  return values;
}

/** Browsers end lines with two characters. */
function plainText(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}
