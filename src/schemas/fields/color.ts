// Colours, stored as `{hex, oklch: {l, c, h}}`.

import { isJsonObject } from "#contract/json.ts";
import { readColor } from "#rules/color.ts";
import type { FieldKind } from "#schemas/types.ts";
import { decodeJson } from "./clean.ts";
import { report } from "./report.ts";

export const colorKind: FieldKind = {
  type: "color",
  rules: "none",
  isEmpty: () => false,
  isShaped: (value) => isJsonObject(value),
  coerce: (value, field) => readColor(decodeJson(value)) ?? report(field, "must be a color"),
  text: (value) => (isJsonObject(value) && typeof value.hex === "string" ? value.hex : ""),
};
