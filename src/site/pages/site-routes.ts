// The routes of the site in memory: compiled once for each version of the pages and the collections, in pieces, so that nobody
// waits for ten thousand of them. Other parts of the site read the pages of menus from here.

import { system } from "#access/actor.ts";
import { createVersionedValue } from "#base/caches/versioned-cache.ts";
import { createPause } from "#base/event-loop.ts";
import { perInstance } from "#base/per-instance.ts";
import { findCollection, listOpenConfigs } from "#content/collections/collection-cache.ts";
import { type App, contextFor } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { Storage, VersionScope } from "#storage/port.ts";
import { positionOf, selectEntries } from "#storage/query/select.ts";
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
    for (const { id, idx } of rows) {
      const page = entryOf(id, JSON.parse(idx) as JsonObject);
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

async function* readPages(app: App): AsyncIterable<{ id: string; idx: string }[]> {
  const collection = await findCollection(app, pagesCollection);
  if (!collection || collection.isVirtual) return;
  const all: Selection = { collection: pagesCollection, include: [], exclude: [], hideDrafts: false, sort: [] };
  let after: Page["after"];
  for (;;) {
    const page = { limit: batchSize, offset: 0, ...(after && { after }) };
    const rows = await selectEntries(app.storage, all, page);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = positionOf(all, last);
  }
}

/** Properties that are missing were not indexed yet, or never set. */
function entryOf(id: string, entry: JsonObject): PageEntry {
  const text = (name: string) => (typeof entry[name] === "string" ? (entry[name] as string) : "");
  const number = (name: string, otherwise: number) => Number(entry[name] ?? otherwise) || otherwise;
  return {
    id,
    title: text("title"),
    navTitle: text("navTitle"),
    route: text("route"),
    template: text("template"),
    isDraft: entry.draft === true,
    isInNav: entry.nav !== false,
    status: number("status", 200),
    collection: text("collection"),
    lookup: text("lookup") || "id",
    parent: text("parent"),
    order: number("order", 0),
    isNoindex: entry.noindex === true,
    accessGroups: Array.isArray(entry.accessGroups) ? entry.accessGroups.map(String) : [],
  };
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
