// What the builders of a site ask about its routes: all of them with their clashes, who answers a path, and the tree of pages.

import { anonymous } from "#access/actor.ts";
import { allow } from "#access/allow.ts";
import { fail } from "#base/errors.ts";
import { listOpenConfigs } from "#content/collections/collection-cache.ts";
import { openCollection } from "#content/collections/open-collection.ts";
import { followWrite } from "#content/collections/reindex.ts";
import { openRecorder } from "#content/history/record.ts";
import { changeObjectIn } from "#content/objects/change-object.ts";
import { lockExisting } from "#content/objects/stored-document.ts";
import { finishWrites, type Written } from "#content/objects/write-work.ts";
import { checkTag, type Precondition, tagOf } from "#content/preconditions.ts";
import { openChange } from "#content/write-rules.ts";
import { type Context, contextFor } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";
import type { SiteAnswerInfo, SiteRouteInfo } from "#contract/site.ts";
import { noRecorder } from "#site/template/recorder.ts";
import { lockCounters } from "#storage/tables/collections.ts";
import { hasTemplate, pageTemplateId } from "./page-templates.ts";
import { resolve } from "./resolve.ts";
import type { RoutePattern } from "./route-pattern.ts";
import { isServicePath } from "./service-paths.ts";
import { findSiteRoutes, type PageEntry, pagesCollection, type SiteRoutes } from "./site-routes.ts";

const maxPath = 2_000;
const maxDepth = 20;

export interface RouteList {
  routes: SiteRouteInfo[];
  /** Of the tree of pages: `If-Match` of a new order. */
  etag: string;
}

export async function listSiteRoutes(ctx: Context): Promise<RouteList> {
  allow(ctx, "read", { kind: "templates" });
  await openCollection(ctx, "read", pagesCollection);
  const known = await findSiteRoutes(ctx);
  const shown = new Set((await listOpenConfigs(ctx, "read")).map(({ id }) => id));
  const clashes = findClashes(known);
  const routes: SiteRouteInfo[] = [];
  for (const route of known.routes) {
    if (route.kind === "object" && !shown.has(route.collection)) continue;
    const page = route.kind === "page" ? route.page : undefined;
    const template = pageTemplateId(page ? page.template : route.id);
    routes.push({
      ...(page ? infoOf(page) : objectInfo(route.id)),
      route: page ? page.route : writePattern(route.pattern),
      template: page?.template === "" ? "" : template,
      clashes: (clashes.get(shapeOf(route.pattern)) ?? []).filter((name) => name !== nameOf(route)),
      problem: page?.template === "" || (await hasTemplate(ctx, template)) ? "" : `There is no template "${template}".`,
    });
  }
  for (const page of known.pages.values()) {
    const problem = known.unusable.get(page.id);
    if (problem !== undefined) routes.push({ ...infoOf(page), clashes: [], problem: `The route ${problem}.` });
    else if (page.route === "") routes.push({ ...infoOf(page), clashes: [], problem: "" });
  }
  return { routes, etag: treeTag(known) };
}

function infoOf({ id, route, title, template, status, isDraft, collection, parent, order }: PageEntry): SiteRouteInfo {
  const draft = isDraft;
  return {
    kind: "page",
    id,
    route,
    title,
    template,
    status,
    draft,
    collection,
    parent,
    order,
    clashes: [],
    problem: "",
  };
}

function objectInfo(id: string): SiteRouteInfo {
  const page = { title: "", template: "", status: 200, draft: false, parent: "", order: 0 };
  return { kind: "object", id, route: "", ...page, collection: id, clashes: [], problem: "" };
}

/** Routes of the same shape fit the same paths. */
function findClashes({ routes }: SiteRoutes): Map<string, string[]> {
  const shapes = new Map<string, string[]>();
  for (const route of routes) {
    if (route.kind === "page" && route.page.isDraft) continue;
    const shape = shapeOf(route.pattern);
    const others = shapes.get(shape);
    if (others) others.push(nameOf(route));
    else shapes.set(shape, [nameOf(route)]);
  }
  return shapes;
}

function nameOf({ kind, id }: { kind: string; id: string }): string {
  return `${kind} ${id}`;
}

function shapeOf({ segments, rest }: RoutePattern): string {
  const written = segments.map((segment) => segment.map((part) => (typeof part === "string" ? part : "{}")).join(""));
  return `/${written.join("/")}${rest === undefined ? "" : "/*"}`;
}

function writePattern({ segments }: RoutePattern): string {
  const written = segments.map((segment) =>
    segment.map((part) => (typeof part === "string" ? part : `{${part.name}}`)).join(""),
  );
  return `/${written.join("/")}`;
}

