// Addresses of objects, pages and files. In a preview they carry its token on.

import type { JsonObject } from "#contract/json.ts";
import { findPagePath } from "#site/object-pages.ts";
import { textOf } from "./html-value.ts";
import type { Rendering } from "./rendering.ts";
import { findObjectMeta, recordAddress } from "./values.ts";

/** Only of this site. */
export function withPreview({ request }: Rendering, path: string): string {
  const token = request.preview?.token;
  if (!token || !path.startsWith("/") || path.startsWith("//")) return path;
  const [before = "", fragment] = path.split("#", 2) as [string, string?];
  const joined = `${before}${before.includes("?") ? "&" : "?"}_preview=${encodeURIComponent(token)}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

/** The path of an object, of a page, or of the page with this id; empty where there is none. */
export function findAddress(rendering: Rendering, value: unknown): string | Promise<string> {
  const meta = findObjectMeta(value);
  if (meta) {
    recordAddress(meta);
    return withPreview(rendering, findPagePath(meta.collection, meta.recorded.document) ?? "");
  }
  if (typeof value === "object" && value !== null) {
    const { url, route } = value as Record<string, unknown>;
    return withPreview(rendering, textOf(url) || textOf(route));
  }
  const text = textOf(value);
  if (text === "" || /^(?:[a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(text)) return text;
  return findPageAddress(rendering, text);
}

async function findPageAddress(rendering: Rendering, id: string): Promise<string> {
  const page = (await listPages(rendering)).find((one) => one.id === id);
  return page ? withPreview(rendering, routeOf(page)) : "";
}

/** All pages; the page depends on them from now on. */
export async function listPages({ reader, recorder }: Rendering): Promise<readonly JsonObject[]> {
  recorder.scope("objects:builder-pages");
  return reader.pages();
}

/** Empty for routes with placeholders: they have no one address. */
export function routeOf(page: JsonObject): string {
  const route = textOf(page.route);
  return route.includes("{") ? "" : route;
}

/** With scheme and host. */
export function absolute({ site }: Rendering, address: string): string {
  return address.startsWith("/") && !address.startsWith("//") ? site.url + address : address;
}
