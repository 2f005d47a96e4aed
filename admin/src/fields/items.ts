// Items of decks: how they are found, named and told apart. Pure.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import type { FieldValue } from "./field-kind.ts";
import { type FieldProperty, numberOf } from "./property.ts";

/** The part of a path that leads to an item: its id, or its position until it has one. */
export function itemKey(item: JsonObject, at: number): string {
  return typeof item.id === "string" && item.id !== "" ? item.id : String(at);
}

export function itemsIn(value: FieldValue): JsonObject[] {
  return Array.isArray(value) ? value.filter((item): item is JsonObject => isJsonObject(item)) : [];
}

/** Whether the items can be edited without losing any. */
export function isItemList(value: FieldValue): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.every(isJsonObject));
}

/** The schema of a card or of a deck's items; undefined where the server knows none. */
export function itemSchemaOf(
  { definition }: Pick<FieldProperty, "definition">,
  items: Readonly<Record<string, SchemaRecord>>,
): SchemaRecord | undefined {
  const { itemSchema } = definition;
  return typeof itemSchema === "string" && Object.hasOwn(items, itemSchema) ? items[itemSchema] : undefined;
}

/** How many there must and may be. */
export function itemBounds({ definition, settings }: Pick<FieldProperty, "definition" | "settings">): {
  least: number;
  most: number | undefined;
} {
  const least = numberOf(definition.minItems) ?? numberOf(settings.minItems) ?? 0;
  const most = numberOf(definition.maxItems) ?? numberOf(settings.maxItems);
  // Less than nothing stands for no bound.
  return { least: Math.max(0, least), most: most !== undefined && most >= 0 ? most : undefined };
}

const names = ["title", "name", "label", "subject", "question", "heading", "caption", "text"];

/** What an item is called: by `deckItemLabel`, else by what people take for its name, else by its first text. */
export function itemLabel(property: Pick<FieldProperty, "definition" | "settings">, item: JsonObject): string {
  const pattern = property.definition.deckItemLabel ?? property.settings.deckItemLabel;
  const made = typeof pattern === "string" ? filled(pattern, item) : "";
  if (made !== "") return made;
  const own = names.find((name) => short(item[name]) !== "");
  if (own) return short(item[own]);
  const [, first] =
    Object.entries(item).find(([name, value]) => name !== "id" && typeof value === "string" && short(value) !== "") ??
    [];
  return short(first) || short(item.id);
}

function filled(pattern: string, item: JsonObject): string {
  return short(pattern.replace(/\$\{([^{}]*)\}/g, (_, path: string) => short(valueIn(item, path.trim().split(".")))));
}

function valueIn(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  return valueIn(isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined, rest);
}

const maxLabel = 80;

/** One line without tags. */
function short(value: Json | undefined): string {
  if (value === undefined || value === null || typeof value === "boolean") return "";
  if (Array.isArray(value)) return short(value.map(short).filter(Boolean).join(", "));
  if (isJsonObject(value)) {
    const named = [value.name, value.hex, ...Object.values(value)].find((one) => typeof one === "string" && one !== "");
    return short(named);
  }
  const text = String(value)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > maxLabel ? `${text.slice(0, maxLabel - 1)}…` : text;
}

/** A new id that no other item has. */
export function freeId(items: readonly JsonObject[], make: () => string): string {
  const taken = new Set(items.map(({ id }) => id));
  for (;;) {
    const id = make()
      .replace(/[^A-Za-z0-9]/g, "")
      .slice(0, 12);
    if (id !== "" && !taken.has(id)) return id;
  }
}
