// The form of one object: what is typed, saved, kept on this device, brought back, and asked before it is left.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileCheck, FilePen } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { loadCodeEditor } from "#editor/code/code-editor.ts";
import { type FieldProperty, isKept, readProperty, shownProperties } from "#fields/property.ts";
import { countWaiting, dropUploads, releaseUploads, useStoredUploads } from "#files/upload-hub.ts";
import { ConflictDialog } from "#form/ConflictDialog.tsx";
import { ErrorSummary, type SummaryLink } from "#form/ErrorSummary.tsx";
import { FormLayout } from "#form/FormLayout.tsx";
import { FormScopeContext, useFieldState, useSummary } from "#form/form-context.ts";
import { forget } from "#form/kept.ts";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { problemText } from "#form/problem-text.ts";
import { SaveState } from "#form/SaveState.tsx";
import { useKept } from "#form/use-kept.ts";
import { validateAll, validateProperty } from "#form/validate.ts";
import { isPlaceStored, topOf } from "#form/values.ts";
import { useCan, useStart } from "#session/start.ts";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { Notice } from "#ui/Notice.tsx";
import { newId as uniqueId } from "#ui/newId.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { fieldWords } from "#words/fields.ts";
import { formWords } from "#words/form.ts";
import { formatDateTime, formatTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { About, AboutButton } from "./About.tsx";
import { crumbsOf } from "./crumbs.ts";
import { editObject } from "./edited-object.ts";
import { ObjectActions } from "./ObjectActions.tsx";
import css from "./object.module.css";
import { newId, type OpenedObject } from "./open-object.ts";
import { useObjectSave } from "./use-object-save.ts";

const JsonTab = lazy(async () => {
  void loadCodeEditor();
  return { default: (await import("./JsonTab.tsx")).JsonTab };
});

/** The path of errors in the JSON text. */
const jsonPath = "-json";

interface Props {
  collection: AdminCollection;
  /** undefined: it is new. */
  id: string | undefined;
  opened: OpenedObject;
  /** A new object got its id. */
  onMade: (id: string) => void;
}

export function ObjectEditor({ collection, id, opened, onMade }: Props) {
  const words = useWords(formWords);
  const ofFields = useWords(fieldWords);
  const { user, site } = useStart();
  const can = useCan();
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  const isNew = id === undefined;
  const { form } = opened;
  const { schema } = form;
  const properties = useMemo(() => shownProperties(schema, isNew), [schema, isNew]);
  const isReadOnly = !isNew && !can("update", { objects: collection.id });

  const [edited] = useState(() =>
    editObject({
      ...opened,
      kept: isReadOnly ? undefined : opened.kept,
      problemOf: (property, values) => {
        const problem = validateProperty(property, values, { isNew: opened.object === undefined });
        return problem && problemText(ofFields, problem, property.label);
      },
    }),
  );
  const { store } = edited;
  const [formName] = useState(uniqueId);
  const [keptOf, setKeptOf] = useState(isReadOnly ? undefined : opened.kept);
  const [jsonText, setJsonText] = useState<string>();
  const [jsonError, setJsonError] = useState("");
  const tab = search.tab === "json" ? "json" : "form";

  const propertyOf = useCallback((name: string) => readAny(form.schema, name, isNew), [form, isNew]);
  const labelOf = useCallback((name: string) => propertyOf(name).label, [propertyOf]);
  const titleOf = useCallback(
    (values: JsonObject) => {
      const title = values[form.titleProperty];
      return typeof title === "string" && title.trim() !== "" ? title : String(values.id ?? "");
    },
    [form],
  );

  const isStored = useCallback(
    (path: string) => isPlaceStored({ base: store.base(), values: store.values() }, path),
    [store],
  );
  useEffect(() => () => dropUploads(formName), [formName]);

  const saving = useObjectSave({
    edited,
    collection,
    id,
    check: () => {
      const found = validateAll(properties, store.values(), { isNew });
      const texts = new Map([...found].map(([name, problem]) => [name, problemText(ofFields, problem, labelOf(name))]));
      return jsonError === "" ? texts : new Map([[jsonPath, jsonError], ...texts]);
    },
    labelOf,
    isTheirs: (name) => properties.some((property) => property.name === name && property.lock === undefined),
    onCreated: (made) => {
      onMade(made);
      void navigate({
        to: "/admin/collections/$collection/$id",
        params: { collection: collection.id, id: made },
        search: (before: Search) => before,
        state: { keepFocus: true },
        replace: true,
        ignoreBlocker: true,
      });
    },
    onSaved: (made) => releaseUploads(formName, made, isStored),
  });
  const { save, isSaving, refusal, conflict } = saving;
  useStoredUploads(collection.id, id, ({ target, request, stored }) =>
    saving.takeOver(topOf(target.path), stored, { path: target.path, merge: request.merge }),
  );

  const place = useMemo(() => ({ user: user.id, collection: collection.id, id: id ?? newId }), [user, collection, id]);
  const { isUnkept, keepNow } = useKept({
    store,
    form: formName,
    place,
    etag: saving.etagNow,
    title: () => titleOf(store.values()),
    mayKeep: (name) => !isReadOnly && isKept(propertyOf(name)),
  });
  // What another form kept is this form's now.
  useEffect(() => {
    if (!keptOf) return;
    keepNow();
    forget(localStorage, keptOf.place, keptOf.form);
  }, [keptOf, keepNow]);

  const discard = useCallback(() => {
    store.discard();
    keepNow();
    setKeptOf(undefined);
    setJsonText(undefined);
    setJsonError("");
    saving.clearRefusal();
  }, [store, keepNow, saving.clearRefusal]);

  const changeJsonError = (error: string) => {
    setJsonError(error);
    const { errors } = store.summary();
    if (!errors.has(jsonPath)) return;
    const others = [...errors].filter(([path]) => path !== jsonPath);
    store.setErrors(new Map(error === "" ? others : [[jsonPath, error], ...others]));
  };
  const select = (next: string) => {
    if (jsonError !== "") return;
    setJsonText(undefined);
    void navigate({
      to: ".",
      search: (before: Search) => ({ ...before, tab: next === "form" ? undefined : next }),
      state: { keepFocus: true },
      replace: true,
      resetScroll: false,
    });
  };
  const goTo = (path: string) => {
    const isThere = focusField(topOf(path));
    if (!isThere) select(path === jsonPath ? "json" : "form");
    if (!isThere) requestAnimationFrame(() => focusField(topOf(path)));
  };

  const scope = useMemo(
    () => ({
      store,
      isReadOnly,
      field: {
        collection: collection.id,
        timezone: site.timezone,
        isNew,
        idSource: idSourceOf(properties, schema),
        object: id,
        locales: site.locales,
        items: form.items,
        passwords: form.passwords,
        helpStyle: String(form.form.helpStyle ?? ""),
        form: formName,
        isStored: (path: string) => id !== undefined && isStored(path),
        takeOver: saving.takeOver,
      },
    }),
    [store, isReadOnly, collection, site, isNew, id, properties, schema, form, formName, isStored, saving.takeOver],
  );
  const base = useFieldState(store, form.titleProperty).base;
  const title = isNew
    ? words.newTitle(collection.labelSingular)
    : titleOf({ ...store.base(), [form.titleProperty]: base ?? null });
  const isSmall = useMediaQuery("(max-width: 639px)");
  const hasSide = useMediaQuery("(min-width: 1200px)");
  const isRefused = refusal.attempt > 0;

  const saveState = <SaveState store={store} isNew={isNew} isSaving={isSaving} refusal={refusal} isUnkept={isUnkept} />;
  const actions = (
    <ObjectActions
      collection={collection}
      id={id}
      form={form}
      store={store}
      title={title}
      isReadOnly={isReadOnly}
      isSaving={isSaving}
      save={save}
      onDiscard={discard}
      etagNow={saving.etagNow}
    />
  );
  const about = !isNew && <About collection={collection} form={form} store={store} />;

  return (
    <FormScopeContext value={scope}>
      <Page
        title={title}
        breadcrumbs={crumbsOf(collection, words.content)}
        status={<DraftBadge store={store} isShown={schema.properties.draft !== undefined && !isNew} />}
        actions={
          !isSmall && (
            <>
              {!isReadOnly && saveState}
              {actions}
            </>
          )
        }
      >
        <div className={about && hasSide ? css.columns : css.column}>
          <div className={css.main}>
            {keptOf && (
              <div role="status">
                <Notice tone="info" action={<Button onPress={discard}>{words.discardChanges}</Button>}>
                  {words.broughtBack(timeOf(keptOf.at))}
                </Notice>
              </div>
            )}
            {isRefused && (
              <Summary store={store} refusal={refusal} labelOf={labelOf} jsonLabel={words.json} onGo={goTo} />
            )}
            <Tabs
              label={words.views}
              tabs={[
                { id: "form", label: words.formTab },
                { id: "json", label: words.jsonTab },
              ]}
              selected={tab}
              onSelect={select}
            >
              <Slab className={css.slab}>
                {tab === "form" ? (
                  <FormLayout properties={properties} formgrid={schema.formgrid} />
                ) : (
                  <Suspense fallback={<Skeleton height="50vh" />}>
                    <JsonTab
                      store={store}
                      schema={schema}
                      isNew={isNew}
                      isReadOnly={isReadOnly}
                      text={jsonText}
                      error={jsonError}
                      onText={setJsonText}
                      onError={changeJsonError}
                    />
                  </Suspense>
                )}
              </Slab>
            </Tabs>
            {about && !hasSide && <AboutButton>{about}</AboutButton>}
          </div>
          {about && hasSide && (
            <aside className={css.side} aria-label={words.about}>
              <Slab>
                <h2 className={css.sideTitle}>{words.about}</h2>
                {about}
              </Slab>
            </aside>
          )}
        </div>
        {isSmall && (
          <div className={css.bar}>
            {!isReadOnly && saveState}
            {actions}
          </div>
        )}
      </Page>
      {!isReadOnly && (
        <LeaveGuard
          unsaved={() => (jsonError === "" ? 0 : 1) || store.summary().dirty.length + countWaiting(formName)}
          text={words.leaveText}
          onSave={save}
          onLeave={keepNow}
        />
      )}
      {conflict && (
        <ConflictDialog
          conflicts={conflict.conflicts}
          propertyOf={propertyOf}
          isSaving={isSaving}
          onSave={(theirs) => void saving.resolveConflict(theirs)}
          onDiscard={saving.takeTheirs}
          onCancel={saving.cancelConflict}
        />
      )}
    </FormScopeContext>
  );
}

interface SummaryProps {
  store: ReturnType<typeof editObject>["store"];
  refusal: Parameters<typeof ErrorSummary>[0]["refusal"];
  labelOf: (name: string) => string;
  jsonLabel: string;
  onGo: (path: string) => void;
}

function Summary({ store, refusal, labelOf, jsonLabel, onGo }: SummaryProps) {
  const { errors } = useSummary(store);
  const links: SummaryLink[] = [...errors].map(([path, text]) => ({
    path,
    label: path === jsonPath ? jsonLabel : labelOf(topOf(path)),
    text,
  }));
  if (links.length === 0 && refusal.text === "") return null;
  return <ErrorSummary refusal={refusal} links={links} onGo={onGo} />;
}

function DraftBadge({ store, isShown }: { store: ReturnType<typeof editObject>["store"]; isShown: boolean }) {
  const words = useWords(formWords);
  const { base } = useFieldState(store, "draft");
  if (!isShown) return null;
  return base === true ? (
    <Badge tone="warn" icon={FilePen}>
      {words.draft}
    </Badge>
  ) : (
    <Badge tone="good" icon={FileCheck}>
      {words.published}
    </Badge>
  );
}

/** Also of a property that the schema does not have: the server may name one. */
function readAny(schema: OpenedObject["form"]["schema"], name: string, isNew: boolean): FieldProperty {
  const known = Object.hasOwn(schema.properties, name);
  return readProperty(known ? schema : { ...schema, properties: { [name]: {} } }, name, isNew);
}

/** Label of the property that ids are made from. */
function idSourceOf(
  properties: readonly FieldProperty[],
  { properties: defined }: OpenedObject["form"]["schema"],
): string {
  const autogen = defined.id?.settings?.autogen;
  const named = typeof autogen === "string" ? /\$\{([^{}]*)\}/.exec(autogen)?.[1]?.trim() : undefined;
  const source = [named, "title", "name"].find((name) => name !== undefined && Object.hasOwn(defined, name));
  return properties.find(({ name }) => name === source)?.label ?? "";
}

/** The first control of a field; false when the field is not shown. */
function focusField(name: string): boolean {
  const selector = name === jsonPath ? "[data-json]" : `[data-property="${CSS.escape(name)}"]`;
  const frame = document.querySelector<HTMLElement>(selector);
  const control = frame?.querySelector<HTMLElement>("input, textarea, [role=textbox], [role=spinbutton]") ?? frame;
  control?.focus();
  control?.scrollIntoView({ block: "nearest" });
  return control !== null && control !== undefined;
}

/** The hour alone for today, else the day too. */
function timeOf(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatTime(at) : formatDateTime(at);
}
