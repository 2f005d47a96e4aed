// The editor of a schema: its texts, its properties, the layout, all of it as JSON, and what the check finds.

import type { JsonObject } from "@contract/json.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CopyPlus, Save, Undo2 } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { FieldProperty } from "#fields/property.ts";
import { ErrorSummary, type Refusal } from "#form/ErrorSummary.tsx";
import { FormScopeContext, useSummary } from "#form/form-context.ts";
import { forget } from "#form/kept.ts";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { SaveBar } from "#form/SaveBar.tsx";
import { SaveState } from "#form/SaveState.tsx";
import type { FormStore } from "#form/store.ts";
import { useKept } from "#form/use-kept.ts";
import { useCommand } from "#session/commands.ts";
import { useCan, useStart } from "#session/start.ts";
import { type Crumb, Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { useShortcut } from "#shell/shortcuts.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { newId } from "#ui/newId.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { toast } from "#ui/toast.ts";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { formWords } from "#words/form.ts";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { AboutSchema } from "./AboutSchema.tsx";
import { CheckTab, useFindings } from "./CheckTab.tsx";
import { createDraft, DraftContext, type DraftStore, useDraft } from "./draft.ts";
import { type SchemaScope, SchemaScopeContext, useParents } from "./editor-context.ts";
import { keptPlace, type OpenedSchema } from "./opened-schema.ts";
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
const ConflictDialog = lazy(() =>
  import("#form/conflict/ConflictDialog.tsx").then((part) => ({ default: part.ConflictDialog })),
);

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
  const ofForms = useWords(formWords);
  const can = useCan();
  const { user, site, collections } = useStart();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const tab = tabIds.find((one) => one === search.tab) ?? "properties";
  const record = useDraft();
  const canUndo = useSyncExternalStore(store.subscribe, store.canUndo);
  const isBuiltIn = opened.all.some(({ name, isBuiltIn: is }) => is && name === id);
  const isPro = site.edition === "pro";
  const mayCreate = isPro && can("create", "schemas");
  const isReadOnly = isBuiltIn || !isPro || !can(id === undefined ? "create" : "update", "schemas");
  const [formName] = useState(newId);
  const [kept, setKept] = useState(opened.kept);
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

  const saving = useSchemaSave({
    store,
    id,
    began: keptBegin(opened),
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
      setKept(undefined);
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
  });
  const { save, isSaving, refusal } = saving;

  const place = useMemo(() => ({ user: user.id, collection: keptPlace, id: id ?? "-new" }), [user.id, id]);
  const { isUnkept, keepNow } = useKept({
    store: form,
    form: formName,
    place,
    etag: saving.etagNow,
    title: () => store.record().title || store.record().id,
    base: saving.baseNow,
    keptPart: (_part, value) => value,
  });
  // What another form kept is this form's now.
  useEffect(() => {
    if (!kept) return;
    keepNow();
    forget(localStorage, kept.place, kept.form);
  }, [kept, keepNow]);
  const discard = () => {
    form.discard();
    store.forgetSteps();
    keepNow();
    setKept(undefined);
    setTexts({});
    saving.clearRefusal();
  };
  const undo = () => {
    setTexts({});
    if (store.undo() !== undefined) toast.good(words.undone);
  };

  useShortcut("mod+s", ofForms.save, () => void save(), { when: !isReadOnly });
  useCommand(isReadOnly ? undefined : { id: "save", label: ofForms.save, shortcut: "Ctrl+S", run: () => void save() });

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
    onRenamed: (from, to) => void saving.takeRenamed(from, to).then(() => select({ property: to })),
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
  const saveState = !isReadOnly && (
    <SaveState store={form} isNew={id === undefined} isSaving={isSaving} refusal={refusal} isUnkept={isUnkept} />
  );
  const undoButton = canUndo && (
    <Button variant="quiet" icon={Undo2} onPress={undo}>
      {words.undo}
    </Button>
  );
  const saveButton = !isReadOnly && (
    <Button variant="primary" icon={Save} isPending={isSaving} onPress={() => void save()}>
      {ofForms.save}
    </Button>
  );
  const duplicate = () => void navigate({ to: "/admin/schemas/-new", search: { from: id } } as never);
  const fieldScope = useMemo(() => fieldScopeOf(form, site, formName), [form, site, formName]);
  return (
    <FormScopeContext value={fieldScope}>
      <SchemaScopeContext value={scope}>
        <Page
          title={id === undefined ? words.newSchema : title}
          breadcrumbs={breadcrumbs}
          status={isBuiltIn && <Badge>{words.builtIn}</Badge>}
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
            {kept && (
              <div role="status">
                <Notice tone="info" action={<Button onPress={discard}>{ofForms.discardChanges}</Button>}>
                  {ofForms.broughtBack(formatDateTime(kept.at))}
                </Notice>
              </div>
            )}
            {id === undefined && opened.copyOf !== "" && <Notice tone="info">{words.copyNote(opened.copyOf)}</Notice>}
            {isReadOnly && (
              <Notice tone="info">
                {isBuiltIn ? words.readOnlyBuiltIn : isPro ? words.readOnly : words.edition(site.edition)}
              </Notice>
            )}
            <Summary store={form} refusal={refusal} labelOf={labelOf} onGo={goTo} />
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
        {!isReadOnly && (
          <LeaveGuard
            unsaved={() => form.summary().dirty.length || brokenIn(texts, record.properties).length}
            text={ofForms.leaveText}
            onSave={save}
            onLeave={keepNow}
          />
        )}
        <Suspense>
          {saving.review && <ReviewDialog title={title} plan={saving.review.plan} onAnswer={saving.review.answer} />}
          {saving.conflict && (
            <ConflictDialog
              conflicts={saving.conflict}
              propertyOf={(part) => conflictProperty(part, labelOf(part))}
              isSaving={isSaving}
              onSave={(theirs, written) => void saving.resolveConflict(theirs, written)}
              onDiscard={saving.takeTheirs}
              onCancel={saving.cancelConflict}
            />
          )}
        </Suspense>
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

interface SummaryProps {
  store: FormStore;
  refusal: Refusal;
  labelOf: (part: string) => string;
  onGo: (part: string) => void;
}

function Summary({ store, refusal, labelOf, onGo }: SummaryProps) {
  const { errors } = useSummary(store);
  const links = [...errors].map(([path, text]) => ({ path, label: labelOf(path), text }));
  if (refusal.attempt === 0 || (links.length === 0 && refusal.text === "")) return null;
  return <ErrorSummary refusal={refusal} links={links} onGo={onGo} />;
}

/** Changes that were kept lie over what is stored. */
function begin({ begun, kept }: OpenedSchema): DraftStore {
  const store = createDraft(begun);
  if (kept) store.form.lay(kept.changes);
  return store;
}

function keptBegin({ stored, begun, kept }: OpenedSchema): { etag: string; ancestor: JsonObject | undefined } {
  if (!kept) return { etag: stored?.etag ?? "", ancestor: undefined };
  const isOlder = kept.etag !== stored?.etag;
  return { etag: kept.etag, ancestor: isOlder ? { ...createDraft(begun).form.base(), ...kept.base } : undefined };
}

/** For the dialog of conflicts: texts as they are, all else as JSON. */
function conflictProperty(part: string, label: string): FieldProperty {
  const isText = ["title", "description", "category", "formgrid"].includes(part);
  const kind = isText ? "textarea" : "json";
  return {
    ...{ name: part, label, kind, type: isText ? "string" : "json", definition: { field: kind }, settings: {} },
    ...{ isRequired: false, lock: undefined, visibility: undefined, maxLength: undefined },
  };
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
