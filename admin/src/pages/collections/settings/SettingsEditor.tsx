// The form of a collection's settings, in tabs: what is typed, saved, kept on this device, and asked before it is left.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { ask } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { beginEditing, type Stored } from "#form/editing/begin.ts";
import { EditingNotices, EditingQuestions, EditingState, SaveButton } from "#form/editing/EditingParts.tsx";
import { useEditing } from "#form/editing/use-editing.ts";
import { FormScopeContext } from "#form/form-context.ts";
import type { KeptEntry } from "#form/kept.ts";
import { SaveBar } from "#form/SaveBar.tsx";
import { useCrumbs } from "#pages/collections/crumbs.ts";
import { startQuery } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import layout from "#ui/layout.module.css";
import { Slab } from "#ui/Slab.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { formSettingsWords } from "#words/form-settings.ts";
import { useWords } from "#words/language.ts";
import { settingsWords } from "#words/settings.ts";
import { DangerTab } from "./DangerTab.tsx";
import { formLabel } from "./forms/form-fields.ts";
import { readSetting } from "./read-setting.ts";
import { SettingTab } from "./SettingTabs.tsx";
import { errorPath, settingFields, settingsPlace, type TabId, tabIds, tabOfSetting } from "./setting-fields.ts";
import { SettingsContext } from "./setting-scope.ts";
import { fetchSettings, storedOf } from "./stored-settings.ts";

interface Props {
  collection: AdminCollection;
  opened: { stored: Stored; total: number; schema: SchemaRecord; kept: KeptEntry | undefined };
}

export function SettingsEditor({ collection, opened }: Props) {
  const { id, name } = collection;
  const { stored, schema } = opened;
  const words = useWords(settingsWords);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const tab = tabIds.find((one) => one === search.tab) ?? "general";

  const [begun] = useState(() =>
    beginEditing(stored, opened.kept, (path, values) => problemOf(path, values, words.nameRequired)),
  );
  const { store } = begun;
  // Texts of JSON as they are typed: they may be no JSON yet.
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const fields = useMemo(() => settingFields(words, choicesOf(schema, words)), [words, schema]);
  const ofForms = useWords(formSettingsWords);
  const labelOf = (path: string) =>
    path === "onSite" ? ofForms.onSite : (words.labels[path] ?? formLabel(path, ofForms) ?? path);

  const edited = useEditing({
    ...{ ...begun, isNew: false, kept: opened.kept, place: { collection: id, id: settingsPlace }, labelOf },
    title: () => words.title(name),
    check: () => {
      const problems = new Map<string, string>();
      const problem = problemOf("name", store.values(), words.nameRequired);
      if (problem !== undefined) problems.set("name", problem);
      for (const [path, text] of Object.entries(texts)) {
        const { problem: wrong } = readSetting(text, words);
        if (wrong !== undefined) problems.set(path, wrong);
      }
      return { problems };
    },
    send: async (sent, ifMatch) =>
      storedOf(
        await ask<JsonObject>(routes.patchCollectionSettings, { path: { collection: id }, body: sent, ifMatch }),
      ),
    read: () => fetchSettings(id),
    placeError: (setting, said) => [
      errorPath(setting, said[0] ?? "", fields),
      sentence(labelOf(setting), said, setting.startsWith("forms.")),
    ],
    onSaved: () => {
      setTexts({});
      for (const queryKey of [startQuery.queryKey, ["form", id]]) void queries.invalidateQueries({ queryKey });
    },
    onDiscard: () => setTexts({}),
  });

  const select = (next: string) =>
    void navigate({
      to: ".",
      search: (before: Search) => ({ ...before, tab: next === "general" ? undefined : next }),
      state: { keepFocus: true },
      replace: true,
      resetScroll: false,
    } as never);
  const goTo = (path: string) => {
    if (focusSetting(path)) return;
    select(tabOfSetting(path));
    requestAnimationFrame(() => requestAnimationFrame(() => focusSetting(path)));
  };

  const settings = useMemo(
    () => ({
      collection,
      schema,
      fields,
      texts,
      onText: (path: string, text: string) => {
        setTexts((before) => ({ ...before, [path]: text }));
        const { value, problem } = readSetting(text, words);
        if (problem === undefined) store.set(path, value);
      },
    }),
    [collection, schema, fields, texts, store, words],
  );

  const isSmall = useMediaQuery("(max-width: 639px)");
  const actions = (
    <>
      <EditingState edited={edited} />
      <SaveButton edited={edited} />
    </>
  );
  const tabLabels: Record<TabId, string> = { ...words, forms: ofForms.forms };
  return (
    <FormScopeContext value={edited.scope}>
      <Page title={words.title(name)} breadcrumbs={useCrumbs(collection)} actions={!isSmall && actions}>
        <div className={layout.page}>
          <EditingNotices edited={edited} labelOf={labelOf} onGo={goTo} />
          <Tabs
            label={words.tabs}
            tabs={tabIds.map((one) => ({ id: one, label: tabLabels[one] }))}
            selected={tab}
            onSelect={select}
          >
            {tab === "danger" ? (
              <DangerTab collection={collection} total={opened.total} onDeleted={edited.discard} />
            ) : (
              <Slab className={layout.slab}>
                <SettingsContext value={settings}>
                  <SettingTab tab={tab} />
                </SettingsContext>
              </Slab>
            )}
          </Tabs>
        </div>
        {isSmall && <SaveBar>{actions}</SaveBar>}
      </Page>
      <EditingQuestions
        edited={edited}
        unsaved={() => store.summary().dirty.length || brokenIn(texts, words).length}
        propertyOf={(setting) => ({
          ...(fields.name as (typeof fields)[string]),
          name: setting,
          label: labelOf(setting),
        })}
      />
    </FormScopeContext>
  );
}

/** "must be text" goes on from the label; a sentence stands alone. What is said of a form stands at its own field. */
function sentence(label: string, texts: readonly string[], isOfForm: boolean): string {
  if (isOfForm) return texts.map((text) => text.charAt(0).toUpperCase() + text.slice(1)).join(". ");
  return texts.map((text) => (/^[a-z]/.test(text) ? `${label}: ${text}` : text)).join(". ");
}

function problemOf(path: string, { name }: JsonObject, text: string): string | undefined {
  return path === "name" && String(name ?? "").trim() === "" ? text : undefined;
}

function brokenIn(texts: Readonly<Record<string, string>>, words: Parameters<typeof readSetting>[1]) {
  return Object.values(texts).filter((text) => readSetting(text, words).problem !== undefined);
}

function choicesOf({ index, properties }: SchemaRecord, words: { created: string; modified: string }) {
  const labelled = (property: string) => ({ value: property, label: properties[property]?.label || property });
  const stamps = [
    { value: "created", label: words.created },
    { value: "modified", label: words.modified },
  ];
  const isStamp = (property: string) => stamps.some(({ value }) => value === property);
  const sort = [...new Set(["id", ...index])].filter((property) => !isStamp(property));
  const dates = Object.keys(properties).filter(
    (property) => !isStamp(property) && /^date/.test(properties[property]?.type ?? properties[property]?.field ?? ""),
  );
  return { sort: [...sort.map(labelled), ...stamps], dates: [...dates.map(labelled), ...stamps] };
}

/** False when it is not shown. */
function focusSetting(path: string): boolean {
  const frame = document.querySelector<HTMLElement>(`[data-property="${CSS.escape(path)}"]`);
  const control = frame?.querySelector<HTMLElement>("input, textarea") ?? frame;
  control?.focus();
  control?.scrollIntoView({ block: "nearest" });
  return control !== null && control !== undefined;
}