/** As the public gets it. */
export async function explainPath(ctx: Context, asked: string): Promise<SiteAnswerInfo> {
  allow(ctx, "read", { kind: "templates" });
  await openCollection(ctx, "read", pagesCollection);
  const { path, search } = readPath(asked);
  const nothing = { page: "", collection: "", object: "", template: "", target: "", params: {} };
  if (!ctx.settings.get("site.enabled"))
    return { ...nothing, path, kind: "off", status: 404, steps: ["site.enabled is false: no page is served."] };
  if (isServicePath(path))
    return { ...nothing, path, kind: "service", status: 200, steps: ["The first segment belongs to the service."] };
  const steps: string[] = [];
  const query = new Map(new URLSearchParams(search));
  const look = { ctx: contextFor(ctx, anonymous), recorder: noRecorder };
  const found = await resolve(look, { path, search, query }, (step) => steps.push(step));
  const told = { ...nothing, path, steps };
  switch (found.kind) {
    case "page": {
      const { entry, params, object } = found;
      const template = entry.template === "" ? "" : pageTemplateId(entry.template);
      const bound = { collection: object?.collection.id ?? "", object: object?.id ?? "" };
      return { ...told, ...bound, kind: "page", status: entry.status, page: entry.id, template, params };
    }
    case "object": {
      const { template, params, object } = found;
      const bound = { collection: object.collection.id, object: object.id };
      return { ...told, ...bound, kind: "object", status: 200, template, params };
    }
    case "redirect":
      return { ...told, kind: "redirect", status: found.status, target: found.target };
    default:
      return { ...told, kind: found.kind, status: { gone: 410, missing: 404, robots: 200, favicon: 204 }[found.kind] };
  }
}

/** A path with or without a query, or a whole address. */
function readPath(asked: string): { path: string; search: string } {
  const text = asked.replace(/^https?:\/\/[^/?#]+/i, "").split("#")[0] as string;
  const mark = text.indexOf("?");
  const path = mark < 0 ? text : text.slice(0, mark);
  if (!path.startsWith("/") || path.length > maxPath)
    fail("invalid", "The path is not valid.", { path: [`must begin with "/" and have at most ${maxPath} characters`] });
  return { path, search: mark < 0 ? "" : text.slice(mark + 1) };
}

/** Places of pages in the tree: each with its parent, in their order. */
interface Place {
  id: string;
  parent: string;
  order: number;
}

/** Parents and orders of the pages that the tree names, in one transaction. Others stay where they are. */
export async function orderPages(ctx: Context, body: Json, { ifMatch }: Precondition = {}): Promise<RouteList> {
  allow(ctx, "read", { kind: "templates" });
  await openCollection(ctx, "read", pagesCollection);
  const collection = await openCollection(ctx, "update", pagesCollection);
  const places = readTree(isJsonObject(body) ? body.tree : undefined);
  if (collection.isVirtual && places.length > 0) refuseTree("names pages, and there are none yet");
  if (collection.isVirtual) return listSiteRoutes(ctx);
  const rules = await openChange(ctx, { collection, sent: {} });
  const recorder = await openRecorder(ctx, [collection]);
  await ctx.storage.write(async (tx) => {
    const counters = await lockCounters(tx, pagesCollection);
    const known = await findSiteRoutes(ctx);
    if (ifMatch !== undefined) checkTag(ifMatch, treeTag(known));
    const missing = places.find(({ id }) => !known.pages.has(id));
    if (missing)
      fail("validation-failed", undefined, { tree: [`names the page "${missing.id}", which does not exist`] });
    const now = ctx.clock.iso();
    const work = { ctx, collection, isTrusted: false, now, hashes: new Map(), rules, counters, recorder };
    const written: Written[] = [];
    // From the top down: a page is put below its parent when that one has its own place.
    for (const { id, parent, order } of places) {
      const row = await lockExisting(tx, pagesCollection, id);
      const changed = new Set(["parent", "order"]);
      const one = await changeObjectIn(work, tx, row, {
        sent: { parent, order },
        change: (current) => ({ input: { ...current, parent, order }, changed }),
        isSame: (before, after) => before.parent === after.parent && before.order === after.order,
      });
      if (one) written.push(one);
    }
    if (written.length > 0) await finishWrites(tx, written);
  });
  followWrite(ctx, collection);
  return listSiteRoutes(ctx);
}

function readTree(tree: Json | undefined): Place[] {
  const places: Place[] = [];
  const seen = new Set<string>();
  const read = (nodes: Json | undefined, parent: string, depth: number): void => {
    if (!Array.isArray(nodes)) refuseTree("must be a list of {id, children}");
    if (depth > maxDepth) refuseTree(`must not be deeper than ${maxDepth} pages`);
    for (const [at, node] of nodes.entries()) {
      const { id, children = [] } = isJsonObject(node) ? node : {};
      if (typeof id !== "string" || id === "") refuseTree("must be a list of {id, children}");
      if (seen.has(id)) refuseTree(`names the page "${id}" twice`);
      seen.add(id);
      places.push({ id, parent, order: at + 1 });
      read(children, id, depth + 1);
    }
  };
  read(tree, "", 1);
  return places;
}

function refuseTree(problem: string): never {
  fail("validation-failed", undefined, { tree: [problem] });
}

function treeTag({ pages }: SiteRoutes): string {
  return tagOf(JSON.stringify([...pages.values()].map(({ id, parent, order }) => [id, parent, order])));
}
