// Helpers for the definitions of built-in schemas. Each family of schemas has its file beside this one.

import type { PropertyDefinition, PropertyType, SchemaRecord } from "#contract/schemas.ts";

type More = Omit<PropertyDefinition, "type" | "$ref" | "field" | "label" | "help">;

/** A property of a general type: `text("Title", "What the post is called.")`. */
const plain =
  (type: PropertyType, field: string) =>
  (label: string, help: string, more: More = {}): PropertyDefinition => ({ type, field, label, help, ...more });

/** A property of a type with a shared definition. */
const shared =
  (name: string, field: string = name) =>
  (label: string, help: string, more: More = {}): PropertyDefinition => ({
    $ref: `/schemas/properties/${name}.json`,
    field,
    label,
    help,
    ...more,
  });

export const text = plain("string", "text");
export const textarea = plain("string", "textarea");
export const styledtext = plain("string", "styledtext");
export const select = plain("string", "select");
export const hidden = plain("string", "hidden");
export const toggle = plain("boolean", "toggle");
export const checkbox = plain("boolean", "checkbox");
export const number = plain("number", "number");
export const numberSelect = plain("number", "select");
export const array = plain("array", "hidden");
export const multicheckbox = plain("array", "multicheckbox");
export const code = shared("code");
export const color = shared("color");
export const date = shared("date");
export const datetime = shared("date", "datetime");
export const deck = shared("deck");
export const depot = shared("depot");
export const email = shared("email");
export const file = shared("file");
export const gallery = shared("gallery");
export const image = shared("image");
export const json = shared("json");
export const list = shared("list");
export const password = shared("password");
export const svg = shared("svg");
export const url = shared("url");
/** Free JSON behind a switch: for a value that must be distinguished from text that looks like it. */
export const literalToggle = shared("json", "toggle");

/** `id`, made from the template when none is sent. */
export function id(autogen?: string, settings: Record<string, string | boolean> = {}): PropertyDefinition {
  const all = { ...(autogen !== undefined && { autogen }), ...settings };
  const help = "Names the object in addresses; letters, digits and hyphens.";
  return shared("slug", "id")("Id", help, Object.keys(all).length > 0 ? { settings: all } : {});
}

export const created = (): PropertyDefinition =>
  datetime("Created", "When it was created.", { settings: { onCreate: true, readonly: true } });
export const updated = (): PropertyDefinition =>
  datetime("Updated", "When it was last saved.", { settings: { onUpdate: true, readonly: true } });

interface Written {
  title: string;
  description: string;
  category?: string;
  properties: { [name: string]: PropertyDefinition };
  required: string[];
  index: string[];
}

export function define(id: string, written: Written): SchemaRecord {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `/schemas/${id}.json`,
    id,
    type: "object",
    ...written,
  };
}
