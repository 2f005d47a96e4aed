// Who answers a path: a page, the address of an object, a redirect, or nobody. The order is that of docs/spec/pages.md. What
// decided is recorded, so that a kept page is valid while the same would be decided again.

import { characterBytes } from "#base/caches/kind-store.ts";
import { cacheKinds } from "#base/caches/known-kinds.ts";
import { createVersionedEntries } from "#base/caches/versioned-cache.ts";
import { perInstance } from "#base/per-instance.ts";
import type { Collection } from "#content/collections/collection.ts";
import { findCollection } from "#content/collections/collection-cache.ts";
import { storedDocument } from "#content/objects/stored-document.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import { answerRedirect, findRedirect } from "#redirects/find-redirect.ts";
import { findPagePath } from "#site/object-pages.ts";
import type { Storage } from "#storage/port.ts";
import { versionOf } from "#storage/query/object-versions.ts";
import { findDocument } from "#storage/tables/objects.ts";
import type { PageRequest } from "./page-request.ts";
import { hasTemplate, pageTemplateId } from "./page-templates.ts";
import { segmentsOf } from "./route-pattern.ts";
import type { Candidate } from "./route-table.ts";
import { findFirstShown, findShown, findShownBy, type Look, type ShownObject } from "./shown-objects.ts";
import {
  findSiteRoutes,
  type ObjectRoute,
  type PageEntry,
  type PageRoute,
  pagesCollection,
  routeScopes,
  type SiteRoute,
  type SiteRoutes,
} from "./site-routes.ts";

export interface FoundPage {
  kind: "page";
  entry: PageEntry;
  record: JsonObject;
  params: Record<string, string>;
  object?: ShownObject | undefined;
}

export interface FoundObject {
  kind: "object";
  template: string;
  params: Record<string, string>;
  object: ShownObject;
}

export interface FoundRedirect {
  kind: "redirect";
  target: string;
  status: number;
}

export type Found = FoundPage | FoundObject | FoundRedirect | { kind: "gone" | "robots" | "favicon" | "missing" };

/** What is asked about; a request has more. */
export type Asked = Pick<PageRequest, "path" | "query" | "search">;

/** Says each step, for people who ask why. */
export type Explain = (step: string) => void;

/** Routes that fit a path and whose object is looked for. */
const maxTries = 10;
const files = /\.[A-Za-z0-9]{1,12}$/;

export async function resolve(look: Look, asked: Asked, explain: Explain = () => {}): Promise<Found> {
  const { ctx } = look;
  const { path } = asked;
  const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const segments = segmentsOf(bare);
  if (!segments) {
    explain("No page can have this path: it has an empty, hidden or unreadable segment.");
    return { kind: "missing" };
  }
  const found = await find(look, bare === path ? asked : at(asked, bare), segments, explain);
  if (found.kind !== "page" && found.kind !== "object") return found;
  const spelled = spelling(ctx.settings.get("site.trailingSlash"), bare, path);
  if (spelled === path) return found;
  explain(`site.trailingSlash sends it to ${spelled}.`);
  return { kind: "redirect", target: spelled + queryOf(asked), status: 301 };
}

/** The same request for another path. What is read of the rest is recorded when it is read. */
function at(asked: Asked, path: string): Asked {
  return {
    path,
    query: asked.query,
    get search() {
      return asked.search;
    },
  };
}

function queryOf({ search }: Asked): string {
  return search === "" ? "" : `?${search}`;
}

/** Files and the root are left alone. */
function spelling(mode: string, bare: string, path: string): string {
  if (bare === "/" || mode === "ignore") return path;
  return mode === "always" && !files.test(bare) ? `${bare}/` : bare;
}

