// The form of a collection's settings, in tabs: what is typed, saved, kept on this device, and asked before it is left.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import type { SchemaRecord } from "@contract/schemas.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Save } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { ErrorSummary, type Refusal } from "#form/ErrorSummary.tsx";
import { FormScopeContext, useSummary } from "#form/form-context.ts";
import { forget, type KeptEntry } from "#form/kept.ts";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { SaveBar } from "#form/SaveBar.tsx";
import { SaveState } from "#form/SaveState.tsx";
import { createFormStore, type FormStore } from "#form/store.ts";
import { useKept } from "#form/use-kept.ts";
import { useCrumbs } from "#pages/collections/crumbs.ts";
import { useCommand } from "#session/commands.ts";
import { useStart } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { newId } from "#ui/newId.ts";
import { Slab } from "#ui/Slab.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { formWords } from "#words/form.ts";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { settingsWords } from "#words/settings.ts";
import { DangerTab } from "./DangerTab.tsx";
import { readSetting } from "./read-setting.ts";
import { SettingsContext, SettingTab } from "./SettingTabs.tsx";
import {
  editedPart,
  errorPath,
  settingFields,
  settingsPlace,
  type TabId,
  tabIds,
  tabOfSetting,
} from "./setting-fields.ts";
import css from "./settings.module.css";
import { type StoredSettings, useSettingsSave } from "./use-settings-save.ts";

const ConflictDialog = lazy(() =>
  import("#form/conflict/ConflictDialog.tsx").then((part) => ({ default: part.ConflictDialog })),
);

interface Props {
  collection: AdminCollection;
  opened: { stored: StoredSettings; schema: SchemaRecord; kept: KeptEntry | undefined };
}

