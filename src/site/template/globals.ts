// The names that every template knows: site, page, object, collection, params, request, user, error, now. Each is made when it is
// read, so that a page depends only on what it uses.

import type { JsonObject } from "#contract/json.ts";
import { absolute, listPages, routeOf, withPreview } from "./addresses.ts";
import { isoIn, readMoment } from "./filters/dates.ts";
import { textOf } from "./html-value.ts";
import { navTree } from "./nav.ts";
import { keepRendering, type Rendering } from "./rendering.ts";
import { getObjects, openForSite } from "./tags/query.ts";
import { bareCopy } from "./values.ts";

/** Own properties alone; nothing of it is an object of the service. */
export function makeGlobals(rendering: Rendering): object {
  const globals = Object.create(null) as object;
  const { values } = rendering;
  const own = values.data ?? {};
  const define = (name: string, make: () => unknown) => {
    if (Object.hasOwn(globals, name)) return;
    let made: { value: unknown } | undefined;
    const get = () => {
      made ??= { value: make() };
      return made.value;
    };
    Object.defineProperty(globals, name, { get, enumerable: true });
  };
  for (const [name, value] of Object.entries(own)) define(name, () => bareCopy(value));
  define("site", () => siteValue(rendering));
  define("page", () => (values.page ? pageRecord(rendering, values.page) : undefined));
  define("object", () => boundObject(rendering));
  define("collection", () => collectionValue(rendering));
  define("params", () => bareCopy({ ...values.params }));
  define("request", () => requestValue(rendering));
  define("user", () => userValue(rendering));
  define("error", () => bareCopy(values.error as JsonObject | undefined));
  if (!Object.hasOwn(own, "now"))
    Object.defineProperty(globals, "now", { get: () => nowValue(rendering), enumerable: true });
  keepRendering(globals, rendering);
  return globals;
}

function bare(values: Readonly<Record<string, unknown>>): object {
  return Object.assign(Object.create(null), values);
}

function siteValue(rendering: Rendering): object {
  const { name, url, locale, locales, timezone, environment, version } = rendering.site;
  const site = bare({ name, url, locale, locales: [...locales], timezone, environment, version });
  return Object.defineProperty(site, "nav", { get: () => navTree(rendering, {}), enumerable: true });
}

async function boundObject(rendering: Rendering): Promise<unknown> {
  const { object } = rendering.values;
  if (!object) return undefined;
  return (await getObjects(rendering, object.collection, [object.id])).get(object.id);
}

async function collectionValue(rendering: Rendering): Promise<unknown> {
  const { object, page } = rendering.values;
  const id = object?.collection ?? textOf(page?.collection);
  if (id === "") return undefined;
  const collection = await openForSite(rendering, id);
  if (!collection) return undefined;
  const { name, description, labelPlural, labelSingular, url } = collection.settings;
  const value = bare({ id, name, description, labelPlural, labelSingular, url: url.includes("{") ? "" : url });
  return Object.defineProperty(value, "count", { get: () => countOf(rendering, collection), enumerable: true });
}

function countOf({ reader, recorder }: Rendering, collection: Parameters<Rendering["reader"]["count"]>[0]): unknown {
  recorder.scope(`objects:${collection.id}`);
  return reader.count(collection);
}

function requestValue(rendering: Rendering): object {
  const { request } = rendering;
  const { path, method, locale, preview } = request;
  const value = bare({ path, method, locale, isPreview: preview !== undefined });
  Object.defineProperty(value, "query", { value: queryValue(rendering), enumerable: true });
  const get = () => {
    // All of it is read.
    for (const [name, part] of request.query) {
      rendering.parameters.set(name, part);
      rendering.recorder.parameter(name, part);
    }
    if (request.search !== "") rendering.recorder.never("It reads request.url with a query.");
    return absolute(rendering, request.search === "" ? path : `${path}?${request.search}`);
  };
  return Object.defineProperty(value, "url", { get, enumerable: true });
}

function symbolValue(name: symbol): unknown {
  return name === Symbol.toPrimitive ? () => "" : undefined;
}

/** Each parameter that is looked at is recorded, also one that is not there. */
function queryValue(rendering: Rendering): object {
  const { request, recorder } = rendering;
  const read = (name: string | symbol) => {
    if (typeof name === "symbol") return undefined;
    const part = request.query.get(name);
    rendering.parameters.set(name, part);
    recorder.parameter(name, part);
    return part;
  };
  return new Proxy(Object.create(null) as Record<string, string>, {
    // The library asks for the descriptor first.
    get: (_target, name) => (typeof name === "symbol" ? symbolValue(name) : request.query.get(name)),
    getOwnPropertyDescriptor(_target, name) {
      const value = read(name);
      return value === undefined ? undefined : { value, configurable: true, enumerable: true, writable: false };
    },
    has: (_target, name) => read(name) !== undefined,
    ownKeys: () => {
      recorder.never("It lists all of request.query.");
      return [...request.query.keys()];
    },
    set: () => false,
    defineProperty: () => false,
  });
}

async function userValue({ request, recorder }: Rendering): Promise<unknown> {
  recorder.visitor();
  const visitor = await request.visitor();
  if (!visitor) return undefined;
  const { id, name, groups } = visitor;
  return bare({ id, name, groups: [...groups] });
}

function nowValue(rendering: Rendering): string {
  const moment = readMoment("now", rendering);
  return moment ? isoIn(moment) : "";
}

/** A record of a page, with its place in the tree. */
export function pageRecord(rendering: Rendering, record: JsonObject): object {
  const page = bareCopy(record) as Record<string, unknown>;
  const own = withPreview(rendering, textOf(record.url) || routeOf(record));
  const { parent: parentId } = record;
  Object.assign(page, { url: own, isCurrent: record.id === rendering.values.page?.id });
  const lazily = (name: string, make: (pages: readonly JsonObject[]) => unknown) =>
    Object.defineProperty(page, name, {
      get: () => listPages(rendering).then(make),
      enumerable: false,
      configurable: true,
    });
  const wrap = (other: JsonObject) => pageRecord(rendering, other);
  lazily("parent", (pages) => pages.filter(({ id }) => parentId !== "" && id === parentId).map(wrap)[0]);
  lazily("children", (pages) => pages.filter(({ parent }) => parent === record.id && record.id !== "").map(wrap));
  lazily("trail", (pages) => trailOf(record, pages).map(wrap));
  return page;
}

/** From the top to the page. */
export function trailOf(record: JsonObject, pages: readonly JsonObject[]): JsonObject[] {
  const trail = [record];
  for (let at = record; trail.length < 20; ) {
    const parent = pages.find(({ id }) => at.parent !== undefined && at.parent !== "" && id === at.parent);
    if (!parent || trail.includes(parent)) break;
    trail.unshift(parent);
    at = parent;
  }
  return trail;
}