async function find(look: Look, asked: Asked, segments: readonly string[], explain: Explain): Promise<Found> {
  const { ctx, recorder } = look;
  const routes = await findSiteRoutes(ctx);
  const isShown = (route: SiteRoute) =>
    route.kind === "object" || !route.page.isDraft || look.preview?.showsDrafts(pagesCollection) === true;
  const fitting = fittingRoutes(routes, segments);
  recorder.fact({
    scopes: routeScopes,
    value: keyOfAll(fitting),
    ask: async () => keyOfAll(fittingRoutes(await findSiteRoutes(ctx), segments)),
  });
  for (const candidate of fitting.fixed) {
    if (!isShown(candidate.route)) continue;
    const found = await open(look, asked, candidate, explain);
    if (found) return found;
  }
  const exact = await findElsewhere(look, asked, "exact", explain);
  if (exact) return exact;
  let tries = 0;
  for (const candidate of fitting.open) {
    if (!isShown(candidate.route)) continue;
    if (tries === maxTries) {
      explain(`${maxTries} routes fit and have no object; no more are tried.`);
      break;
    }
    tries += 1;
    const found = await open(look, asked, candidate, explain);
    if (found) return found;
  }
  const moved = await findElsewhere(look, asked, "pattern", explain);
  if (moved) return moved;
  for (const candidate of fitting.rest) {
    if (!isShown(candidate.route)) continue;
    const found = await open(look, asked, candidate, explain);
    if (found) return found;
  }
  if (asked.path === "/robots.txt") return { kind: "robots" };
  if (asked.path === "/favicon.ico") return { kind: "favicon" };
  explain("Nothing has this address.");
  return { kind: "missing" };
}

async function findElsewhere(
  { ctx }: Look,
  asked: Asked,
  kind: "exact" | "pattern",
  explain: Explain,
): Promise<FoundRedirect | { kind: "gone" } | undefined> {
  const found = await findRedirect(ctx, asked.path, kind);
  if (!found) return undefined;
  explain(`The redirect ${found.id} answers.`);
  const { status, location } = answerRedirect(ctx, found, asked.search);
  return location === undefined ? { kind: "gone" } : { kind: "redirect", status, target: location };
}

interface Fitting {
  fixed: readonly Candidate<SiteRoute>[];
  open: readonly Candidate<SiteRoute>[];
  rest: readonly Candidate<SiteRoute>[];
}

function fittingRoutes({ table }: SiteRoutes, segments: readonly string[]): Fitting {
  return {
    fixed: table.findStatic(segments).map((route) => ({ route, params: {} })),
    open: table.findOpen(segments),
    rest: table.findRest(segments),
  };
}

/** All that the table says about a path: while it is the same, the same is tried in the same order. */
function keyOfAll({ fixed, open, rest }: Fitting): string {
  return `${keysOf(fixed)} ${keysOf(open)} ${keysOf(rest)}`;
}

function keysOf(candidates: readonly Candidate<SiteRoute>[]): string {
  return candidates.map(({ route }) => keyOf(route)).join();
}

const keyOf = perInstance((route: SiteRoute): string => {
  if (route.kind === "object") return JSON.stringify([route.id]);
  const { id, isDraft, route: path, collection, lookup } = route.page;
  return JSON.stringify([id, isDraft, path, collection, lookup]);
});

/** Undefined: it does not count, and the next one is tried. */
function open(
  look: Look,
  asked: Asked,
  { route, params }: Candidate<SiteRoute>,
  explain: Explain,
): Promise<Found | undefined> {
  return route.kind === "page"
    ? openPage(look, asked, { route, params }, explain)
    : openObject(look, asked, { route, params }, explain);
}

async function openPage(
  look: Look,
  asked: Asked,
  { route, params }: Candidate<PageRoute>,
  explain: Explain,
): Promise<FoundPage | undefined> {
  const entry = route.page;
  const bound = entry.collection === "" ? undefined : await bindObject(look, asked, { route, params });
  if (entry.collection !== "" && !bound) {
    explain(`The page "${entry.id}" (${entry.route}) fits, but ${entry.collection} has no object for it.`);
    return undefined;
  }
  const record = await readPage(look, entry.id);
  if (!record) return undefined;
  explain(`The page "${entry.id}" (${entry.route}) answers${bound ? ` with ${entry.collection}/${bound.id}` : ""}.`);
  return { kind: "page", entry, record, params, object: bound };
}

