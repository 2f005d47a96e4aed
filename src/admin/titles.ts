// How the admin names an object: by a title, an image and the time of its last change. Pure.
// Titles and images come from the index, so that no document is read for a list: what the schema does not index is not shown.

import type { FoundObject } from "#contract/admin.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import type { FlatSchema } from "#schemas/types.ts";

const candidates = ["title", "name", "label", "subject", "email"];
const maxTitleLength = 200;
const thumbnail = "w=80&h=80&fit=crop";

/** The first that the schema has; `id` otherwise. */
export function titlePropertyOf({ properties }: Pick<FlatSchema, "properties">): string {
  return candidates.find((name) => properties.has(name)) ?? "id";
}

/** The indexed properties that `presentFound` reads. */
export function shownProperties(schema: Pick<FlatSchema, "index" | "properties">): string[] {
  return [...candidates.filter((name) => schema.index.includes(name)), ...imagesOf(schema), "modified"];
}

function imagesOf({ index, properties }: Pick<FlatSchema, "index" | "properties">): string[] {
  return index.filter((name) => ["image", "gallery"].includes(properties.get(name)?.kind.type ?? ""));
}

/** From an entry of the index. */
export function presentFound(collection: { id: string; schema: FlatSchema }, entry: JsonObject): FoundObject {
  const id = String(entry.id);
  const title = candidates.map((name) => textOf(entry[name])).find((text) => text !== "") ?? id;
  const image = imageOf(collection.schema, entry);
  return {
    collection: collection.id,
    id,
    title: title.slice(0, maxTitleLength),
    ...(image !== undefined && { image }),
    modified: String(entry.modified),
  };
}

/** Of a localized text the first language that has one. */
function textOf(value: Json | undefined): string {
  if (typeof value === "string") return value.trim();
  if (!isJsonObject(value)) return "";
  return (
    Object.values(value)
      .map(textOf)
      .find((text) => text !== "") ?? ""
  );
}

function imageOf(schema: FlatSchema, entry: JsonObject): string | undefined {
  for (const name of imagesOf(schema)) {
    const [first] = [entry[name]].flat();
    if (isJsonObject(first) && typeof first.url === "string" && first.url.startsWith("/imageworks/"))
      return `${first.url}${first.url.includes("?") ? "&" : "?"}${thumbnail}`;
  }
  return undefined;
}
