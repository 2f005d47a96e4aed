// One text per locale: `{"en_US": "About", "de": "Über"}`.

import { isJsonObject, type JsonObject } from "#contract/json.ts";
import type { FieldKind } from "#schemas/types.ts";
import { cleanText, decodeJson, isWithin } from "./clean.ts";
import { report, reportAt } from "./report.ts";
import { joinSearched } from "./shape.ts";
import { readText, searchedHtml } from "./text.ts";

/** More than exist. */
const maxLocales = 1_000;
const locale = /^[a-z]{2,3}(?:_[A-Z][A-Za-z]+)?$/;

export const localizedKind: FieldKind = {
  type: "localizedtext",
  rules: "none",
  isEmpty: (value) => isJsonObject(value) && Object.values(value).every((text) => text === ""),
  isShaped: (value) => isJsonObject(value),
  coerce(value, field) {
    const decoded = decodeJson(value);
    if (!isJsonObject(decoded)) return report(field, "must be an object of locales and texts");
    const entries = Object.entries(decoded);
    if (!isWithin(entries, maxLocales, field)) return undefined;
    const texts: JsonObject = {};
    for (const [key, entry] of entries) {
      if (entry === null) continue;
      const below = { ...field, path: `${field.path}.${key}` };
      if (!locale.test(key)) {
        reportAt(field, below.path, `${field.property.label} has an invalid locale: use the form en or en_US`);
        continue;
      }
      const text = readText(entry, below);
      const clean = text === undefined ? undefined : cleanText(text, below);
      if (clean !== undefined) texts[key] = clean;
    }
    return texts;
  },
  text: (value) =>
    isJsonObject(value) ? joinSearched(Object.values(value), (text) => searchedHtml(String(text))) : "",
};
