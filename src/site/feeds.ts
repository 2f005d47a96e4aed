// A collection as an RSS feed: its newest objects, for callers that may read them. Never a draft.
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
import { findDate, findDocument, findPagePath, publishedSelection } from "./object-pages.ts";
import { element, escapeXml, type XmlFile, xmlFile } from "./xml.ts";

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

export async function getFeed(ctx: Context, collectionId: string, request: FeedRequest): Promise<XmlFile> {
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
  const items = rows.map((row) => {
    const document = findDocument(ctx, collection, row);
    return document ? item({ collection, document, fields, baseUrl, changed: row.modified }) : "";
  });
  const changed = rows.map(({ modified }) => modified).sort();
  return xmlFile(channel(collection, request, { items: items.join(""), changed: changed.at(-1) }));
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

interface Item {
  collection: Collection;
  document: JsonObject;
  fields: Fields;
  baseUrl: string;
  changed: string;
}

function item({ collection, document, fields, baseUrl, changed }: Item): string {
  const id = String(document.id);
  const path = findPagePath(collection, document);
  const date = findDate(document[fields.date]) ?? changed;
  return (
    `<item>${element("title", textOf(document[fields.title]) || id)}` +
    `${element("link", path === undefined ? "" : baseUrl + path)}` +
    `<guid isPermaLink="false">${escapeXml(id)}</guid>` +
    `${element("pubDate", new Date(date).toUTCString())}` +
    `${element("dc:creator", textOf(document[fields.author]))}` +
    `${element("description", textOf(document[fields.content]))}` +
    `${enclosure({ collection: collection.id, id, property: fields.media, baseUrl }, document[fields.media])}</item>\n`
  );
}

/** A list of names is joined. */
function textOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.filter((part) => typeof part === "string").join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

interface MediaPlace {
  collection: string;
  id: string;
  property: string;
  baseUrl: string;
}

/** The type of an address by its ending; of a file by its value. */
function enclosure({ collection, id, property, baseUrl }: MediaPlace, value: Json | undefined): string {
  if (isJsonObject(value) && typeof value.name === "string" && typeof value.mime === "string") {
    const address = `${baseUrl}/stream/${[collection, id, property].map(encodeURIComponent).join("/")}`;
    return tag(address, typeof value.size === "number" ? value.size : 0, value.mime);
  }
  if (typeof value !== "string" || value === "") return "";
  const type = mediaTypes[/\.([a-z0-9]+)(?:[?#]|$)/i.exec(value)?.[1]?.toLowerCase() ?? ""];
  return type ? tag(value.startsWith("/") ? baseUrl + value : value, 0, type) : "";
}

function tag(address: string, length: number, type: string): string {
  return `<enclosure url="${escapeXml(address)}" length="${length}" type="${escapeXml(type)}"/>`;
}

interface Content {
  items: string;
  changed: string | undefined;
}

function channel({ settings, id }: Collection, { params, baseUrl, self }: FeedRequest, { items, changed }: Content) {
  const title = findText(params, "name") ?? (settings.name || id);
  const link = readAddress(params, "link") ?? `${baseUrl}/`;
  const image = readAddress(params, "image");
  return (
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">\n` +
    `<channel>${element("title", title)}${element("link", link)}` +
    // The format requires one.
    `<description>${escapeXml(findText(params, "description") ?? (settings.description || title))}</description>` +
    `${element("language", findText(params, "language") ?? "")}` +
    `<atom:link href="${escapeXml(self)}" rel="self" type="application/rss+xml"/>` +
    `${element("lastBuildDate", changed === undefined ? "" : new Date(changed).toUTCString())}` +
    `${image === undefined ? "" : `<image>${element("url", image)}${element("title", title)}${element("link", link)}</image>`}\n` +
    `${items}</channel>\n</rss>`
  );
}

/** No address that could run code in a reader. */
function readAddress(params: Params, name: string): string | undefined {
  const text = findText(params, name);
  if (text === undefined || /^https?:\/\/[^\s]+$/i.test(text)) return text;
  return fail("invalid", undefined, { [name]: ["must be an address that begins with http:// or https://"] });
}
