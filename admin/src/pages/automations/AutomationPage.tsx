// One automation: the form of its object, with tabs of its own.

import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { ObjectPageOf } from "#pages/objects/ObjectPage.tsx";
import { type ObjectPages, ObjectPagesContext, type OwnViewsProps } from "#pages/objects/object-pages.ts";
import { useStart } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { automationsWords } from "#words/automations.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { automationsCollection, tabOf } from "./tab-of.ts";

const AutomationViews = lazy(() => import("./AutomationViews.tsx").then((part) => ({ default: part.AutomationViews })));
const RunNow = lazy(() => import("./RunNow.tsx").then((part) => ({ default: part.RunNow })));

export function AutomationPage() {
  const { id } = useParams({ strict: false });
  const words = useWords(automationsWords);
  const { run } = useWords(shellWords);
  const { site } = useStart();
  const pages = useMemo<ObjectPages>(
    () => ({
      table: { to: "/admin/automations" },
      tableName: words.title,
      newObject: { to: "/admin/automations/-new" },
      object: (automation) => ({ to: "/admin/automations/$id", params: { id: automation } }),
      breadcrumbs: [{ label: run }, { label: words.title, to: "/admin/automations" }],
      newTitle: words.newAutomation,
      actions: (automation) => (
        <Suspense fallback={null}>
          <RunNow automation={automation} />
        </Suspense>
      ),
      Views,
      tabOf,
    }),
    [words, run],
  );
  if (site.edition !== "pro")
    return (
      <Page title={words.title}>
        <Notice tone="info">{words.needsPro(site.edition)}</Notice>
      </Page>
    );
  return (
    <ObjectPagesContext value={pages}>
      <ObjectPageOf collection={automationsCollection} id={id} />
    </ObjectPagesContext>
  );
}

function Views(props: OwnViewsProps) {
  return (
    <Suspense fallback={<Skeleton height="24rem" />}>
      <AutomationViews {...props} />
    </Suspense>
  );
}
