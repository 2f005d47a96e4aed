// Sitemaps for search engines: an index, the addresses of each collection whose card switches it on, and those of the pages.
// A card publishes addresses and dates of objects that are not drafts, by the filters of the card.
// Callers that may read the collection may use other filters; for all others these would reveal content of the objects.

import { system } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { openStore } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { CairnError, fail } from "#base/errors.ts";
import { yieldToEventLoop } from "#base/event-loop.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection, listOpenCollections, subjectOf } from "#content/collections/collection-cache.ts";
import { countAll } from "#content/query/lists.ts";
import { createKept, type Stamp } from "#content/query/page-cache.ts";
import { findText, type Params, readChoice, refuse } from "#content/query/parameters.ts";
import { catchUp } from "#content/read-barrier.ts";
import { type Context, contextFor } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Storage } from "#storage/port.ts";
import { positionOf, selectObjects } from "#storage/query/select.ts";
import type { Page, Selection } from "#storage/query/selection.ts";
import { findDate, findDocument, findPagePath, publishedSelection } from "./object-pages.ts";
import { servedAddresses } from "./pages/served-addresses.ts";
import { pagesCollection } from "./pages/site-routes.ts";
import { element, escapeXml, type XmlFile, xmlFile } from "./xml.ts";

const batchSize = 500;
const keptBytes = 32 * 1024 * 1024;
/** No collection can have this id. */
const pagesMap = "-pages";
const frequencies = ["", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"] as const;

/** How one collection is listed. */
interface Card {
  date: string;
  frequency: string;
  priority: number;
  include: string;
  exclude: string;
}

const overrides = ["date", "frequency", "priority", "include", "exclude", "filter"];

export async function getSitemapIndex(ctx: Context, baseUrl: string): Promise<XmlFile> {
  await catchUp(ctx);
  const maps: string[] = [];
  const pages = await findCollection(ctx, pagesCollection);
  if (pages && !pages.isVirtual) maps.push(pagesMap);
  for (const collection of await listOpenCollections(contextFor(ctx, system), "read")) {
    const selection = isListed(collection) ? findSelection(ctx, collection) : undefined;
    if (!selection) continue;
    const count = await countAll(ctx, selection);
    const files = Math.max(1, Math.ceil(count / ctx.settings.get("sitemap.maxAddresses")));
    maps.push(collection.id, ...Array.from({ length: files - 1 }, (_, at) => `${collection.id}?page=${at + 2}`));
  }
  const entries = maps.map((map) => `<sitemap>${element("loc", `${baseUrl}/sitemap/${map}`)}</sitemap>\n`).join("");
  return xmlFile(`<sitemapindex xmlns="${namespace}">\n${entries}</sitemapindex>`);
}

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** `map`: a collection, or the pages. */
export async function getSitemap(
  ctx: Context,
  map: string,
  { baseUrl, params }: { baseUrl: string; params: Params },
): Promise<XmlFile> {
  const page = readPage(params);
  await catchUp(ctx);
  const collection = await findCollection(ctx, map === pagesMap ? pagesCollection : map);
  if (!collection || (map === pagesMap ? collection.isVirtual : !isListed(collection))) noSitemap();
  const asked = overrides.filter((name) => params[name] !== undefined);
  if (asked.length > 0) allow(ctx, "read", subjectOf(ctx, collection.id, collection.settings));
  const { card, selection } = planOf(ctx, collection, params);
  const isServed = await servedAddresses(ctx, collection.id);
  const placeOf = (document: JsonObject): Place | undefined => {
    if (map === pagesMap) return placeOfPage(document);
    const path = findPagePath(collection, document);
    return path === undefined || !isServed(path)
      ? undefined
      : { path, frequency: card.frequency, priority: card.priority };
  };
  const most = ctx.settings.get("sitemap.maxAddresses");
  const writing = { ...card, selection, placeOf, most, offset: (page - 1) * most, baseUrl };
  const make = async () => xmlFile(await write(ctx, collection, writing));
  return asked.length > 0 ? make() : kept(ctx, collection, `${map} ${page} ${most} ${baseUrl}`, make);
}

/** Undefined: the card's own filters are invalid, as when a property has left the schema. */
function findSelection(ctx: Context, collection: Collection): Selection | undefined {
  try {
    return planOf(ctx, collection, {}).selection;
  } catch (error) {
    if (!(error instanceof CairnError) || error.status !== 400) throw error;
    ctx.log.warn({ collection: collection.id, err: error }, "a collection is left out of the sitemap");
    return undefined;
  }
}

function isListed({ settings, isVirtual }: Collection): boolean {
  return settings.sitemap?.enabled === true && !isVirtual;
}

function planOf(ctx: Context, collection: Collection, params: Params): { card: Card; selection: Selection } {
  const stored = (collection.settings.sitemap ?? {}) as Partial<Card>;
  const card = {
    date: findText(params, "date") ?? stored.date ?? "updated",
    frequency: readChoice(params, "frequency", frequencies, (stored.frequency ?? "") as (typeof frequencies)[number]),
    priority: readPriority(params) ?? stored.priority ?? 0,
    include: findText(params, "include") ?? findText(params, "filter") ?? stored.include ?? "",
    exclude: findText(params, "exclude") ?? stored.exclude ?? "",
  };
  const { include, exclude } = card;
  return { card, selection: publishedSelection(ctx, collection, { include, exclude }) };
}

function readPriority(params: Params): number | undefined {
  const text = findText(params, "priority");
  if (text === undefined) return undefined;
  const priority = Number(text);
  return priority >= 0 && priority <= 1 ? priority : refuse("priority", "priority must be a number from 0 to 1.");
}

function readPage(params: Params): number {
  const text = findText(params, "page") ?? "1";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : refuse("page", "page must be a whole number of at least 1.");
}

interface Place {
  path: string;
  frequency: string;
  priority: number;
}

/** A page with a fixed route that answers with content. */
function placeOfPage(page: JsonObject): Place | undefined {
  const { route, sitemap, status = 200, changeFrequency, priority, noindex, accessGroups } = page;
  if (sitemap === false || noindex === true || (Array.isArray(accessGroups) && accessGroups.length > 0))
    return undefined;
  if (status !== 200 || typeof route !== "string" || !/^\/[^{}]*$/.test(route)) return undefined;
  return { path: encodeURI(route), frequency: String(changeFrequency ?? ""), priority: Number(priority ?? 0) };
}

interface Writing {
  /** Name of a property. */
  date: string;
  selection: Selection;
  placeOf(document: JsonObject): Place | undefined;
  /** Objects. */
  most: number;
  offset: number;
  baseUrl: string;
}

async function write(ctx: Context, collection: Collection, writing: Writing): Promise<string> {
  const { date, selection, placeOf, most, offset, baseUrl } = writing;
  const parts = [`<urlset xmlns="${namespace}">\n`];
  let after: Page["after"];
  for (let seen = 0; seen < most; ) {
    const limit = Math.min(batchSize, most - seen);
    const page = after ? { limit, offset: 0, after } : { limit, offset };
    const rows = await selectObjects(ctx.storage, selection, page, ctx.caller);
    if (rows.length === 0 && seen === 0 && offset > 0) noSitemap();
    for (const row of rows) {
      const document = findDocument(ctx, collection, row);
      const place = document && placeOf(document);
      if (place) parts.push(entry(baseUrl, place, findDate(document[date]) ?? row.modified));
    }
    const last = rows.at(-1);
    if (!last || rows.length < limit) break;
    after = positionOf(selection, last);
    seen += rows.length;
    await yieldToEventLoop();
  }
  return `${parts.join("")}</urlset>`;
}

function entry(baseUrl: string, { path, frequency, priority }: Place, changed: string): string {
  return (
    `<url><loc>${escapeXml(baseUrl + path)}</loc>${element("lastmod", changed)}${element("changefreq", frequency)}` +
    `${priority > 0 ? element("priority", String(priority)) : ""}</url>\n`
  );
}

const mapsOf = perInstance((storage: Storage) =>
  createKept<XmlFile>(
    storage,
    openStore(storage, { kind: cacheKinds.feeds, capacity: keptBytes, unit: 1 }),
    ({ text }) => text.length * 2,
  ),
);

/** Public and frequently requested: the result is cached until something changes. */
function kept(ctx: Context, { id, schema }: Collection, key: string, make: () => Promise<XmlFile>) {
  const { storage, settings } = ctx;
  const stamp: Stamp = {
    scopes: [`objects:${id}`, `objects:${pagesCollection}`, "collections", "templates"],
    more: `${schema.rev} ${settings.get("site.enabled")}`,
  };
  return mapsOf(storage).get(key, stamp, make);
}

function noSitemap(): never {
  fail("not-found", "There is no such sitemap.");
}
