// The ways from a collection to its other pages: import, export, factory, settings. Only those that the user may see.

import type { AdminCollection } from "@contract/admin.ts";
import { useNavigate } from "@tanstack/react-router";
import { Download, Ellipsis, Settings, Upload, WandSparkles } from "lucide-react";
import { useCan } from "#session/start.ts";
import { LinkButton, linkProps } from "#shell/links.tsx";
import type { AdminPath } from "#shell/paths.ts";
import { Menu, type MenuAction } from "#ui/Menu.tsx";
import { useMediaQuery } from "#ui/useMediaQuery.ts";
import { collectionsWords } from "#words/collections.ts";
import { useWords } from "#words/language.ts";

interface Props {
  collection: AdminCollection;
  /** Of the table's address: what it shows is what is exported at first. */
  query?: Readonly<Record<string, string>>;
}

export function CollectionMenu({ collection, query = {} }: Props) {
  const { id, singleton, canConfigure } = collection;
  const words = useWords(collectionsWords);
  const can = useCan();
  const navigate = useNavigate();
  const isSmall = useMediaQuery("(max-width: 639px)");
  const params = { collection: id };
  const go = (to: AdminPath, search = {}) => void navigate(linkProps({ to, params, search }));
  const mayCreate = can("create", { objects: id });
  const mayImport = (mayCreate || can("update", { objects: id })) && !singleton;
  const { columns: _columns, sort: _sort, layout: _layout, ...filters } = query;
  const items: MenuAction[] = [];
  if (mayImport && isSmall)
    items.push({
      ...{ id: "import", label: words.importLink, icon: Upload },
      onAction: () => go("/admin/collections/$collection/-import"),
    });
  items.push({
    ...{ id: "export", label: words.exportLink, icon: Download },
    onAction: () => go("/admin/collections/$collection/-export", filters),
  });
  if (mayCreate && !singleton)
    items.push({
      ...{ id: "fill", label: words.fill, icon: WandSparkles },
      onAction: () => go("/admin/collections/$collection/-factory"),
    });
  if (canConfigure)
    items.push({
      ...{ id: "settings", label: words.settings, icon: Settings },
      onAction: () => go("/admin/collections/$collection/-settings"),
    });
  return (
    <>
      {mayImport && !isSmall && (
        <LinkButton to="/admin/collections/$collection/-import" params={params} icon={Upload}>
          {words.importLink}
        </LinkButton>
      )}
      <Menu button={{ label: words.moreActions, icon: Ellipsis }} items={items} placement="bottom end" />
    </>
  );
}
