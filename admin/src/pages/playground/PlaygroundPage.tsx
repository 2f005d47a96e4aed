// A place to try Liquid: a snippet, its data, the rendered result. Saved snippets are objects of the collection playground.

import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { ObjectPageOf } from "#pages/objects/ObjectPage.tsx";
import { type ObjectPages, ObjectPagesContext } from "#pages/objects/object-pages.ts";
import { useCan } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useWords } from "#words/language.ts";
import { playgroundWords } from "#words/playground.ts";
import { SavedSnippets } from "./SavedSnippets.tsx";

const Result = lazy(async () => ({ default: (await import("./Result.tsx")).Result }));

export const collection = "playground";

export function PlaygroundPage() {
  const words = useWords(playgroundWords);
  const { id } = useParams({ strict: false });
  const can = useCan();
  const pages = useMemo(
    (): ObjectPages => ({
      table: { to: "/admin/playground" },
      tableName: words.title,
      newObject: { to: "/admin/playground" },
      object: (object) => ({ to: "/admin/playground/$id", params: { id: object } }),
      breadcrumbs: [
        { label: words.build },
        ...(id === undefined ? [] : [{ label: words.title, to: "/admin/playground" as const }]),
      ],
      newTitle: words.title,
      tools: (
        <>
          <Suspense fallback={<Skeleton height="24rem" />}>
            <Result />
          </Suspense>
          <SavedSnippets open={id} />
        </>
      ),
    }),
    [words, id],
  );
  if (!can("read", "playground")) return <Page title={words.title} needs={false} />;
  return (
    <ObjectPagesContext value={pages}>
      <ObjectPageOf collection={collection} id={id} />
    </ObjectPagesContext>
  );
}
