// One data view: the form of its object, a test run of what is typed, the stored result, Rebuild.

import { useParams } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { type ObjectPages, ObjectPagesContext } from "#pages/objects/object-pages.ts";
import { useCommand } from "#session/commands.ts";
import { useCan, useStart } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import { Button } from "#ui/Button.tsx";
import { dataViewWords } from "#words/data-views.ts";
import { useWords } from "#words/language.ts";
import { collection, useRebuild } from "./view-calls.ts";

// Asked for with this page, and not after it.
const form = import("#pages/objects/ObjectPage.tsx");
const ObjectPageOf = lazy(async () => ({ default: (await form).ObjectPageOf }));
const StoredResult = lazy(async () => ({ default: (await import("./StoredResult.tsx")).StoredResult }));
const TestRun = lazy(async () => ({ default: (await import("./TestRun.tsx")).TestRun }));

/** It is shown with the stored result. */
const hidden = ["lastBuilt"];

export function DataViewPage() {
  const words = useWords(dataViewWords);
  const { id } = useParams({ strict: false });
  const { site } = useStart();
  const can = useCan();
  const mayRebuild = can("update", { objects: collection });
  const rebuilding = useRebuild();
  const { mutate, isPending } = rebuilding;
  const pages = useMemo(
    (): ObjectPages => ({
      table: { to: "/admin/dataviews" },
      tableName: words.title,
      newObject: { to: "/admin/dataviews/-new" },
      object: (object) => ({ to: "/admin/dataviews/$id", params: { id: object } }),
      breadcrumbs: [{ label: words.build }, { label: words.title, to: "/admin/dataviews" }],
      newTitle: words.newTitle,
      hides: hidden,
      actions: ({ id: view }) =>
        mayRebuild && <Rebuild label={words.rebuild} isPending={isPending} onPress={() => mutate(view)} />,
      tools: (
        <Suspense fallback={null}>
          <TestRun />
        </Suspense>
      ),
      below: ({ id: view }) => (
        <Suspense fallback={null}>
          <StoredResult id={view} isBuilding={isPending} />
        </Suspense>
      ),
    }),
    [words, mayRebuild, mutate, isPending],
  );
  if (!can("read", "dataviews")) return <Page title={words.title} needs={false} />;
  if (site.edition !== "pro")
    return (
      <Page title={words.title}>
        <p>{words.needsPro(site.edition)}</p>
      </Page>
    );
  return (
    <ObjectPagesContext value={pages}>
      <Suspense fallback={<Page title={id ?? words.newTitle} breadcrumbs={pages.breadcrumbs} isBusy />}>
        <ObjectPageOf collection={collection} id={id} />
      </Suspense>
    </ObjectPagesContext>
  );
}

interface RebuildProps {
  label: string;
  isPending: boolean;
  onPress: () => void;
}

function Rebuild({ label, isPending, onPress }: RebuildProps) {
  useCommand({ id: "rebuild", label, run: onPress });
  return (
    <Button icon={RefreshCw} isPending={isPending} onPress={onPress}>
      {label}
    </Button>
  );
}
