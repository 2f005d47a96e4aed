// One template: its text with marks at its mistakes, a preview beside it, its versions. What is typed is kept on this device.

import type { TemplateFile } from "@contract/templates.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Copy, Ellipsis, FilePen, Save, Trash2, Undo2 } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import type { CodeProblem } from "#editor/code/code-props.ts";
import { problemsInText } from "#editor/code/problem-lines.ts";
import { readProperty } from "#fields/property.ts";
import { ErrorSummary } from "#form/ErrorSummary.tsx";
import { FormScopeContext, useFieldState, useSummary } from "#form/form-context.ts";
import { forget, type KeptEntry } from "#form/kept.ts";
import { LeaveGuard } from "#form/LeaveGuard.tsx";
import { SaveBar } from "#form/SaveBar.tsx";
import { SaveState } from "#form/SaveState.tsx";
import { createFormStore, type FormStore } from "#form/store.ts";
import { useKept } from "#form/use-kept.ts";
import { useCommand } from "#session/commands.ts";
import { useStart } from "#session/start.ts";
import { type Crumb, Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copyText.ts";
import { Menu, type MenuEntry } from "#ui/Menu.tsx";
import { Notice } from "#ui/Notice.tsx";
import { newId } from "#ui/newId.ts";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { toast } from "#ui/toast.ts";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { formWords } from "#words/form.ts";
import { formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { previewWords } from "#words/preview.ts";
import { templateWords } from "#words/templates.ts";
import { PreviewPane } from "./preview/PreviewPane.tsx";
import type { PreviewState } from "./preview/use-preview.ts";
import { TemplateFrame } from "./TemplateFrame.tsx";
import { keptUnder, type StoredTemplate } from "./template-calls.ts";
import css from "./templates.module.css";
import { useTemplateSave } from "./use-template-save.ts";

const ConflictDialog = lazy(() =>
  import("#form/conflict/ConflictDialog.tsx").then((part) => ({ default: part.ConflictDialog })),
);
const VersionsPart = lazy(async () => ({ default: (await import("./history/VersionsPart.tsx")).VersionsPart }));

interface Props {
  id: string;
  templates: readonly TemplateFile[];
  opened: { stored: StoredTemplate; kept: KeptEntry | undefined };
  isReadOnly: boolean;
  breadcrumbs: Crumb[];
  onRename: (id: string) => void;
  onDelete: (id: string) => void;
  /** Called with what empties the form, before its template is left for good. */
  onReady: (discard: () => void) => void;
}

export function TemplateEditor(props: Props) {
  const { id, templates, opened, isReadOnly, breadcrumbs, onRename, onDelete, onReady } = props;
  const words = useWords(templateWords);
  const ofForms = useWords(formWords);
  const ofPreviews = useWords(previewWords);
  const { user, site } = useStart();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const tab = search.tab === "versions" ? "versions" : "template";

  const [edited] = useState(() => begin(opened, isReadOnly));
  const { store } = edited;
  const [formName] = useState(newId);
  const [kept, setKept] = useState(isReadOnly ? undefined : opened.kept);
  const [found, setFound] = useState<PreviewState["errors"]>([]);
  const saving = useTemplateSave({ id, store, began: edited });
  const { save, isSaving, refusal, conflict } = saving;

  const place = useMemo(() => ({ user: user.id, collection: keptUnder, id }), [user.id, id]);
  const { isUnkept, keepNow } = useKept({
    ...{ store, form: formName, place, etag: saving.etagNow, base: saving.baseNow },
    title: () => id,
    keptPart: (_name, value) => (isReadOnly ? undefined : value),
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
    saving.clearRefusal();
  };
  useEffect(() => onReady(discard));

  useShortcut("mod+s", ofForms.save, () => void save(), { when: !isReadOnly });
  useCommand(isReadOnly ? undefined : { id: "save", label: ofForms.save, shortcut: "Ctrl+S", run: () => void save() });

  const select = (next: string) =>
    void navigate({
      to: ".",
      search: (before: Search) => ({ ...before, tab: next === "template" ? undefined : next }),
      state: { keepFocus: true },
      replace: true,
      resetScroll: false,
    } as never);
  const copyId = async () => {
    if (await copyText(id)) toast.good(words.idCopied);
    else toast.bad(words.notCopied);
  };

  const { value, error } = useFieldState(store, "template");
  const { dirty } = useSummary(store);
  const text = String(value ?? "");
  const problems = useMemo((): CodeProblem[] => {
    const own = found.filter(({ line, template }) => line > 0 && template === undefined);
    return own.length > 0 ? own : problemsInText(error);
  }, [found, error]);
  const property = useMemo(() => {
    const properties = { template: { field: "code", type: "string" as const, label: words.template } };
    return readProperty({ id: "", properties, required: [], index: [] }, "template", false);
  }, [words]);
  const scope = useMemo(
    () => ({
      store,
      isReadOnly,
      field: {
        ...{ collection: keptUnder, timezone: site.timezone, isNew: false, idSource: "", object: undefined },
        ...{ locales: site.locales, items: {}, passwords: [], helpStyle: "", form: formName },
        ...{ isStored: () => true, takeOver: () => undefined },
      },
    }),
    [store, isReadOnly, site, formName],
  );

  const isSmall = useMediaQuery("(max-width: 639px)");
  const entries: MenuEntry[] = [{ id: "copy", label: words.copyId, icon: Copy, onAction: () => void copyId() }];
  if (!isReadOnly)
    entries.push(
      { id: "rename", label: words.rename, icon: FilePen, shortcut: "F2", onAction: () => onRename(id) },
      {
        ...{ id: "discard", label: ofForms.discardChanges, icon: Undo2 },
        ...{ isDisabled: dirty.length === 0, onAction: discard },
      },
      {
        section: "",
        items: [{ id: "delete", label: words.deleteLabel, icon: Trash2, tone: "danger", onAction: () => onDelete(id) }],
      },
    );
  const actions = (
    <>
      {!isReadOnly && (
        <SaveState store={store} isNew={false} isSaving={isSaving} refusal={refusal} isUnkept={isUnkept} />
      )}
      <Menu button={{ label: words.moreActions, icon: Ellipsis }} items={entries} placement="bottom end" />
      {!isReadOnly && (
        <Button variant="primary" icon={Save} isPending={isSaving} onPress={() => void save()}>
          {ofForms.save}
        </Button>
      )}
    </>
  );
  const isRefused = refusal.attempt > 0 && (refusal.text !== "" || error !== undefined);
  return (
    <FormScopeContext value={scope}>
      <Page title={id} breadcrumbs={breadcrumbs} isWide actions={!isSmall && actions}>
        <TemplateFrame
          templates={templates}
          chosen={id}
          isManaged={isReadOnly}
          onRename={isReadOnly ? undefined : onRename}
          onDelete={isReadOnly ? undefined : onDelete}
        >
          <div className={css.editor}>
            {kept && (
              <div role="status">
                <Notice tone="info" action={<Button onPress={discard}>{ofForms.discardChanges}</Button>}>
                  {ofForms.broughtBack(formatDateTime(kept.at))}
                </Notice>
              </div>
            )}
            {isRefused && (
              <ErrorSummary
                refusal={refusal}
                links={error === undefined ? [] : [{ path: "template", label: words.template, text: error }]}
                onGo={() => select("template")}
              />
            )}
            <Tabs
              label={words.tabs}
              tabs={[
                { id: "template", label: words.template },
                { id: "versions", label: words.versionsTab },
              ]}
              selected={tab}
              onSelect={select}
            >
              {tab === "versions" ? (
                <Slab className={css.slab}>
                  <Suspense fallback={<Skeleton height="12rem" />}>
                    <VersionsPart
                      id={id}
                      text={text}
                      onRestore={
                        isReadOnly
                          ? undefined
                          : (restored) => {
                              store.set("template", restored);
                              toast.good(words.restored);
                              select("template");
                            }
                      }
                    />
                  </Suspense>
                </Slab>
              ) : (
                <div className={css.halves}>
                  <Slab className={css.slab}>
                    <Suspense fallback={<Skeleton height="60vh" />}>
                      <CodeEditor
                        label={words.template}
                        value={text}
                        onChange={(next) => store.set("template", next)}
                        language="liquid"
                        problems={problems}
                        error={error}
                        isReadOnly={isReadOnly}
                        rows={20}
                        maxHeight="70vh"
                      />
                    </Suspense>
                  </Slab>
                  <Slab className={css.slab}>
                    <PreviewPane template={text} onErrors={setFound} title={ofPreviews.preview} />
                  </Slab>
                </div>
              )}
            </Tabs>
          </div>
        </TemplateFrame>
        {isSmall && <SaveBar>{actions}</SaveBar>}
      </Page>
      {!isReadOnly && (
        <LeaveGuard
          unsaved={() => store.summary().dirty.length}
          text={ofForms.leaveText}
          onSave={save}
          onLeave={keepNow}
        />
      )}
      {conflict && (
        <Suspense fallback={null}>
          <ConflictDialog
            conflicts={conflict.conflicts}
            propertyOf={() => property}
            isSaving={isSaving}
            onSave={(theirs, written) => void saving.resolveConflict(theirs, written)}
            onDiscard={saving.takeTheirs}
            onCancel={saving.cancelConflict}
          />
        </Suspense>
      )}
    </FormScopeContext>
  );
}

interface Begun {
  store: FormStore;
  etag: string;
  ancestor: string | undefined;
}

/** Changes that were kept lie over what is stored. */
function begin({ stored, kept }: Props["opened"], isReadOnly: boolean): Begun {
  const store = createFormStore({ template: stored.text });
  if (!kept || isReadOnly) return { store, etag: stored.etag, ancestor: undefined };
  store.lay(kept.changes);
  const isOlder = kept.etag !== stored.etag;
  return { store, etag: kept.etag, ancestor: isOlder ? String(kept.base.template ?? "") : undefined };
}
