// The form of one object: what is typed, saved, kept on this device, brought back, and asked before it is left.

import type { AdminCollection } from "@contract/admin.ts";
import type { JsonObject } from "@contract/json.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { loadCodeEditor } from "#editor/code/code-editor.ts";
import { refusedIn } from "#elements/busy.ts";
import { type FieldProperty, isKept, readProperty, shownProperties } from "#fields/property.ts";
import { countWaiting, dropUploads, releaseUploads, useStoredUploads } from "#files/upload-hub.ts";
import { FormLayout } from "#form/FormLayout.tsx";
import { goToField } from "#form/focus-field.ts";
import { FormScopeContext, type Origins, OriginsContext, useBase } from "#form/form-context.ts";
import { innerForms } from "#form/inner/inner-forms.tsx";
import { forget } from "#form/kept.ts";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { problemText } from "#form/problem-text.ts";
import { SaveBar } from "#form/SaveBar.tsx";
import { SaveState } from "#form/SaveState.tsx";
import { keptPart, labelsOf, placeOf, type Shape } from "#form/shape.ts";
import { useKept } from "#form/use-kept.ts";
import { validateAll, validateProperty } from "#form/validate.ts";
import { isPlaceStored, topOf } from "#form/values.ts";
import { useCan, useStart } from "#session/start.ts";
import { linkProps } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
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
import { editObject } from "./edited-object.ts";
import { ObjectActions } from "./ObjectActions.tsx";
import { DraftBadge, Summary } from "./ObjectState.tsx";
import css from "./object.module.css";
import { useObjectPages } from "./object-pages.ts";
import { newId, type OpenedObject } from "./open-object.ts";
import { useNeighbours } from "./together/use-neighbours.ts";
import { usePresence } from "./together/use-presence.ts";
import { useObjectSave } from "./use-object-save.ts";

const AboutButton = lazy(async () => ({ default: (await import("./AboutButton.tsx")).AboutButton }));
const SidePanel = lazy(() => import("./SidePanel.tsx").then((part) => ({ default: part.SidePanel })));
const loadOthers = () => import("./together/Others.tsx");
const Others = lazy(async () => ({ default: (await loadOthers()).Others }));
const NewerNotice = lazy(async () => ({ default: (await loadOthers()).NewerNotice }));
const ConflictDialog = lazy(() =>
  import("#form/conflict/ConflictDialog.tsx").then((part) => ({ default: part.ConflictDialog })),
);

const JsonTab = lazy(async () => {
  void loadCodeEditor();
  return { default: (await import("./JsonTab.tsx")).JsonTab };
});

const PreviewPane = lazy(() => import("./preview/PreviewPane.tsx").then((part) => ({ default: part.PreviewPane })));

