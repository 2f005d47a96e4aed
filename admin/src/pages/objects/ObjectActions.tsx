// What can be done with an object: the ways to save it, and the menu of all else.

import type { AdminCollection, FormDescription } from "@contract/admin.ts";
import { useNavigate } from "@tanstack/react-router";
import {
  ChevronDown,
  Copy,
  CopyPlus,
  Ellipsis,
  ExternalLink,
  Eye,
  FileCheck,
  FilePen,
  Link,
  Save,
  Settings,
  Trash2,
  Undo2,
} from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { addressOf } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useFieldState, useSummary } from "#form/form-context.ts";
import type { FormStore } from "#form/store.ts";
import { useCommand } from "#session/commands.ts";
import { useCan } from "#session/start.ts";
import { linkProps } from "#shell/links.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copyText.ts";
import { Menu, type MenuAction, type MenuEntry } from "#ui/Menu.tsx";
import { toast } from "#ui/toast.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import css from "./object.module.css";
import { useObjectPages } from "./object-pages.ts";

const DeleteDialog = lazy(() => import("./object-dialogs.tsx").then((part) => ({ default: part.DeleteDialog })));
const CopyDialog = lazy(() => import("./object-dialogs.tsx").then((part) => ({ default: part.CopyDialog })));

interface Props {
  collection: AdminCollection;
  /** undefined: it is new. */
  id: string | undefined;
  form: FormDescription;
  store: FormStore;
  title: string;
  isReadOnly: boolean;
  isSaving: boolean;
  save: () => Promise<boolean>;
  onDiscard: () => void;
  etagNow: () => string;
  /** Opens or closes the preview beside the form; undefined: the object has no address. */
  onPreview: (() => void) | undefined;
  isPreviewed: boolean;
}

type Open = "delete" | "duplicate" | "copy";

export function ObjectActions(props: Props) {
  const { collection, id, form, store, title, isReadOnly, isSaving, save, onDiscard, etagNow } = props;
  const words = useWords(formWords);
  const can = useCan();
  const navigate = useNavigate();
  const pages = useObjectPages(collection);
  const [open, setOpen] = useState<Open>();
  const { value: draft } = useFieldState(store, "draft");
  const isNew = id === undefined;
  const hasDraft = form.schema.properties.draft !== undefined;
  const objects = { objects: collection.id };
  const mayCreate = can("create", objects) && !collection.singleton;

  const close = async () => {
    if (!(await save())) return;
    await navigate(linkProps(pages.table));
  };
  const startAnother = async () => {
    if (await save()) await navigate(linkProps(pages.newObject));
  };
  const saveWithDraft = (isDraft: boolean) => {
    store.set("draft", isDraft);
    void save();
  };

  useShortcut("mod+s", words.save, () => void save(), { when: !isReadOnly && open === undefined });
  useShortcut("mod+Enter", words.saveAndClose, () => void close(), { when: !isReadOnly && open === undefined });
  useCommand(isReadOnly ? undefined : { id: "save", label: words.save, shortcut: "Ctrl+S", run: () => void save() });

  const ways: MenuAction[] = [
    { id: "close", label: words.saveAndClose, shortcut: "Ctrl+Enter", onAction: () => void close() },
    ...(mayCreate ? [{ id: "new", label: words.saveAndNew, onAction: () => void startAnother() }] : []),
    ...(mayCreate && !isNew
      ? [{ id: "copy", label: words.saveAsCopy, icon: CopyPlus, onAction: () => setOpen("copy") }]
      : []),
    ...(hasDraft && (isNew || draft === true)
      ? [{ id: "publish", label: words.saveAndPublish, icon: FileCheck, onAction: () => saveWithDraft(false) }]
      : []),
    ...(hasDraft && (isNew || draft !== true)
      ? [{ id: "draft", label: words.saveAsDraft, icon: FilePen, onAction: () => saveWithDraft(true) }]
      : []),
  ];

  return (
    <>
      {props.onPreview && (
        <Button icon={Eye} aria-pressed={props.isPreviewed} onPress={props.onPreview}>
          {words.preview}
        </Button>
      )}
      <MoreActions {...props} mayCreate={mayCreate} onOpen={setOpen} onDiscard={onDiscard} />
      {!isReadOnly && (
        <div className={css.save}>
          <Button variant="primary" icon={Save} isPending={isSaving} onPress={() => void save()}>
            {words.save}
          </Button>
          <Menu
            button={{ label: words.moreSave, icon: ChevronDown }}
            items={ways}
            variant="primary"
            placement="bottom end"
          />
        </div>
      )}
      <Suspense fallback={null}>
        {open === "delete" && id !== undefined && (
          <DeleteDialog
            collection={collection}
            id={id}
            title={title}
            onCancel={() => setOpen(undefined)}
            onDeleted={() => {
              onDiscard();
              setOpen(undefined);
              void navigate({ ...linkProps(pages.table), ignoreBlocker: true });
            }}
          />
        )}
        {(open === "duplicate" || open === "copy") && id !== undefined && (
          <CopyDialog
            collection={collection}
            id={id}
            title={open === "copy" ? words.saveAsCopy : words.duplicateTitle(title)}
            text={open === "copy" ? words.saveAsCopyText : words.duplicateText}
            action={open === "copy" ? words.save : words.duplicate}
            changes={open === "copy" ? store.changes() : undefined}
            etag={etagNow()}
            onCancel={() => setOpen(undefined)}
            onMade={(made) => {
              const isCopy = open === "copy";
              setOpen(undefined);
              if (isCopy) onDiscard();
              toast.good(isCopy ? words.saved : words.duplicated);
              void navigate({ ...linkProps(pages.object(made)), ignoreBlocker: isCopy });
            }}
          />
        )}
      </Suspense>
    </>
  );
}

