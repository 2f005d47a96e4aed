// JSON values: any value, or an object. Keywords (`properties`, `items`) may narrow it.

import { isJsonObject, type Json } from "#contract/json.ts";
import type { Field, FieldKind } from "#schemas/types.ts";
import { decodeJson, isStorable } from "./clean.ts";
import { report } from "./report.ts";

export const jsonKind: FieldKind = {
  type: "json",
  isEmpty: (value) => value === "",
  isShaped: () => true,
  coerce(value, field) {
    const decoded = decodeJson(value);
    const kept = typeof decoded === "string" ? decoded.trim() : decoded;
    return isStorableJson(kept, field) ? kept : undefined;
  },
};

export const objectKind: FieldKind = {
  type: "object",
  isEmpty: () => false,
  isShaped: (value) => isJsonObject(value),
  coerce(value, field) {
    const decoded = decodeJson(value);
    if (!isJsonObject(decoded)) return report(field, "must be an object");
    return isStorableJson(decoded, field) ? decoded : undefined;
  },
};

/** Not cleaned: it is data for programs, not text for pages. */
function isStorableJson(value: Json, field: Field): boolean {
  return !holdsNul(value) || isStorable("\0", field);
}

function holdsNul(value: Json): boolean {
  if (typeof value === "string") return value.includes("\0");
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsNul);
  for (const key in value) if (key.includes("\0") || holdsNul(value[key] as Json)) return true;
  return false;
}
