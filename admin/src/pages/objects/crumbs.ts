// The way back from the page of an object.

import type { AdminCollection } from "@contract/admin.ts";
import type { Crumb } from "#shell/Page.tsx";

/** Singletons have no table. */
export function crumbsOf({ id, name, singleton }: AdminCollection, content: string): Crumb[] {
  const own: Crumb = { label: name, to: "/admin/collections/$collection", params: { collection: id } };
  return [{ label: content, to: "/admin/collections" }, ...(singleton ? [] : [own])];
}
