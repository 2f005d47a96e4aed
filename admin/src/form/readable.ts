// A value as text that can be compared: of cards and items a line for each property, under its label.

import { isJsonObject } from "@contract/json.ts";
import type { FieldContext } from "#fields/field-kind.ts";
import { itemLabel, itemSchemaOf, itemsIn } from "#fields/items.ts";
import { type FieldProperty, readProperty } from "#fields/property.ts";
import { fieldKindOf } from "#fields/registry.ts";
import { isBlank, type Value } from "./values.ts";

type Context = Pick<FieldContext, "timezone" | "items">;

export function readable(value: Value, property: FieldProperty, context: Context): string {
  const schema = itemSchemaOf(property, context.items);
  if (!schema) return fieldKindOf(property, value).text(value, property, context);
  const linesOf = (object: Value): string[] =>
    isJsonObject(object)
      ? Object.keys(schema.properties).flatMap((name) => {
          const inner = readProperty(schema, name, false);
          const text = name === "id" || isBlank(object[name]) ? "" : readable(object[name], inner, context);
          return text === "" ? [] : [`${inner.label}: ${text.replaceAll("\n", "\n  ")}`];
        })
      : [];
  if (property.type !== "deck") return linesOf(value).join("\n");
  return itemsIn(value)
    .map((item, at) =>
      [`${at + 1}. ${itemLabel(property, item)}`, ...linesOf(item).map((line) => `  ${line}`)].join("\n"),
    )
    .join("\n");
}
