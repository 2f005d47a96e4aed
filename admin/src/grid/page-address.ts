// The address of an object's page on the site, from the pattern of its collection. Pure.
// The server makes short forms of all scripts; here only what is written in ASCII can be foreseen.

import type { Json, JsonObject } from "@contract/json.ts";

const placeholder = /\{\{\s*([^{}|]+?)\s*(?:\|\s*([a-z]+)\s*)?\}\}|\{([^{}|]+?)(?:\|([a-z]+))?\}/g;

/** undefined: there is none, or only the server can say it. */
export function pageAddress(pattern: string, object: JsonObject): string | undefined {
  if (pattern === "") return undefined;
  let isKnown = true;
  const filled = pattern.replace(placeholder, (_, long, longFilter, short, shortFilter) => {
    const part = partOf(object[String(long ?? short).trim()], longFilter ?? shortFilter);
    if (part === undefined) isKnown = false;
    return part ?? "";
  });
  return isKnown ? filled : undefined;
}

function partOf(value: Json | undefined, filter: string | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === "object") return undefined;
  const text = String(value);
  if (filter === "raw") return encodeURIComponent(text);
  if (filter === "trim") return encodeURIComponent(text.trim());
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
  if (!/^[\x00-\x7f]*$/.test(text)) return undefined;
  const parts = text
    .replaceAll("@", "-at-")
    .toLowerCase()
    .split(/[^a-z0-9_]+/);
  const slug = parts.filter((part) => part !== "").join("-");
  return filter === "upper" ? slug.toUpperCase() : slug;
}