const OriginsOf = lazy(async () => ({ default: (await import("./OriginsOf.tsx")).OriginsOf }));
const AnyVersions = lazy(async () => ({ default: (await import("./versions/AnyVersions.tsx")).AnyVersions }));

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
  const pages = useObjectPages(collection);
  const isNew = id === undefined;
  const { form } = opened;
  const { schema } = form;
  const { hides } = pages;
  const properties = useMemo(
    () => shownProperties(schema, isNew).filter(({ name }) => !hides?.includes(name)),
    [schema, isNew, hides],
  );
  const shape = useMemo<Shape>(() => ({ ...form, isNew }), [form, isNew]);
  const isReadOnly = !isNew && !can("update", { objects: collection.id });

  const [edited] = useState(() =>
    editObject({
      ...opened,
      fresh: pages.fresh,
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
  const [isPreviewed, setIsPreviewed] = useState(false);
  const hasVersions = !isNew && !isReadOnly;
  const tab = search.tab === "json" || (search.tab === "versions" && hasVersions) ? search.tab : "form";

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
      const found = validateAll(properties, store.values(), shape);
      const ownLabel = (path: string) => placeOf(shape, path)?.property.label ?? path;
      const texts = new Map(
        [...found].map(([path, problem]) => [path, problemText(ofFields, problem, ownLabel(path))]),
      );
      for (const [path, text] of refusedIn(formName)) if (!texts.has(path)) texts.set(path, text);
      return jsonError === "" ? texts : new Map([[jsonPath, jsonError], ...texts]);
    },
    labelOf,
    isTheirs: (name) => properties.some((property) => property.name === name && property.lock === undefined),
    onCreated: (made) => {
      onMade(made);
      void navigate({
        ...linkProps(pages.object(made)),
        search: (before: Search) => before,
        state: { keepFocus: true },
        replace: true,
        ignoreBlocker: true,
      });
    },
    onShow: (property) => goTo(property),
    onSaved: (made) => releaseUploads(formName, made, isStored),
  });
  const { save, isSaving, refusal, conflict } = saving;
  const presence = usePresence({ collection: collection.id, id, store, etag: saving.etagNow });
  useNeighbours(collection.id, id, pages.object);
  useStoredUploads(collection.id, id, ({ target, request, stored }) =>
    saving.takeOver(topOf(target.path), stored, { path: target.path, merge: request.merge }),
  );

  const place = useMemo(() => ({ user: user.id, collection: collection.id, id: id ?? newId }), [user, collection, id]);
  const { isUnkept, keepNow } = useKept({
    store,
    form: formName,
    place,
    etag: saving.etagNow,
    base: saving.baseNow,
    title: () => titleOf(store.values()),
    keptPart: (name, value) => {
      const property = propertyOf(name);
      return isReadOnly || !isKept(property) ? undefined : keptPart(property, value, form.items);
    },
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
    const isThere = path === jsonPath ? focusJson() : goToField(path);
    if (isThere) return;
    select(path === jsonPath ? "json" : (pages.tabOf?.(path) ?? "form"));
    requestAnimationFrame(() => (path === jsonPath ? focusJson() : goToField(path)));
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
        helpOnHover: form.form.helpOnHover === true,
        helpOnFocus: form.form.helpOnFocus === true,
        form: formName,
        isStored: (path: string) => id !== undefined && isStored(path),
        takeOver: saving.takeOver,
        inner: innerForms,
      },
    }),
    [store, isReadOnly, collection, site, isNew, id, properties, schema, form, formName, isStored, saving.takeOver],
  );
  const [origins, setOrigins] = useState<Origins>();
  const base = useBase(store, form.titleProperty);
  const title = isNew ? pages.newTitle : titleOf({ ...store.base(), [form.titleProperty]: base ?? null });
  const shown = id === undefined ? undefined : { id, title, stored: store.base() };
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
      onPreview={form.url !== "" && !isNew ? () => setIsPreviewed((before) => !before) : undefined}
      isPreviewed={isPreviewed}
    />
  );
  const { Views } = pages;
  const pane = isPreviewed && id !== undefined && (
    <Suspense fallback={<Skeleton height="60vh" />}>
      <PreviewPane
        collection={collection.id}
        id={id}
        title={title}
        store={store}
        onEdit={goTo}
        onClose={() => setIsPreviewed(false)}
      />
    </Suspense>
  );
  const side = !isNew && !Views && !isPreviewed && (
    <Suspense fallback={null}>
      <SidePanel form={form} store={store} hasForm={tab === "form"} others={presence.others} />
    </Suspense>
  );

  return (
    <FormScopeContext value={scope}>
      <Page
        title={title}
        breadcrumbs={pages.breadcrumbs}
        status={<DraftBadge store={store} isShown={schema.properties.draft !== undefined && !isNew} />}
        actions={
          isSmall ? (
            shown && pages.actions?.(shown)
          ) : (
            <>
              <Suspense>
                <Others others={presence.others} />
              </Suspense>
              {!isReadOnly && saveState}
              {shown && pages.actions?.(shown)}
              {actions}
            </>
          )
        }
      >
        <div className={pane ? css.halves : side && hasSide ? css.columns : Views ? undefined : css.column}>
          <div className={css.main}>
            {keptOf && (
              <div role="status" aria-label={words.broughtBack(timeOf(keptOf.at))}>
                <Notice tone="info" action={<Button onPress={discard}>{words.discardChanges}</Button>}>
                  {words.broughtBack(timeOf(keptOf.at))}
                </Notice>
              </div>
            )}
            {shown && pages.above?.(shown)}
            <Suspense>
              {presence.newer && <NewerNotice presence={presence} onTakeOver={saving.catchUp} />}
              {hasVersions && <OriginsOf collection={collection} id={id} onKnown={setOrigins} />}
            </Suspense>
            {isRefused && (
              <Summary
                store={store}
                refusal={refusal}
                labelOf={(path) =>
                  path === jsonPath ? words.json : labelsOf(shape, path, store.values()).join(words.inside)
                }
                onGo={goTo}
              />
            )}
            {Views ? (
              <Views properties={properties} object={shown} tab={search.tab ?? ""} onSelect={select} />
            ) : (
              <Tabs
                label={words.views}
                tabs={[
                  { id: "form", label: words.formTab },
                  { id: "json", label: words.jsonTab },
                  ...(hasVersions ? [{ id: "versions", label: words.versionsTab }] : []),
                ]}
                selected={tab}
                onSelect={select}
              >
                <Slab className={css.slab}>
                  {tab === "form" && (
                    <OriginsContext value={origins}>
                      <FormLayout properties={properties} formgrid={schema.formgrid} />
                    </OriginsContext>
                  )}
                  {tab === "versions" && id !== undefined && (
                    <Suspense fallback={<Skeleton height="12rem" />}>
                      <AnyVersions
                        {...{ collection, id, properties, store, etagNow: saving.etagNow, onStored: saving.catchUp }}
                        onRestored={([first = ""]) => goTo(first)}
                      />
                    </Suspense>
                  )}
                  {tab === "json" && (
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
            )}
            {pages.tools}
            {shown && pages.below?.(shown)}
            {side && !hasSide && (
              <Suspense>
                <AboutButton>{side}</AboutButton>
              </Suspense>
            )}
          </div>
          {pane}
          {side && hasSide && (
            <aside className={css.side} aria-label={words.about}>
              {side}
            </aside>
          )}
        </div>
        {isSmall && (
          <SaveBar>
            {!isReadOnly && saveState}
            {actions}
          </SaveBar>
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
        <Suspense fallback={null}>
          <ConflictDialog
            conflicts={conflict.conflicts}
            propertyOf={propertyOf}
            isSaving={isSaving}
            onSave={(theirs, edited) => void saving.resolveConflict(theirs, edited)}
            onDiscard={saving.takeTheirs}
            onCancel={saving.cancelConflict}
          />
        </Suspense>
      )}
    </FormScopeContext>
  );
}

/** Also of a property that the schema does not have: the server may name one. */
function readAny(schema: OpenedObject["form"]["schema"], name: string, isNew: boolean): FieldProperty {
  const known = Object.hasOwn(schema.properties, name);
  return readProperty(known ? schema : { ...schema, properties: { [name]: {} } }, name, isNew);
}

/** Label of the property that ids are made from; empty where a pattern counts, or takes a time or random characters. */
function idSourceOf(
  properties: readonly FieldProperty[],
  { properties: defined }: OpenedObject["form"]["schema"],
): string {
  const autogen = defined.id?.settings?.autogen;
  const named =
    typeof autogen === "string" && autogen !== ""
      ? [...autogen.matchAll(/\$\{([^{}]*)\}/g)].map(([, name = ""]) => name.trim())
      : ["title", "name"];
  const source = named.find((name) => Object.hasOwn(defined, name));
  return properties.find(({ name }) => name === source)?.label ?? "";
}

function focusJson(): boolean {
  const json = document.querySelector<HTMLElement>("[data-json] textarea, [data-json] [role=textbox]");
  json?.focus();
  return json !== null;
}

/** The hour alone for today, else the day too. */
function timeOf(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatTime(at) : formatDateTime(at);
}
