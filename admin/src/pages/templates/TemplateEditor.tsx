// One template: its text with marks at its mistakes, a preview beside it, its versions. What is typed is kept on this device.

import type { TemplateFile } from "@contract/templates.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Copy, Ellipsis, FilePen, Trash2, Undo2 } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { CodeEditor } from "#editor/code/code-editor.ts";
import type { CodeProblem } from "#editor/code/code-props.ts";
import { problemsInText } from "#editor/code/problem-lines.ts";
import { readProperty } from "#fields/property.ts";
import { beginEditing, type Stored } from "#form/editing/begin.ts";
import { EditingNotices, EditingQuestions, EditingState, SaveButton } from "#form/editing/EditingParts.tsx";
import { useEditing } from "#form/editing/use-editing.ts";
import { FormScopeContext, useFieldState, useSummary } from "#form/form-context.ts";
import type { KeptEntry } from "#form/kept.ts";
import { SaveBar } from "#form/SaveBar.tsx";
import { type Crumb, Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { copyText } from "#ui/copyText.ts";
import { Menu, type MenuEntry } from "#ui/Menu.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { Slab } from "#ui/Slab.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { toast } from "#ui/toast.ts";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { previewWords } from "#words/preview.ts";
import { templateWords } from "#words/templates.ts";
import { PreviewPane } from "./preview/PreviewPane.tsx";
import type { PreviewState } from "./preview/use-preview.ts";
import { TemplateFrame } from "./TemplateFrame.tsx";
import { fetchTemplate, keptUnder, putTemplate, type StoredTemplate } from "./template-calls.ts";
import css from "./templates.module.css";

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
  const queries = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const tab = search.tab === "versions" ? "versions" : "template";

  const [begun] = useState(() => beginEditing(storedOf(opened.stored), isReadOnly ? undefined : opened.kept));
  const { store } = begun;
  const [found, setFound] = useState<PreviewState["errors"]>([]);
  const edited = useEditing({
    ...{ ...begun, isNew: false, isReadOnly, kept: opened.kept, place: { collection: keptUnder, id } },
    title: () => id,
    labelOf: () => words.template,
    send: async ({ template }, etag) => storedOf(await putTemplate(id, String(template ?? ""), etag)),
    read: async () => storedOf(await fetchTemplate(id)),
    placeError: (_name, texts) => ["template", texts.join(" ")],
    onSaved: () => void queries.invalidateQueries({ queryKey: ["templates"] }),
  });
  const { discard } = edited;
  useEffect(() => onReady(discard));

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
      <EditingState edited={edited} />
      <Menu button={{ label: words.moreActions, icon: Ellipsis }} items={entries} placement="bottom end" />
      <SaveButton edited={edited} />
    </>
  );
  return (
    <FormScopeContext value={edited.scope}>
      <Page title={id} breadcrumbs={breadcrumbs} isWide actions={!isSmall && actions}>
        <TemplateFrame
          templates={templates}
          chosen={id}
          isManaged={isReadOnly}
          onRename={isReadOnly ? undefined : onRename}
          onDelete={isReadOnly ? undefined : onDelete}
        >
          <div className={css.editor}>
            <EditingNotices edited={edited} labelOf={() => words.template} onGo={() => select("template")} />
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
                    <PreviewPane id={id} template={text} onErrors={setFound} title={ofPreviews.preview} />
                  </Slab>
                </div>
              )}
            </Tabs>
          </div>
        </TemplateFrame>
        {isSmall && <SaveBar>{actions}</SaveBar>}
      </Page>
      <EditingQuestions edited={edited} propertyOf={() => property} />
    </FormScopeContext>
  );
}

function storedOf({ text, etag }: StoredTemplate): Stored {
  return { values: { template: text }, etag };
}
