// Views: the query of the address under a name, for oneself or for everybody.

import type { AdminCollection, TablePreferences } from "@contract/admin.ts";
import type { SavedView } from "@contract/collections.ts";
import { useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { Menu } from "#ui/Menu.tsx";
import { toast } from "#ui/toast.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";

const SaveView = lazy(() => import("./ViewDialogs.tsx").then((part) => ({ default: part.SaveView })));
const DeleteViews = lazy(() => import("./ViewDialogs.tsx").then((part) => ({ default: part.DeleteViews })));

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
      <Suspense>
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
      </Suspense>
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
