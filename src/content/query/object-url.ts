// The address of an object on the website, from the collection's URL pattern. A path; it names no host.
// `{name}` and `{{ name | filter }}` are replaced by properties; a pattern without `id` gets it at the end.

import { slug } from "#base/ids.ts";
import type { CollectionConfig } from "#contract/collections.ts";
import type { Json, JsonObject } from "#contract/json.ts";

const placeholder = /\{\{\s*([^{}|]+?)\s*(?:\|\s*([a-z]+)\s*)?\}\}|\{([^{}|]+?)(?:\|([a-z]+))?\}/g;

/** Empty when the collection has no pattern. */
export function objectUrl({ url, prettyUrl }: Pick<CollectionConfig, "url" | "prettyUrl">, object: JsonObject): string {
  if (url === "") return "";
  const id = encodeURIComponent(String(object.id));
  if (!url.includes("{")) return prettyUrl ? `${url.replace(/\/+$/, "")}/${id}` : `${url}?id=${id}`;
  let hasId = false;
  const filled = url.replace(placeholder, (_, long, longFilter, short, shortFilter) => {
    const name = String(long ?? short).trim();
    if (name === "id") hasId = true;
    return valueFor(object[name], longFilter ?? shortFilter);
  });
  return hasId ? filled : `${filled.replace(/\/+$/, "")}/${id}`;
}

/** The pattern as texts and names of properties, in turn. */
export function urlParts(url: string): (string | { property: string })[] {
  const parts: (string | { property: string })[] = [];
  let end = 0;
  for (const match of url.matchAll(placeholder)) {
    if (match.index > end) parts.push(url.slice(end, match.index));
    parts.push({ property: String(match[1] ?? match[3]).trim() });
    end = match.index + match[0].length;
  }
  if (end < url.length) parts.push(url.slice(end));
  return parts;
}

/** As a slug, unless the pattern asks for the raw value. */
function valueFor(value: Json | undefined, filter: string | undefined): string {
  const text = value === undefined || value === null || typeof value === "object" ? "" : String(value);
  if (filter === "raw") return encodeURIComponent(text);
  if (filter === "trim") return encodeURIComponent(text.trim());
  return filter === "upper" ? slug(text).toUpperCase() : slug(text);
}