/** The record of a page, and that it decided; undefined when it was deleted just now. */
export async function readPage({ ctx, recorder }: Look, id: string): Promise<JsonObject | undefined> {
  const found = findCollection(ctx, pagesCollection);
  const collection = found instanceof Promise ? await found : found;
  const known = records.find(ctx.storage, undefined, id);
  const record = known?.collection === collection ? known : collection && (await loadRecord(ctx, collection, id));
  if (!record) {
    recorder.absence(pagesCollection, id);
    return undefined;
  }
  const { rev, document } = record;
  // Templates have all of it.
  recorder.object({ collection: pagesCollection, id, rev, document, properties: new Set(["*"]) });
  return document;
}

/** Characters of all records that are kept. */
const capacity = 16_000_000;

interface PageRecord {
  /** Another one as soon as its settings or its schema are. */
  collection: Collection;
  rev: string;
  /** Shared between requests: never changed. */
  document: JsonObject;
  size: number;
}

const records = createVersionedEntries<Storage, undefined, PageRecord>(
  (storage) => storage.version(`objects:${pagesCollection}`),
  { kind: cacheKinds.objects, capacity, unit: characterBytes },
  ({ size }) => size + 500,
);

function loadRecord(ctx: Context, collection: Collection, id: string): Promise<PageRecord | undefined> {
  return records.load(ctx.storage, undefined, id, async () => {
    const row = await findDocument(ctx.storage, pagesCollection, id);
    if (!row) return undefined;
    const document = storedDocument(ctx, collection.schema, row);
    return { collection, rev: versionOf(row), document, size: row.doc.length };
  });
}

/** By the placeholder named like `lookup`, else by the first; without any the first object of the collection. */
async function bindObject(
  look: Look,
  { query }: Asked,
  { route, params }: Candidate<PageRoute>,
): Promise<ShownObject | undefined> {
  const { collection, lookup, route: path } = route.page;
  const value = params[lookup] ?? Object.values(params)[0];
  if (value !== undefined) {
    return lookup === "id"
      ? findShown(look, collection, value)
      : findShownBy(look, collection, { property: lookup, value });
  }
  const { url, prettyUrl } = (await findCollection(look.ctx, collection))?.settings ?? {};
  if (url === path && prettyUrl === false) {
    const id = query.get("id");
    look.recorder.parameter("id", id);
    if (id !== undefined) return findShown(look, collection, id);
  }
  return findFirstShown(look, collection);
}

async function openObject(
  look: Look,
  asked: Asked,
  { route, params }: Candidate<ObjectRoute>,
  explain: Explain,
): Promise<FoundObject | FoundRedirect | undefined> {
  const template = pageTemplateId(route.collection);
  if (!(await hasTemplate(look.ctx, template))) {
    explain(`The address of ${route.collection} fits, but there is no template "${template}".`);
    return undefined;
  }
  let other: ShownObject | undefined;
  for (const id of route.idsIn(params)) {
    const object = await findShown(look, route.collection, id, addressProperties(route));
    const address = object && findPagePath(object.collection, object.document);
    if (object && isSamePath(address, asked.path)) {
      explain(`The object ${route.collection}/${id} answers with the template "${template}".`);
      return { kind: "object", template, params: { ...params, id }, object };
    }
    other ??= address === undefined ? undefined : object;
  }
  const address = other && findPagePath(other.collection, other.document);
  if (address === undefined || /^\/[/\\]/.test(address)) {
    explain(`The address of ${route.collection} fits, but there is no object for it.`);
    return undefined;
  }
  explain(`The object ${route.collection}/${other?.id} is at ${address}.`);
  return { kind: "redirect", target: address + queryOf(asked), status: 301 };
}

function addressProperties({ pattern }: ObjectRoute): string[] {
  return pattern.segments.flat().flatMap((part) => (typeof part === "string" ? [] : part.name.split(" ")));
}

function isSamePath(address: string | undefined, path: string): boolean {
  if (address === undefined) return false;
  return address === path || segmentsOf(address)?.join("/") === segmentsOf(path)?.join("/");
}
