import type { AdminCollection } from "@contract/admin.ts";
import type { Crumb } from "#shell/Page.tsx";
import { collectionsWords } from "#words/collections.ts";
import { useWords } from "#words/language.ts";

/** Of a page about the collection itself. */
export function useCrumbs({ id, name }: AdminCollection): Crumb[] {
  const words = useWords(collectionsWords);
  return [
    { label: words.content, to: "/admin/collections" },
    { label: name, to: "/admin/collections/$collection", params: { collection: id } },
  ];
}
