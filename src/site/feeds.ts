// A collection as a feed: its newest objects, for callers that may read them. Never a draft.
// The request can name the properties for title, text and so on; those that a schema lacks are left out.

import { fail } from "#base/errors.ts";
import type { Collection } from "#content/collections/collection.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { findText, type Params, refuse } from "#content/query/parameters.ts";
import { parseSort } from "#content/query/sorting.ts";
import type { Context } from "#context.ts";
import { isJsonObject, type Json, type JsonObject } from "#contract/json.ts";
import { noteShape } from "#storage/query/indexes.ts";
import { selectObjects } from "#storage/query/select.ts";
import { type Feed, type FeedEntry, type FeedFile, type FeedFormat, writeFeed } from "./feed-formats.ts";
import { findDate, findDocument, findPagePath, publishedSelection } from "./object-pages.ts";

const limits = { usual: 25, most: 500 };
/** The parts of an item, and their default properties. */
const usualFields = {
  title: "title",
  content: "summary",
  media: "media",
  author: "author",
  date: "updated",
  draft: "draft",
} as const;
type Fields = Record<keyof typeof usualFields, string>;

const mediaTypes: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  wav: "audio/wav",
  mp4: "video/mp4",
  webm: "video/webm",
};

export interface FeedRequest {
  params: Params;
  /** No slash at the end. */
  baseUrl: string;
  /** The feed's own address. */
  self: string;
}

export async function getFeed(
  ctx: Context,
  collectionId: string,
  format: FeedFormat,
  request: FeedRequest,
): Promise<FeedFile> {
  const collection = await openCollection(ctx, "read", collectionId);
  const { params, baseUrl } = request;
  const fields = readFields(params, collection);
  const exclude = [findText(params, "exclude"), fields.draft].filter(Boolean).join(",");
  const selection = {
    ...publishedSelection(ctx, collection, { include: params.include, exclude }),
    ...parseSort({ schema: collection.schema, parameter: "date" }, fields.date || "modified", true),
  };
  noteShape(ctx.storage, selection);
  const rows = await selectObjects(ctx.storage, selection, { limit: readLimit(params), offset: 0 }, ctx.caller);
  const entries = rows.flatMap((row) => {
    const document = findDocument(ctx, collection, row);
    return document ? [entry({ collection, document, fields, baseUrl, modified: row.modified })] : [];
  });
  const changed = rows.map(({ modified }) => modified).sort();
  const language = ctx.settings.get("locales")[0]?.replace("_", "-") ?? "";
  const described = describe(collection, request, language);
  const publisher = ctx.settings.get("site.name");
  return writeFeed(format, { ...described, publisher, entries, changed: changed.at(-1) });
}

function readLimit(params: Params): number {
  const text = findText(params, "limit") ?? String(limits.usual);
  if (text === "0" || text === "-1") return limits.most;
  if (!/^\d{1,6}$/.test(text)) refuse("limit", "limit must be a whole number; 0 and -1 mean all.");
  return Math.min(Number(text), limits.most);
}

/** A named property must exist; the defaults may be missing. */
function readFields(params: Params, { schema }: Collection): Fields {
  const fields: Record<string, string> = {};
  for (const [field, usual] of Object.entries(usualFields)) {
    const named = findText(params, field);
    const property = schema.properties.get(named ?? usual);
    const isThere = property !== undefined && !property.isPassword;
    if (named !== undefined && !isThere) refuse(field, `There is no property ${JSON.stringify(named.slice(0, 60))}.`);
    fields[field] = isThere ? (named ?? usual) : "";
  }
  return fields as Fields;
}

interface Source {
  collection: Collection;
  document: JsonObject;
  fields: Fields;
  baseUrl: string;
  modified: string;
}

function entry({ collection, document, fields, baseUrl, modified }: Source): FeedEntry {
  const id = String(document.id);
  const path = findPagePath(collection, document);
  const names = [collection.id, id].map(encodeURIComponent);
  return {
    id,
    address: `${baseUrl}/api/collections/${names.join("/")}`,
    title: textOf(document[fields.title]) || id,
    link: path === undefined ? "" : baseUrl + path,
    date: findDate(document[fields.date]) ?? modified,
    modified,
    author: textOf(document[fields.author]),
    content: textOf(document[fields.content]),
    media: media(
      [baseUrl, "stream", ...names, encodeURIComponent(fields.media)].join("/"),
      document[fields.media],
      baseUrl,
    ),
  };
}

/** A list of names is joined. */
function textOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.filter((part) => typeof part === "string").join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The type of an address by its ending; of a file by its value. */
function media(stream: string, value: Json | undefined, baseUrl: string): FeedEntry["media"] {
  if (isJsonObject(value) && typeof value.name === "string" && typeof value.mime === "string")
    return { address: stream, length: typeof value.size === "number" ? value.size : 0, type: value.mime };
  if (typeof value !== "string" || value === "") return undefined;
  const type = mediaTypes[/\.([a-z0-9]+)(?:[?#]|$)/i.exec(value)?.[1]?.toLowerCase() ?? ""];
  return type ? { address: value.startsWith("/") ? baseUrl + value : value, length: 0, type } : undefined;
}

function describe(
  { settings, id }: Collection,
  { params, baseUrl, self }: FeedRequest,
  language: string,
): Omit<Feed, "publisher" | "entries" | "changed"> {
  const title = findText(params, "name") ?? (settings.name || id);
  return {
    title,
    link: readAddress(params, "link") ?? `${baseUrl}/`,
    image: readAddress(params, "image") ?? "",
    description: findText(params, "description") ?? (settings.description || title),
    language: findText(params, "language") ?? language,
    self,
  };
}

/** No address that could run code in a reader. */
function readAddress(params: Params, name: string): string | undefined {
  const text = findText(params, name);
  if (text === undefined || /^https?:\/\/[^\s]+$/i.test(text)) return text;
  return fail("invalid", undefined, { [name]: ["must be an address that begins with http:// or https://"] });
}
