// True or false, also in the notations of forms and CSV files.

import { maxFormed } from "#schemas/bounds.ts";
import type { FieldKind } from "#schemas/types.ts";
import { report } from "./report.ts";

const yes = new Set(["true", "1", "yes"]);
const no = new Set(["false", "0", "no"]);

export const booleanKind: FieldKind = {
  type: "boolean",
  comparison: "boolean",
  isIndexable: true,
  isEmpty: () => false,
  isShaped: (value) => typeof value === "boolean",
  coerce(value, field) {
    if (typeof value === "boolean") return value;
    const isWord = (typeof value === "string" && value.length <= maxFormed) || typeof value === "number";
    const word = isWord ? String(value).trim().toLowerCase() : "";
    return yes.has(word) ? true : no.has(word) ? false : report(field, "must be true or false");
  },
};
