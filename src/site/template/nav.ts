// The menu: pages with `nav`, as a tree. Pages behind groups are in it only for visitors who may see them.

import type { JsonObject } from "#contract/json.ts";
import { listPages, routeOf, withPreview } from "./addresses.ts";
import { textOf } from "./html-value.ts";
import type { Rendering } from "./rendering.ts";

export interface NavItem {
  title: string;
  url: string;
  isCurrent: boolean;
  /** The current page is below it. */
  isActive: boolean;
  children: NavItem[];
}

export interface NavWish {
  depth?: number | undefined;
  /** Only the tree below the page with this id. */
  from?: string | undefined;
}

const maxDepth = 10;

export async function navTree(rendering: Rendering, { depth = maxDepth, from = "" }: NavWish): Promise<NavItem[]> {
  const all = await listPages(rendering);
  const shown: JsonObject[] = [];
  for (const page of all) {
    if (page.nav === true && routeOf(page) !== "" && (await isFor(rendering, page))) shown.push(page);
  }
  return below(rendering, shown, { parent: from, left: Math.min(depth, maxDepth) });
}

async function isFor({ recorder, request }: Rendering, { accessGroups }: JsonObject): Promise<boolean> {
  const groups = Array.isArray(accessGroups) ? accessGroups : [];
  if (groups.length === 0) return true;
  recorder.visitor();
  const visitor = await request.visitor();
  return visitor?.groups.some((group) => group === "admin" || groups.includes(group)) ?? false;
}

function below(
  rendering: Rendering,
  pages: readonly JsonObject[],
  { parent, left }: { parent: string; left: number },
): NavItem[] {
  if (left <= 0) return [];
  const ids = new Set(pages.map(({ id }) => id));
  // A page whose parent is not in the menu stands at the top.
  const isHere = (page: JsonObject) => (parent === "" ? !ids.has(textOf(page.parent)) : textOf(page.parent) === parent);
  return pages.filter(isHere).map((page) => {
    const children = below(rendering, pages, { parent: textOf(page.id), left: left - 1 });
    const isCurrent = page.id === rendering.values.page?.id || routeOf(page) === rendering.request.path;
    const item: NavItem = Object.assign(Object.create(null), {
      title: textOf(page.navTitle) || textOf(page.title),
      url: withPreview(rendering, routeOf(page)),
      isCurrent,
      isActive: isCurrent || children.some(({ isActive }) => isActive) || isBelow(rendering, routeOf(page)),
      children,
    });
    return item;
  });
}

function isBelow({ request }: Rendering, route: string): boolean {
  return route !== "/" && request.path.startsWith(`${route}/`);
}
