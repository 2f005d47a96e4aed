// Views: the query of the address under a name, for oneself or for everybody.

import type { AdminCollection, TablePreferences } from "@contract/admin.ts";
import type { SavedView } from "@contract/collections.ts";
import { useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus, Trash2 } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { errorText } from "#shell/LoadState.tsx";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { Dialog } from "#ui/Dialog.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { Notice } from "#ui/Notice.tsx";
import { TextInput } from "#ui/TextInput.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";
import css from "./table.module.css";

interface Props {
  collection: AdminCollection;
  preferences: TablePreferences;
  onPreferences: (patch: TablePreferences) => void;
  /** Of the address now, without its question mark. */
  query: string;
  onView: (query: string) => void;
}

export function ViewsMenu({ collection, preferences, onPreferences, query, onView }: Props) {
  const words = useWords(gridWords);
  const [open, setOpen] = useState<"save" | "manage">();
  const { save, isShared } = useSharedViews(collection);
  const own = preferences.views ?? [];
  const shared = collection.views;
  const item = (kind: string) => (view: SavedView) => ({
    id: `${kind} ${view.name}`,
    label: view.name,
    onAction: () => onView(view.query),
  });
  const saveView = async (view: SavedView, isForAll: boolean) => {
    if (isForAll) await save(withView(shared, view));
    else onPreferences({ views: withView(own, view) });
    toast.good(words.viewSaved(view.name));
  };
  const deleteView = async ({ name }: SavedView, isForAll: boolean) => {
    const rest = (views: readonly SavedView[]) => views.filter((view) => view.name !== name);
    if (isForAll) await save(rest(shared));
    else onPreferences({ views: rest(own) });
    toast.good(words.viewDeleted(name));
  };
  return (
    <>
      <Menu
        button={words.views}
        placement="bottom end"
        items={[
          { id: "usual", label: words.usualView, onAction: () => onView("") },
          ...(own.length > 0 ? [{ section: words.ownViews, items: own.map(item("own")) }] : []),
          ...(shared.length > 0 ? [{ section: words.everyonesViews, items: shared.map(item("shared")) }] : []),
          {
            section: "",
            items: [
              { id: "save", label: words.saveView, icon: BookmarkPlus, onAction: () => setOpen("save") },
              ...(own.length + (isShared ? shared.length : 0) > 0
                ? [{ id: "manage", label: words.manageViews, icon: Trash2, onAction: () => setOpen("manage") }]
                : []),
            ],
          },
        ]}
      />
      {open === "save" && (
        <SaveView
          names={[own, shared].map((views) => views.map(({ name }) => name))}
          isShared={isShared}
          onSave={(name, isForAll) => saveView({ name, query }, isForAll)}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "manage" && (
        <DeleteViews
          own={own}
          shared={isShared ? shared : []}
          onDelete={(view, isForAll) => void deleteView(view, isForAll)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view];
}

/** Views of everybody are a setting of the collection. */
function useSharedViews({ id, canConfigure }: AdminCollection) {
  const client = useQueryClient();
  const save = async (views: SavedView[]) => {
    await askData(routes.patchCollectionSettings, { path: { collection: id }, body: { views } });
    await client.invalidateQueries({ queryKey: ["start"] });
  };
  return { save, isShared: canConfigure };
}

interface SaveViewProps {
  /** Taken names: one's own, everybody's. */
  names: string[][];
  isShared: boolean;
  onSave: (name: string, isForAll: boolean) => Promise<void>;
  onClose: () => void;
}

function SaveView({ names, isShared, onSave, onClose }: SaveViewProps) {
  const words = useWords(gridWords);
  const common = useWords(commonWords);
  const [name, setName] = useState("");
  const [isForAll, setIsForAll] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<{ name?: string; text?: string }>({});
  const wanted = name.trim();
  const isTaken = names[isForAll ? 1 : 0]?.includes(wanted) ?? false;
  const save = async () => {
    if (wanted === "") return setError({ name: words.nameNeeded });
    setIsPending(true);
    try {
      await onSave(wanted, isForAll);
      onClose();
    } catch (problem) {
      setIsPending(false);
      setError({ text: errorText(problem, common).text });
    }
  };
  return (
    <Dialog
      title={words.saveView}
      size="small"
      onClose={onClose}
      isDirty={name !== "" && !isPending}
      onSubmit={() => void save()}
      footer={(close) => (
        <>
          <Button onPress={close}>{common.cancel}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {words.saveView}
          </Button>
        </>
      )}
    >
      <div className={css.fields}>
        <TextInput
          label={words.name}
          value={name}
          onChange={setName}
          maxLength={100}
          autoFocus
          error={error.name}
          description={isTaken ? words.nameTaken : undefined}
        />
        {isShared && (
          <Checkbox
            label={words.forEveryone}
            description={words.forEveryoneHelp}
            isSelected={isForAll}
            onChange={setIsForAll}
          />
        )}
        {error.text && (
          <div role="alert">
            <Notice tone="bad">{error.text}</Notice>
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface DeleteViewsProps {
  own: readonly SavedView[];
  shared: readonly SavedView[];
  onDelete: (view: SavedView, isForAll: boolean) => void;
  onClose: () => void;
}

function DeleteViews({ own, shared, onDelete, onClose }: DeleteViewsProps) {
  const words = useWords(gridWords);
  const list = (views: readonly SavedView[], isForAll: boolean) =>
    views.map((view) => (
      <li key={`${isForAll} ${view.name}`} className={css.view}>
        <span>{isForAll ? `${view.name} (${words.everyonesViews})` : view.name}</span>
        <IconButton label={words.deleteView(view.name)} icon={Trash2} onPress={() => onDelete(view, isForAll)} />
      </li>
    ));
  return (
    <Dialog
      title={words.views}
      size="small"
      onClose={onClose}
      footer={
        <Button variant="primary" onPress={onClose}>
          {words.done}
        </Button>
      }
    >
      <ul>
        {list(own, false)}
        {list(shared, true)}
      </ul>
    </Dialog>
  );
}
