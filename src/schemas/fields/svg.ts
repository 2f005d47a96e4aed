// Drawings as SVG text, without anything that runs or loads.

import { maxMarkup } from "#schemas/bounds.ts";
import { cleanSvg, findSvg } from "#schemas/html/html.ts";
import type { FieldKind } from "#schemas/types.ts";
import { isStorable, isWithin, isWithinMarkupLimit } from "./clean.ts";
import { report, settingsOf } from "./report.ts";
import { readText } from "./text.ts";

export const svgKind: FieldKind = {
  type: "svg",
  rules: "own-form",
  isEmpty: (value) => value === "",
  isShaped: () => false,
  coerce(value, field) {
    const text = readText(value, field);
    if (text === undefined || text.trim() === "") return text === undefined ? undefined : "";
    if (!isWithin(text, maxMarkup, field)) return undefined;
    const svg = findSvg(text);
    if (svg === undefined) return report(field, "must be an SVG drawing");
    if (!isStorable(svg, field)) return undefined;
    if (settingsOf(field.property).svgclean === false) return svg;
    return isWithinMarkupLimit(svg, field) ? cleanSvg(svg) : undefined;
  },
};