export function SettingsEditor({ collection, opened }: Props) {
  const { id, name } = collection;
  const { stored, schema } = opened;
  const words = useWords(settingsWords);
  const ofForms = useWords(formWords);
  const { user, site } = useStart();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const tab = tabIds.find((one) => one === search.tab) ?? "general";

  const [edited] = useState(() => begin(opened, (path, values) => problemOf(path, values, words.nameRequired)));
  const { store } = edited;
  const [formName] = useState(newId);
  const [kept, setKept] = useState(opened.kept);
  // Texts of JSON as they are typed: they may be no JSON yet.
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const fields = useMemo(() => settingFields(words, choicesOf(schema, words)), [words, schema]);
  const labelOf = (path: string) => words.labels[path] ?? path;

  const saving = useSettingsSave({
    collection,
    store,
    began: edited,
    labelOf,
    check: () => {
      const found = new Map<string, string>();
      const problem = problemOf("name", store.values(), words.nameRequired);
      if (problem !== undefined) found.set("name", problem);
      for (const [path, text] of Object.entries(texts)) {
        const { problem: wrong } = readSetting(text, words);
        if (wrong !== undefined) found.set(path, wrong);
      }
      return found;
    },
    placeOf: (setting, text) => errorPath(setting, text, fields),
    onSaved: () => setTexts({}),
  });
  const { save, isSaving, refusal, conflict } = saving;

  const where = useMemo(() => ({ user: user.id, collection: id, id: settingsPlace }), [user.id, id]);
  const { isUnkept, keepNow } = useKept({
    store,
    form: formName,
    place: where,
    etag: saving.etagNow,
    title: () => words.title(name),
    base: saving.baseNow,
    keptPart: (_setting, value) => value,
  });
  // What another form kept is this form's now.
  useEffect(() => {
    if (!kept) return;
    keepNow();
    forget(localStorage, kept.place, kept.form);
  }, [kept, keepNow]);
  const discard = () => {
    store.discard();
    keepNow();
    setKept(undefined);
    setTexts({});
    saving.clearRefusal();
  };

  useShortcut("mod+s", ofForms.save, () => void save());
  useCommand({ id: "save", label: ofForms.save, shortcut: "Ctrl+S", run: () => void save() });

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

  const scope = useMemo(
    () => ({
      store,
      isReadOnly: false,
      field: {
        collection: id,
        timezone: site.timezone,
        isNew: false,
        idSource: "",
        object: undefined,
        locales: site.locales,
        items: {},
        passwords: [],
        helpStyle: "",
        form: formName,
        isStored: () => true,
        takeOver: () => undefined,
      },
    }),
    [store, id, site, formName],
  );
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
  const saveState = <SaveState store={store} isNew={false} isSaving={isSaving} refusal={refusal} isUnkept={isUnkept} />;
  const saveButton = (
    <Button variant="primary" icon={Save} isPending={isSaving} onPress={() => void save()}>
      {ofForms.save}
    </Button>
  );
  const tabLabels: Record<TabId, string> = words;
  return (
    <FormScopeContext value={scope}>
      <Page
        title={words.title(name)}
        breadcrumbs={useCrumbs(collection)}
        actions={
          !isSmall && (
            <>
              {saveState}
              {saveButton}
            </>
          )
        }
      >
        <div className={css.page}>
          {kept && (
            <div role="status">
              <Notice tone="info" action={<Button onPress={discard}>{ofForms.discardChanges}</Button>}>
                {ofForms.broughtBack(formatDateTime(kept.at))}
              </Notice>
            </div>
          )}
          <Summary store={store} refusal={refusal} labelOf={labelOf} onGo={goTo} />
          <Tabs
            label={words.tabs}
            tabs={tabIds.map((one) => ({ id: one, label: tabLabels[one] }))}
            selected={tab}
            onSelect={select}
          >
            {tab === "danger" ? (
              <DangerTab collection={collection} total={Number(stored.data.totalObjects ?? 0)} onDeleted={discard} />
            ) : (
              <Slab className={css.slab}>
                <SettingsContext value={settings}>
                  <SettingTab tab={tab} />
                </SettingsContext>
              </Slab>
            )}
          </Tabs>
        </div>
        {isSmall && (
          <SaveBar>
            {saveState}
            {saveButton}
          </SaveBar>
        )}
      </Page>
      <LeaveGuard
        unsaved={() => store.summary().dirty.length || brokenIn(texts, words).length}
        text={ofForms.leaveText}
        onSave={save}
        onLeave={keepNow}
      />
      <Suspense>
        {conflict && (
          <ConflictDialog
            conflicts={conflict.conflicts}
            propertyOf={(setting) => ({
              ...(fields.name as (typeof fields)[string]),
              name: setting,
              label: labelOf(setting),
            })}
            isSaving={isSaving}
            onSave={(theirs, written) => void saving.resolveConflict(theirs, written)}
            onDiscard={saving.takeTheirs}
            onCancel={saving.cancelConflict}
          />
        )}
      </Suspense>
    </FormScopeContext>
  );
}

interface SummaryProps {
  store: FormStore;
  refusal: Refusal;
  labelOf: (path: string) => string;
  onGo: (path: string) => void;
}

function Summary({ store, refusal, labelOf, onGo }: SummaryProps) {
  const { errors } = useSummary(store);
  const links = [...errors].map(([path, text]) => ({ path, label: labelOf(path), text }));
  if (refusal.attempt === 0 || (links.length === 0 && refusal.text === "")) return null;
  return <ErrorSummary refusal={refusal} links={links} onGo={onGo} />;
}

interface Begun {
  store: FormStore;
  etag: string;
  ancestor: JsonObject | undefined;
}

/** Changes that were kept lie over what is stored. */
function begin({ stored, kept }: Props["opened"], check: Parameters<typeof createFormStore>[1]): Begun {
  const base = editedPart(stored.data);
  const store = createFormStore(base, check);
  if (!kept) return { store, etag: stored.etag, ancestor: undefined };
  store.lay(kept.changes);
  const isOlder = kept.etag !== stored.etag;
  return { store, etag: kept.etag, ancestor: isOlder ? { ...base, ...kept.base } : undefined };
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
