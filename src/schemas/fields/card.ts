// A card: one object inside the object, with a schema of its own.

import { slug } from "#base/ids.ts";
import { isJsonObject } from "#contract/json.ts";
import { maxFormed } from "#schemas/bounds.ts";
import type { FieldKind } from "#schemas/types.ts";
import { cleanMetadata, decodeJson, isWithin } from "./clean.ts";
import { report } from "./report.ts";
import { buildShape, shapePasswords, shapeText } from "./shape.ts";

export const cardKind: FieldKind = {
  type: "card",
  rules: "none",
  isEmpty: () => false,
  isShaped: () => false,
  coerce(value, field) {
    const card = decodeJson(value);
    if (!isJsonObject(card)) return report(field, "must be an object");
    const { item } = field.property;
    if (!item) return cleanMetadata(card, field);
    const built = buildShape(item, card, { write: field.write, prefix: `${field.path}.` });
    // A card needs no id; one that was sent is kept.
    if (!item.properties.has("id") || typeof card.id !== "string") return built;
    return isWithin(card.id, maxFormed, field) ? { id: slug(card.id), ...built } : undefined;
  },
  text: (value, item) => (item && isJsonObject(value) ? shapeText(item, value) : ""),
  passwords(value, item) {
    const card = decodeJson(value);
    return item && isJsonObject(card) ? shapePasswords(item, card) : [];
  },
};
