// "[" and "]" lead to the objects before and after this one in the list that somebody came from.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { neighboursOf, noteList } from "#session/came-from.ts";
import { linkProps, type Target } from "#shell/links.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";

export function useNeighbours(collection: string, id: string | undefined, pageOf: (id: string) => Target): void {
  const words = useWords(formWords);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [{ previous, next }] = useState(() => {
    const shown = shownIn(queries, collection);
    if (id !== undefined && shown.includes(id)) noteList(collection, shown);
    return neighboursOf(collection, id ?? "");
  });
  const open = (other: string | undefined) => {
    if (other === undefined) return;
    void navigate(linkProps(pageOf(other)));
  };
  useShortcut("[", words.previous, () => open(previous), { when: previous !== undefined });
  useShortcut("]", words.next, () => open(next), { when: next !== undefined });
}

/** The ids of the table that was shown last, as far as its pages are known. */
function shownIn(queries: QueryClient, collection: string): string[] {
  const pages = queries.getQueryCache().findAll({ queryKey: ["objects", collection, "rows"] });
  const known = pages.filter(({ state }) => state.data !== undefined);
  const newest = known.reduce<(typeof known)[number] | undefined>(
    (best, page) => (best && best.state.dataUpdatedAt > page.state.dataUpdatedAt ? best : page),
    undefined,
  );
  const listOf = (page: (typeof known)[number]) => JSON.stringify(page.queryKey.slice(0, -1));
  return known
    .filter((page) => newest && listOf(page) === listOf(newest))
    .sort((a, b) => Number(a.queryKey.at(-1)) - Number(b.queryKey.at(-1)))
    .flatMap(({ state }) => (state.data as { rows: { id: string }[] }).rows.map((row) => row.id));
}
