// The routes of the site in memory: compiled once for each version of the pages and the collections, in pieces, so that nobody
// waits for ten thousand of them. Other parts of the site read the pages of menus from here.

import { system } from "#access/actor.ts";
import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import { createPause } from "#base/event-loop.ts";
import { perInstance } from "#base/per-instance.ts";
import { findCollection, listOpenConfigs } from "#content/collections/collection-cache.ts";
import { type App, contextFor } from "#context.ts";
import type { Json } from "#contract/json.ts";
import { service } from "#lanes/caller.ts";
import type { Storage, VersionScope } from "#storage/port.ts";
import { askPage, entryValuesOf, positionOf, type Selected } from "#storage/query/select.ts";
import type { Page, Selection } from "#storage/query/selection.ts";
import { type ObjectAddress, objectAddress } from "./object-routes.ts";
import { parseRoute } from "./route-pattern.ts";
import { buildTable, type Routed, type RouteTable } from "./route-table.ts";

export const pagesCollection = "builder-pages";
const batchSize = 1_000;
/** What the table depends on. */
export const routeScopes: readonly VersionScope[] = [`objects:${pagesCollection}`, "collections"];

/** What is known of each page without reading its record. */
export interface PageEntry {
  id: string;
  title: string;
  navTitle: string;
  /** Empty: no page of its own. */
  route: string;
  template: string;
  isDraft: boolean;
  isInNav: boolean;
  status: number;
  collection: string;
  lookup: string;
  parent: string;
  order: number;
  isNoindex: boolean;
  accessGroups: readonly string[];
}

export interface PageRoute extends Routed {
  kind: "page";
  page: PageEntry;
}

export interface ObjectRoute extends Routed {
  kind: "object";
  /** The collection; also its id. */
  collection: string;
  idsIn: ObjectAddress["idsIn"];
}

export type SiteRoute = PageRoute | ObjectRoute;

export interface SiteRoutes {
  table: RouteTable<SiteRoute>;
  /** By id, drafts included. */
  pages: ReadonlyMap<string, PageEntry>;
  /** In the order in which they are looked for: by order, then by id. No drafts. */
  byStatus: ReadonlyMap<number, readonly PageEntry[]>;
  /** All that is in the table. */
  routes: readonly SiteRoute[];
  /** Pages whose stored route cannot be used, with the reason. */
  unusable: ReadonlyMap<string, string>;
}

const versionOf = (storage: Storage) => routeScopes.map((scope) => storage.version(scope)).join(" ");
const kept = createVersionedValue<Storage, SiteRoutes>(versionOf);
const loadingOf = perInstance((_storage: Storage): { version: string; routes?: Promise<SiteRoutes> } => ({
  version: "",
}));

/** At once when nothing has changed since the last call; `await` works on both. */
export function findSiteRoutes(app: App): SiteRoutes | Promise<SiteRoutes> {
  return kept.get(app.storage, () => {
    const loading = loadingOf(app.storage);
    const version = versionOf(app.storage);
    if (loading.version !== version || !loading.routes) {
      loading.version = version;
      loading.routes = load(app).finally(() => {
        if (loading.version === version) delete loading.routes;
      });
    }
    return loading.routes;
  });
}

async function load(app: App): Promise<SiteRoutes> {
  const pause = createPause();
  const table = buildTable<SiteRoute>();
  const pages = new Map<string, PageEntry>();
  const routes: SiteRoute[] = [];
  const unusable = new Map<string, string>();
  const add = (route: SiteRoute) => {
    routes.push(route);
    table.add(route);
  };
  for await (const rows of readPages(app)) {
    const entries = JSON.parse(`[${rows.map(({ entry }) => entry).join(",")}]`) as Json[][];
    for (const [at, { id }] of rows.entries()) {
      const page = entryOf(id, entries[at] as Json[]);
      pages.set(id, page);
      if (page.route !== "") {
        try {
          add({ kind: "page", id, pattern: parseRoute(page.route), page });
        } catch (error) {
          unusable.set(id, (error as Error).message);
        }
      }
      const paused = pause();
      if (paused !== undefined) await paused;
    }
  }
  for (const settings of await listOpenConfigs(contextFor(app, system), "read")) {
    const address = objectAddress(settings);
    if (address) add({ kind: "object", id: settings.id, collection: settings.id, ...address });
    await pause();
  }
  return { table: table.finish(), pages, byStatus: groupByStatus(pages), routes, unusable };
}

/** `entry`: values of `entryNames`, as JSON text. */
type EntryRow = Selected<{ id: string; entry: string }>;

const entryNames = [
  ...["title", "navTitle", "route", "template", "draft", "nav", "status", "collection", "lookup", "parent", "order"],
  ...["noindex", "accessGroups"],
];
/** Few and short values: of ten thousand pages nobody waits for the rest. */
const shows = entryValuesOf(entryNames);

async function* readPages(app: App): AsyncIterable<EntryRow[]> {
  const collection = await findCollection(app, pagesCollection);
  if (!collection || collection.isVirtual) return;
  const all: Selection = { collection: pagesCollection, include: [], exclude: [], hideDrafts: false, sort: [] };
  let after: Page["after"];
  for (;;) {
    const page = { limit: batchSize, offset: 0, ...(after && { after }) };
    const { rows } = await askPage<EntryRow>(app.storage, { selection: all, page, caller: service, shows });
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = positionOf(all, last);
  }
}

/** Null: not indexed yet, or never set. The order is that of `entryNames`. */
function entryOf(id: string, values: readonly Json[]): PageEntry {
  const [title, navTitle, route, template, draft, nav, status, collection, lookup, parent, order, noindex, groups] =
    values;
  return {
    id,
    title: textOf(title),
    navTitle: textOf(navTitle),
    route: textOf(route),
    template: textOf(template),
    isDraft: draft === true,
    isInNav: nav !== false,
    status: Number(status) || 200,
    collection: textOf(collection),
    lookup: textOf(lookup) || "id",
    parent: textOf(parent),
    order: Number(order) || 0,
    isNoindex: noindex === true,
    accessGroups: Array.isArray(groups) ? groups.map(String) : [],
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function groupByStatus(pages: ReadonlyMap<string, PageEntry>): Map<number, PageEntry[]> {
  const groups = new Map<number, PageEntry[]>();
  for (const page of pages.values()) {
    if (page.isDraft || page.status === 200) continue;
    const others = groups.get(page.status);
    if (others) others.push(page);
    else groups.set(page.status, [page]);
  }
  for (const group of groups.values()) group.sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
  return groups;
}
