// Templates as a tree: their ids are paths. Pure.

import type { TemplateFile } from "@contract/templates.ts";

export interface TreeNode {
  /** Of a folder its path, of a template its id. */
  path: string;
  name: string;
  /** From 1. */
  level: number;
  /** undefined: a template. */
  children: TreeNode[] | undefined;
}

/** Folders first, each in order of name. A folder and a template may have the same path. */
export function treeOf(templates: readonly Pick<TemplateFile, "id">[]): TreeNode[] {
  const top: TreeNode[] = [];
  const folders = new Map<string, TreeNode[]>([["", top]]);
  const folderAt = (path: string): TreeNode[] => {
    const known = folders.get(path);
    if (known) return known;
    const children: TreeNode[] = [];
    folders.set(path, children);
    folderAt(parentOf(path)).push({ path, name: nameOf(path), level: path.split("/").length, children });
    return children;
  };
  for (const { id } of templates)
    folderAt(parentOf(id)).push({ path: id, name: nameOf(id), level: id.split("/").length, children: undefined });
  for (const nodes of folders.values()) nodes.sort(inOrder);
  return top;
}

/** What is seen while these folders are open, in order. */
export function visibleNodes(nodes: readonly TreeNode[], open: ReadonlySet<string>): TreeNode[] {
  return nodes.flatMap((node) =>
    node.children && open.has(node.path) ? [node, ...visibleNodes(node.children, open)] : [node],
  );
}

export function foldersAbove(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
}

/** A template and a folder of the same path are two nodes. */
export function keyOf({ path, children }: TreeNode): string {
  return children ? `${path}/` : path;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function inOrder(a: TreeNode, b: TreeNode): number {
  if (!a.children !== !b.children) return a.children ? -1 : 1;
  return a.name.localeCompare(b.name, "en", { numeric: true });
}

/** The ids of templates that a text includes; names that are worked out while it is rendered are not among them. */
export function includedIn(text: string): Set<string> {
  const found = text.matchAll(/\{%-?\s*(?:include|render|layout)\s+["']([^"'{}]+?)(?:\.liquid)?["']/g);
  return new Set([...found].map(([, id]) => id as string));
}