interface MoreProps extends Props {
  mayCreate: boolean;
  onOpen: (dialog: Open) => void;
}

function MoreActions({ collection, id, form, store, isReadOnly, mayCreate, onOpen, onDiscard }: MoreProps) {
  const words = useWords(formWords);
  const can = useCan();
  const navigate = useNavigate();
  const { dirty } = useSummary(store);
  const openSettings = () =>
    void navigate({ to: "/admin/collections/$collection/-settings", params: { collection: collection.id } });
  const copy = async (text: string, done: string) => {
    if (await copyText(text)) toast.good(done);
    else toast.bad(words.notCopied);
  };
  const entries: MenuEntry[] = [];
  if (id !== undefined) {
    const api = new URL(addressOf(routes.object, { path: { collection: collection.id, id } }), location.origin).href;
    if (mayCreate)
      entries.push({ id: "duplicate", label: words.duplicate, icon: CopyPlus, onAction: () => onOpen("duplicate") });
    if (form.address !== "")
      entries.push({
        ...{ id: "page", label: words.openPage, icon: ExternalLink },
        ...{ href: form.address, target: "_blank" },
      });
    entries.push(
      { id: "copy-id", label: words.copyId, icon: Copy, onAction: () => void copy(id, words.idCopied) },
      { id: "copy-api", label: words.copyAddress, icon: Link, onAction: () => void copy(api, words.addressCopied) },
    );
  }
  if (!isReadOnly)
    entries.push({
      ...{ id: "discard", label: words.discardChanges, icon: Undo2 },
      ...{ isDisabled: dirty.length === 0, onAction: onDiscard },
    });
  // Others have a table with a menu of its own.
  if (collection.singleton && collection.canConfigure)
    entries.push({ id: "settings", label: words.settings, icon: Settings, onAction: openSettings });
  if (id !== undefined && can("delete", { objects: collection.id }))
    entries.push({
      section: "",
      items: [
        { id: "delete", label: words.deleteLabel, icon: Trash2, tone: "danger", onAction: () => onOpen("delete") },
      ],
    });
  return <Menu button={{ label: words.moreActions, icon: Ellipsis }} items={entries} placement="bottom end" />;
}
