// An object as tools and resources show it: without what the schema hides, rich text in the asked format, and beside the
// properties its address (`url`) and the token of its version (`rev`). A property of the same name wins.
// A presented object is cached under its version, so that reading it again costs a lookup.

import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedMap } from "#base/caches/versioned-cache.ts";
import type { Collection } from "#content/collections/collection.ts";
import type { RichFormat } from "#content/collections/saved-queries.ts";
import type { ObjectAnswer } from "#content/objects/object-answer.ts";
import { objectUrl } from "#content/query/object-url.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { cutToFit, maxAnswer } from "#mcp/transport/budget.ts";
import { exposedDocument, exposedSchema } from "#schemas/mcp-visibility.ts";
import { inFormat } from "./formats.ts";

export interface Presented {
  structured: JsonObject;
  /** The same as JSON text. */
  text: string;
}

const keptCharacters = 8_000_000;
/** By the object's version and the format. */
const cached = createVersionedMap<Context["storage"], Presented>(
  (storage) => `${storage.version("collections")} ${storage.version("settings")}`,
  { kind: cacheKinds.objects, capacity: keptCharacters, unit: 1 },
  ({ text }, key) => text.length * 2 + key.length,
);

/** Shared between calls: not to be changed. */
export function presentAnswer(
  ctx: Context,
  collection: Collection,
  answer: ObjectAnswer,
  format: RichFormat,
): Presented {
  return cached.get(ctx.storage, `${collection.id}/${answer.id} ${answer.etag} ${format}`, () =>
    fitting(presentObject(ctx, collection, JSON.parse(answer.text) as JsonObject, { format, rev: revOf(answer) })),
  );
}

/** The strong ETag without its quotes. */
export function revOf({ etag }: Pick<ObjectAnswer, "etag">): string {
  return etag.slice(1, -1);
}

export function ifMatchOf(rev: string | undefined): string | undefined {
  return rev === undefined ? undefined : `"${rev.replaceAll('"', "")}"`;
}

export interface Presentation {
  format: RichFormat;
  rev?: string;
}

/** From a stored document, or from an entry of the index. */
export function presentObject(
  ctx: Pick<Context, "settings">,
  { schema, settings }: Collection,
  document: JsonObject,
  { format, rev }: Presentation,
): JsonObject {
  const { properties } = schema;
  const shown = inFormat(exposedSchema(schema), exposedDocument(schema, document), format);
  const url = properties.has("url") ? "" : addressOf(ctx, settings, document);
  return {
    ...shown,
    ...(url !== "" && { url }),
    ...(rev !== undefined && { [properties.has("rev") ? "_rev" : "rev"]: rev }),
  };
}

export function addressOf(
  { settings }: Pick<Context, "settings">,
  config: Collection["settings"],
  document: JsonObject,
): string {
  const path = objectUrl(config, document);
  return path === "" ? "" : settings.get("url").replace(/\/+$/, "") + path;
}

/** Whole, or cut with a note on how to read the rest. */
export function fitting(object: JsonObject): Presented {
  const text = JSON.stringify(object);
  const smaller = text.length > maxAnswer ? cutToFit(object) : undefined;
  if (!smaller) return { structured: object, text };
  const structured = {
    ...smaller.object,
    _cut: {
      properties: smaller.cut,
      hint:
        "These are not whole. Ask for one with `properties`, and with `from` for the part after so many characters " +
        "or entries. Never write a cut value back.",
    },
  };
  return { structured, text: JSON.stringify(structured) };
}
