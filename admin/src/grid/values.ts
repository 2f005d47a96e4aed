// Controls and values of simple properties. Pure.

import type { Json } from "@contract/json.ts";
import { choicesOf } from "./choices.ts";
import type { Column } from "./columns.ts";

export type ControlKind = "text" | "textarea" | "number" | "boolean" | "choice" | "date" | "datetime" | "list";

/** undefined: it takes an editor of its own. */
export function controlOf({ type, field, definition }: Column): ControlKind | undefined {
  switch (type) {
    case "boolean":
    case "number":
      return type;
    case "integer":
      return "number";
    case "list":
    case "array":
      return "list";
    case "date":
      return field === "date" ? "date" : "datetime";
    case "string":
      if (field === "textarea") return "textarea";
      if (field === "styledtext" || field === "code") return undefined;
      return choicesOf(definition).length > 0 ? "choice" : "text";
    case "email":
    case "phone":
    case "time":
    case "url":
      return "text";
    default:
      return undefined;
  }
}

/** "a, b" as its parts, without doubles. */
export function splitValues(text: string): string[] {
  const parts = text.split(/[,\n]/).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ""))];
}

/** Whether an object has this value already. */
export function hasValue(held: Json | undefined, value: Json): boolean {
  const isEmpty = (one: Json | undefined) => one === undefined || one === null || one === "";
  if (isEmpty(held) || isEmpty(value)) return isEmpty(held) && isEmpty(value);
  return JSON.stringify(held) === JSON.stringify(value);
}
