// The editor of a schema: its texts, its properties, the layout, all of it as JSON, and what the check finds.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { CopyPlus, Undo2 } from "lucide-react";
import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from "react";
import { EditingNotices, EditingQuestions, EditingState, SaveButton } from "#form/editing/EditingParts.tsx";
import { plainProperty } from "#form/editing/plain-property.ts";
import { FormScopeContext } from "#form/form-context.ts";
import { SaveBar } from "#form/SaveBar.tsx";
import type { FormStore } from "#form/store.ts";
import { useCan, useStart } from "#session/start.ts";
import { type Crumb, Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { toast } from "#ui/toast.ts";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { AboutSchema } from "./AboutSchema.tsx";
import { CheckTab, useFindings } from "./CheckTab.tsx";
import { createDraft, DraftContext, type DraftStore, useDraft } from "./draft.ts";
import { type SchemaScope, SchemaScopeContext, useParents } from "./editor-context.ts";
import type { OpenedSchema } from "./opened-schema.ts";
import { namesIn, propertyOfPart } from "./parts.ts";
import { nameForm } from "./properties/edit.ts";
import { PropertiesTab } from "./properties/PropertiesTab.tsx";
import { SchemaActions } from "./SchemaActions.tsx";
import { usesOf } from "./schema-queries.ts";
import css from "./schemas.module.css";
import { UsedBy } from "./UsedBy.tsx";
import { useSchemaSave } from "./use-schema-save.ts";

const JsonTab = lazy(() => import("./JsonTab.tsx").then((part) => ({ default: part.JsonTab })));
const LayoutPart = lazy(() => import("./LayoutPart.tsx").then((part) => ({ default: part.LayoutPart })));
const ReviewDialog = lazy(() => import("./ReviewDialog.tsx").then((part) => ({ default: part.ReviewDialog })));
/** Parts that are plain text. */
const texted = new Set(["title", "description", "category", "formgrid"]);
const tabIds = ["properties", "layout", "json", "check"] as const;
type TabId = (typeof tabIds)[number];
const idForm = /^[a-z0-9]+(?:[-_]+[a-z0-9]+)*$/;

interface Props {
  /** Undefined: it is new. */
  id: string | undefined;
  opened: OpenedSchema;
  breadcrumbs: Crumb[];
  onMade: (id: string) => void;
}

export function SchemaEditor(props: Props) {
  const [store] = useState(() => begin(props.opened));
  return (
    <DraftContext value={store}>
      <Editor {...props} store={store} />
    </DraftContext>
  );
}

function Editor({ id, opened, breadcrumbs, onMade, store }: Props & { store: DraftStore }) {
  const { form } = store;
  const words = useWords(schemasWords);
  const can = useCan();
  const { site, collections } = useStart();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const tab = tabIds.find((one) => one === search.tab) ?? "properties";
  const record = useDraft();
  const canUndo = useSyncExternalStore(store.subscribe, store.canUndo);
  const { isBuiltIn: isOurs = false, extension = null } = opened.all.find(({ name }) => name === id) ?? {};
  /** Of the service or of an extension. */
  const isBuiltIn = isOurs || extension !== null;
  const readOnlyText = extension === null ? words.readOnlyBuiltIn : words.readOnlyExtension(extension);
  const isPro = site.edition === "pro";
  const mayCreate = isPro && can("create", "schemas");
  const isReadOnly = isBuiltIn || !isPro || !can(id === undefined ? "create" : "update", "schemas");
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const labelOf = (part: string) => {
    const name = propertyOfPart(part);
    return name === undefined ? (words.partLabels[part] ?? part) : words.propertyPart(name);
  };

  const select = (change: { tab?: TabId; property?: string }) =>
    void navigate({
      to: ".",
      search: (before: Search) => ({
        ...before,
        ...change,
        ...(change.tab && { tab: change.tab === "properties" ? undefined : change.tab }),
      }),
      state: { keepFocus: true },
      replace: true,
      resetScroll: false,
    } as never);

  const { edited, review, takeRenamed } = useSchemaSave({
    store,
    id,
    opened,
    isReadOnly,
    labelOf,
    check: () => {
      const problems = new Map<string, string>();
      const { id: written, properties } = store.record();
      if (written === "") problems.set("id", words.idRequired);
      else if (id === undefined && (written.length > 100 || !idForm.test(written))) problems.set("id", words.idForm);
      for (const name of Object.keys(properties))
        if (!nameForm.test(name)) problems.set(`property ${name}`, words.nameForm);
      return { problems, text: brokenIn(texts, properties).length > 0 ? words.jsonBroken : "" };
    },
    onSaved: (saved) => {
      if (id !== undefined) return;
      onMade(saved);
      void navigate({
        to: "/admin/schemas/$id",
        params: { id: saved },
        search: (before: Search) => ({ ...before, from: undefined }),
        state: { keepFocus: true },
        replace: true,
        resetScroll: false,
        ignoreBlocker: true,
      } as never);
    },
    onDiscard: () => setTexts({}),
  });
  const { form: formName, discard } = edited;
  const undo = () => {
    setTexts({});
    if (store.undo() !== undefined) toast.good(words.undone);
  };

  const parents = useParents(record.inheritFrom ?? []);
  const names = Object.keys(record.properties);
  const selected = search.property ?? names[0] ?? "";
  const storedNames = form.base().properties;
  const scope: SchemaScope = {
    id,
    isReadOnly,
    all: opened.all,
    parents,
    texts,
    onText: (where, text) =>
      setTexts(({ [where]: _, ...others }) => (text === undefined ? others : { ...others, [where]: text })),
    saved: useMemo(() => new Set(id === undefined ? [] : namesIn(storedNames)), [id, storedNames]),
    onRenamed: (from, to) => void takeRenamed(from, to).then(() => select({ property: to })),
    selected,
    onSelect: (name) => select({ property: name }),
  };
  const findings = useFindings(record);
  const use = usesOf(id ?? "", collections, opened.all);
  const isUsed = use.collections.length + use.schemas.length > 0;
  const goTo = (part: string) => {
    const property = propertyOfPart(part);
    if (property === undefined) {
      document.querySelector<HTMLElement>(`[data-part="${CSS.escape(part)}"] :is(input, textarea)`)?.focus();
      return;
    }
    select({ tab: "properties", property });
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("schema-property")?.focus()));
  };

  const isSmall = useMediaQuery("(max-width: 639px)");
  const title = record.title || record.id;
  const saveState = <EditingState edited={edited} />;
  const undoButton = canUndo && (
    <Button variant="quiet" icon={Undo2} onPress={undo}>
      {words.undo}
    </Button>
  );
  const saveButton = <SaveButton edited={edited} />;
  const duplicate = () => void navigate({ to: "/admin/schemas/-new", search: { from: id } } as never);
  const fieldScope = useMemo(() => fieldScopeOf(form, site, formName), [form, site, formName]);
  return (
    <FormScopeContext value={fieldScope}>
      <SchemaScopeContext value={scope}>
        <Page
          title={id === undefined ? words.newSchema : title}
          breadcrumbs={breadcrumbs}
          status={isBuiltIn && <Badge>{extension ?? words.builtIn}</Badge>}
          actions={
            <>
              {!isSmall && saveState}
              {!isSmall && undoButton}
              {id !== undefined && (
                <SchemaActions
                  id={id}
                  title={title}
                  use={use}
                  isReadOnly={isReadOnly}
                  mayDelete={!isBuiltIn && isPro && can("delete", "schemas")}
                  onDuplicate={mayCreate ? duplicate : undefined}
                  onDiscard={discard}
                />
              )}
              {isBuiltIn && mayCreate && (
                <Button variant="primary" icon={CopyPlus} onPress={duplicate}>
                  {words.duplicate}
                </Button>
              )}
              {!isSmall && saveButton}
            </>
          }
        >
          <div className={css.page}>
            <EditingNotices edited={edited} labelOf={labelOf} onGo={goTo} />
            {id === undefined && opened.copyOf !== "" && <Notice tone="info">{words.copyNote(opened.copyOf)}</Notice>}
            {isReadOnly && (
              <Notice tone="info">
                {isBuiltIn ? readOnlyText : isPro ? words.readOnly : words.edition(site.edition)}
              </Notice>
            )}
            {isUsed && (
              <p className={css.used}>
                {words.usedBy("")}
                <UsedBy use={use} />
              </p>
            )}
            <AboutSchema />
            <Tabs
              label={words.tabs}
              tabs={[
                { id: "properties", label: words.propertiesTab, badge: names.length },
                { id: "layout", label: words.layoutTab },
                { id: "json", label: words.jsonTab },
                {
                  id: "check",
                  label: words.checkTab,
                  ...(findings.list.length > 0 && { badge: findings.list.length }),
                },
              ]}
              selected={tab}
              onSelect={(next) => select({ tab: next as TabId })}
            >
              <Suspense fallback={<Skeleton height="16rem" />}>
                {tab === "properties" && <PropertiesTab />}
                {tab === "layout" && <LayoutPart />}
                {tab === "json" && <JsonTab />}
                {tab === "check" && <CheckTab findings={findings} onGo={(property) => goTo(`property ${property}`)} />}
              </Suspense>
            </Tabs>
          </div>
          {isSmall && !isReadOnly && (
            <SaveBar>
              {saveState}
              {undoButton}
              {saveButton}
            </SaveBar>
          )}
        </Page>
        <EditingQuestions
          edited={edited}
          unsaved={() => form.summary().dirty.length || brokenIn(texts, record.properties).length}
          propertyOf={(part) => plainProperty(part, labelOf(part), { isText: texted.has(part) })}
        />
        <Suspense>{review && <ReviewDialog title={title} plan={review.plan} onAnswer={review.answer} />}</Suspense>
      </SchemaScopeContext>
    </FormScopeContext>
  );
}

/** Texts that are no JSON yet; those of properties that are gone do not count. */
function brokenIn(texts: SchemaScope["texts"], properties: object): string[] {
  return Object.keys(texts).filter(
    (place) => Object.hasOwn(properties, propertyOfPart(place) ?? "") || place === "json",
  );
}

/** Changes that were kept lie over what is stored. */
function begin({ begun, kept }: OpenedSchema): DraftStore {
  const store = createDraft(begun);
  if (kept) store.form.lay(kept.changes);
  return store;
}

function fieldScopeOf(store: FormStore, site: { timezone: string; locales: string[] }, form: string) {
  return {
    store,
    isReadOnly: false,
    field: {
      ...{ collection: "", timezone: site.timezone, isNew: true, idSource: "", object: undefined },
      ...{ locales: site.locales, items: {}, passwords: [], helpStyle: "", form },
      isStored: () => false,
      takeOver: () => undefined,
    },
  };
}
