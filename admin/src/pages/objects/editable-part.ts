// The part of an object that people edit.

import type { JsonObject } from "@contract/json.ts";

/** Set by the server; not a part of what is edited. */
const stamps = ["created", "modified"];

/** What of an object the JSON tab shows. */
export function editablePart(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !stamps.includes(name)));
}
