// Which page of an extension an address belongs to: the one with the longest path. Pure.

import type { ExtensionPage } from "@contract/admin.ts";

export interface PageAt {
  page: ExtensionPage;
  /** Of the address, below the page. */
  rest: string;
}

export function pageAt(pages: readonly ExtensionPage[], extension: string, path: string): PageAt | undefined {
  const parts = partsOf(path);
  const fitting = pages
    .filter((page) => page.extension === extension)
    .map((page) => ({ page, own: partsOf(page.path) }))
    .filter(({ own }) => own.every((part, at) => parts[at] === part))
    .sort((a, b) => b.own.length - a.own.length);
  const [found] = fitting;
  return found && { page: found.page, rest: parts.slice(found.own.length).join("/") };
}

function partsOf(path: string): string[] {
  return path.split("/").filter(Boolean);
}
