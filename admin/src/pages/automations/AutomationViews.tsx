// What the page of an automation shows under its heading: its state, and the tabs Handler, Triggers and Runs.

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { loadCodeEditor } from "#editor/code/code-editor.ts";
import { itemsIn } from "#fields/items.ts";
import { useFieldState, useFormScope, useSummary } from "#form/form-context.ts";
import type { OwnViewsProps } from "#pages/objects/object-pages.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import { type TabEntry, Tabs } from "#ui/Tabs.tsx";
import { automationsWords } from "#words/automations.ts";
import { formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { AutomationHead } from "./AutomationHead.tsx";
import { runsQuery } from "./automation-calls.ts";
import css from "./automations.module.css";
import { HandlerTab } from "./HandlerTab.tsx";
import { handlerTab as handler, runsTab as runs, tabOf, triggersTab as triggers } from "./tab-of.ts";

const TriggersTab = lazy(async () => ({ default: (await import("./triggers/TriggersTab.tsx")).TriggersTab }));
const RunsTab = lazy(async () => ({ default: (await import("./RunsTab.tsx")).RunsTab }));

export function AutomationViews({ properties, object, tab, onSelect }: OwnViewsProps) {
  const words = useWords(automationsWords);
  const { store } = useFormScope();
  const items = itemsIn(useFieldState(store, triggers).value);
  const { errors } = useSummary(store);
  const isWrong = (wanted: string) => [...errors.keys()].some((path) => tabOf(path) === wanted);
  const list = useQuery({ ...runsQuery(object?.id ?? "", ""), enabled: object !== undefined });
  const tabs: TabEntry[] = [
    { id: handler, label: words.handlerTab, mark: isWrong(handler) ? "wrong" : undefined },
    {
      id: triggers,
      label: words.triggersTab,
      badge: formatNumber(items.length),
      mark: isWrong(triggers) ? "wrong" : undefined,
    },
    ...(object ? [{ id: runs, label: words.runsTab, badge: list.data && formatNumber(list.data.total) }] : []),
  ];
  const selected = tabs.some(({ id }) => id === tab) ? tab : handler;
  void loadCodeEditor();
  return (
    <div className={css.stack}>
      <AutomationHead object={object} />
      <Tabs label={words.views} tabs={tabs} selected={selected} onSelect={onSelect}>
        <Suspense fallback={<Skeleton height="16rem" />}>
          {selected === handler && <HandlerTab properties={properties} object={object} />}
          {selected === triggers && <TriggersTab id={object?.id} />}
          {selected === runs && object && <RunsTab object={object} onShowHandler={() => onSelect(handler)} />}
        </Suspense>
      </Tabs>
    </div>
  );
}
