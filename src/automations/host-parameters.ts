// The parameters of the functions that read objects for handlers and data views. They are those of the REST API. A handler
// has no header that could name what was ignored, so an unknown parameter is an error: a misspelt filter would find all.

import { fail } from "#base/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { correctionOf } from "#rules/near-names.ts";

const shown = ["expand", "fields", "urls"];
const found = ["filter", "search"];
const paged = ["limit", "offset", "cursor", "sort"];
const sides = ["include", "exclude"];

const known = {
  get: [...shown, "as_of"],
  list: [...found, ...paged, "order", ...shown],
  query: [...found, ...sides, ...paged, ...shown, "format"],
  search: ["filter", ...sides, ...paged, ...shown, "format"],
  all: [...found, ...sides],
};

/** As in a query string: texts. A filter is JSON as it is. */
export function readParameters(reader: keyof typeof known, params: Json | undefined): JsonObject {
  const sent = params ?? {};
  if (!isJsonObject(sent)) fail("invalid", "An argument must be an object.");
  const names = known[reader];
  for (const name of Object.keys(sent)) {
    if (names.includes(name)) continue;
    const near = correctionOf(name, names) || ` It takes ${names.join(", ")}.`;
    fail("invalid", `objects.${reader} has no parameter ${JSON.stringify(name.slice(0, 60))}.${near}`);
  }
  const { filter, ...others } = sent;
  const texts = Object.entries(others).map(([name, value]) => [name, spoken(value)]);
  return { ...Object.fromEntries(texts), ...(filter !== undefined && { filter }) };
}

function spoken(value: Json): Json {
  if (Array.isArray(value)) return value.map(spoken).join(",");
  return value === null ? "" : isJsonObject(value) ? value : String(value);
}
