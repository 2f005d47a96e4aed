// The menu of a row: open it, its page on the site, copy it, delete it.

import type { AdminCollection, FormDescription } from "@contract/admin.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Copy, CopyPlus, ExternalLink, SquarePen, Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import type { Row } from "#grid/columns.ts";
import { pageAddress } from "#grid/page-address.ts";
import { useObjectPages } from "#pages/objects/object-pages.ts";
import { useCan } from "#session/start.ts";
import { linkProps } from "#shell/links.tsx";
import { copyText } from "#ui/copyText.ts";
import type { MenuEntry } from "#ui/Menu.tsx";
import { toast } from "#ui/toast.ts";
import { commonWords } from "#words/common.ts";
import { gridWords } from "#words/grid.ts";
import { useWords } from "#words/language.ts";

const RowDialog = lazy(() => import("./RowDialog.tsx").then((part) => ({ default: part.RowDialog })));

interface Asked {
  collection: AdminCollection;
  form: FormDescription;
  nameOf: (row: Row) => string;
  onOpen: (row: Row) => void;
}

interface RowActions {
  actionsOf: (row: Row) => readonly MenuEntry[];
  /** Ids of rows that are being deleted. */
  gone: ReadonlySet<string>;
  dialogs: ReactNode;
}

export function useRowActions({ collection, form, nameOf, onOpen }: Asked): RowActions {
  const { id, hasUrl } = collection;
  const words = useWords(gridWords);
  const common = useWords(commonWords);
  const can = useCan();
  const client = useQueryClient();
  const navigate = useNavigate();
  const pages = useObjectPages(collection);
  const [open, setOpen] = useState<{ dialog: "duplicate" | "delete"; row: Row }>();
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const canCreate = can("create", { objects: id });
  const canDelete = can("delete", { objects: id });
  const renew = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["objects", id] }),
      client.invalidateQueries({ queryKey: ["start"] }),
    ]);
  const close = () => setOpen(undefined);

  const actionsOf = useCallback(
    (row: Row): MenuEntry[] => {
      const address = hasUrl ? pageAddress(form.url, row) : undefined;
      const copy = async () => void ((await copyText(row.id)) && toast.good(words.idCopied));
      return [
        { id: "open", label: words.open, icon: SquarePen, onAction: () => onOpen(row) },
        ...(hasUrl
          ? [
              {
                id: "page",
                label: words.openPage,
                icon: ExternalLink,
                ...(address === undefined ? { isDisabled: true } : { href: address, target: "_blank" }),
              },
            ]
          : []),
        ...(canCreate
          ? [
              {
                id: "duplicate",
                label: words.duplicate,
                icon: CopyPlus,
                onAction: () => setOpen({ dialog: "duplicate", row }),
              },
            ]
          : []),
        { id: "copy", label: words.copyId, icon: Copy, onAction: () => void copy() },
        ...(canDelete
          ? [
              {
                id: "delete",
                label: words.delete,
                icon: Trash2,
                tone: "danger" as const,
                onAction: () => setOpen({ dialog: "delete", row }),
              },
            ]
          : []),
      ];
    },
    [hasUrl, form.url, canCreate, canDelete, onOpen, words],
  );

  /** The row shows it at once; a refusal gives it back. */
  const deleteRow = async (row: Row) => {
    close();
    setGone((before) => new Set([...before, row.id]));
    try {
      await askData(routes.deleteObject, { path: { collection: id, id: row.id } });
      const { sayDeleted } = await import("#pages/objects/say-deleted.ts");
      sayDeleted({ collection, id: row.id, title: nameOf(row), said: words.deleted }, common, client);
      await renew();
    } catch (error) {
      toast.bad(error instanceof Error ? error.message : String(error));
    } finally {
      setGone((before) => new Set([...before].filter((one) => one !== row.id)));
    }
  };
  const duplicate = async (row: Row, newId: string) => {
    const body = { id: newId };
    const copy = await askData<Row>(routes.cloneObject, { path: { collection: id, id: row.id }, body });
    close();
    void renew();
    await navigate(linkProps(pages.object(copy.id)));
  };

  const dialogs = open && (
    <Suspense>
      <RowDialog
        dialog={open.dialog}
        name={nameOf(open.row)}
        collection={collection.id}
        hasTrash={collection.history === "full"}
        id={open.row.id}
        onDelete={() => void deleteRow(open.row)}
        onDuplicate={(newId) => duplicate(open.row, newId)}
        onClose={close}
      />
    </Suspense>
  );
  return { actionsOf, gone, dialogs };
}
