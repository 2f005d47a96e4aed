// The pages as a tree, and what a move makes of it. Pure; `PageTree.tsx` shows it and saves.

import type { SiteRouteInfo } from "@contract/site.ts";

export interface PageNode {
  id: string;
  title: string;
  children: PageNode[];
}

export interface PageRow {
  node: PageNode;
  level: number;
  parent: PageNode | undefined;
  /** The pages beside it, itself included, and its place among them. */
  beside: PageNode[];
  at: number;
}

export type PageMove = "up" | "down" | "in" | "out";

type Page = Pick<SiteRouteInfo, "kind" | "id" | "title" | "parent" | "order">;

/** By parent, then by order and id. Pages whose parent is not there, or leads round in a circle, stand at the top. */
export function treeOf(routes: readonly Page[]): PageNode[] {
  const pages = routes
    .filter(({ kind }) => kind === "page")
    .toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
  const byId = new Map(pages.map((page) => [page.id, page]));
  const nodes = new Map(
    pages.map(({ id, title }): [string, PageNode] => [id, { id, title: title || id, children: [] }]),
  );
  const leadsUp = (page: Page): boolean => {
    const seen = new Set<string>();
    for (let at: Page | undefined = page; at; at = byId.get(at.parent)) {
      if (seen.has(at.id)) return false;
      seen.add(at.id);
    }
    return true;
  };
  const top: PageNode[] = [];
  for (const page of pages) {
    const parent = leadsUp(page) ? nodes.get(page.parent) : undefined;
    (parent?.children ?? top).push(nodes.get(page.id) as PageNode);
  }
  return top;
}

/** From top to bottom, as they are shown. */
export function rowsOf(tree: PageNode[], level = 1, parent?: PageNode): PageRow[] {
  return tree.flatMap((node, at) => [
    { node, level, parent, beside: tree, at },
    ...rowsOf(node.children, level + 1, node),
  ]);
}

/** The tree after the move; undefined where it leads nowhere. */
export function movedTree(tree: readonly PageNode[], id: string, move: PageMove): PageNode[] | undefined {
  const next = structuredClone(tree) as PageNode[];
  const rows = rowsOf(next);
  const row = rows.find(({ node }) => node.id === id);
  if (!row) return undefined;
  const { node, beside, at, parent } = row;
  if (move === "up" || move === "down") {
    const to = move === "up" ? at - 1 : at + 1;
    if (to < 0 || to >= beside.length) return undefined;
    beside.splice(at, 1);
    beside.splice(to, 0, node);
    return next;
  }
  const above = move === "in" ? beside[at - 1] : undefined;
  const outer = move === "out" ? rows.find((one) => one.node === parent) : undefined;
  if (!above && !outer) return undefined;
  beside.splice(at, 1);
  if (above) above.children.push(node);
  else outer?.beside.splice(outer.at + 1, 0, node);
  return next;
}

/**
 * The tree with the page of row `from`, and the pages below it, put where row `to` stands. It keeps its level, changed by
 * `levels`, as far as the rows around its new place allow. Undefined where nothing changes or it would stand below itself.
 */
export function droppedTree(tree: PageNode[], from: number, to: number, levels = 0): PageNode[] | undefined {
  const rows = rowsOf(tree);
  const taken = rows[from];
  if (!taken || !rows[to]) return undefined;
  const own = rowsOf([taken.node]).length;
  if (to > from && to < from + own) return undefined;
  const others = rows.toSpliced(from, own);
  const place = to > from ? to - own + 1 : to;
  const highest = others[place]?.level ?? 1;
  const deepest = (others[place - 1]?.level ?? 0) + 1;
  const level = Math.min(deepest, Math.max(highest, taken.level + levels));
  const shift = level - taken.level;
  const moved = rows.slice(from, from + own).map((row) => ({ ...row, level: row.level + shift }));
  const next = others.toSpliced(place, 0, ...moved);
  const isSame = next.every(({ node, level: at }, row) => node === rows[row]?.node && at === rows[row]?.level);
  return isSame ? undefined : treeOfRows(next);
}

/** Each below the nearest row above it that has a lower level. */
function treeOfRows(rows: readonly Pick<PageRow, "node" | "level">[]): PageNode[] {
  const top: PageNode[] = [];
  const open: PageNode[][] = [top];
  for (const { node, level } of rows) {
    const copy = { ...node, children: [] };
    open[level - 1]?.push(copy);
    open.splice(level, open.length, copy.children);
  }
  return top;
}

export interface SentNode {
  id: string;
  children: SentNode[];
}

/** As the server takes it. */
export function sentTree(tree: readonly PageNode[]): SentNode[] {
  return tree.map(({ id, children }) => ({ id, children: sentTree(children) }));
}
