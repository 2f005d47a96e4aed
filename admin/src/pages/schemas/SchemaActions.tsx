// The menu of a schema.

import { useNavigate } from "@tanstack/react-router";
import { CopyPlus, Ellipsis, FolderPlus, Link, Trash2, Undo2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { addressOf } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { useSummary } from "#form/form-context.ts";
import { useCan } from "#session/start.ts";
import { copyText } from "#ui/copyText.ts";
import { Menu, type MenuEntry } from "#ui/Menu.tsx";
import { toast } from "#ui/toast.ts";
import { formWords } from "#words/form.ts";
import { useWords } from "#words/language.ts";
import { schemasWords } from "#words/schemas.ts";
import { useDraftStore } from "./draft.ts";
import type { SchemaUse } from "./schema-queries.ts";

const DeleteSchema = lazy(() => import("./DeleteSchema.tsx").then((part) => ({ default: part.DeleteSchema })));

interface Props {
  id: string;
  title: string;
  use: SchemaUse;
  isReadOnly: boolean;
  mayDelete: boolean;
  /** Undefined: the caller may make none. */
  onDuplicate: (() => void) | undefined;
  onDiscard: () => void;
}

export function SchemaActions({ id, title, use, isReadOnly, mayDelete, onDuplicate, onDiscard }: Props) {
  const words = useWords(schemasWords);
  const ofForms = useWords(formWords);
  const can = useCan();
  const navigate = useNavigate();
  const { form } = useDraftStore();
  const { dirty } = useSummary(form);
  const [isAsking, setIsAsking] = useState(false);
  const copyAddress = async () => {
    const address = new URL(addressOf(routes.schema, { path: { id } }), location.origin).href;
    if (await copyText(address)) toast.good(words.copied);
    else toast.bad(words.notCopied);
  };
  const entries: MenuEntry[] = [
    ...(onDuplicate ? [{ id: "duplicate", label: words.duplicate, icon: CopyPlus, onAction: onDuplicate }] : []),
    ...(can("create", "collections")
      ? [
          {
            ...{ id: "collection", label: words.newCollection, icon: FolderPlus },
            onAction: () => void navigate({ to: "/admin/collections/-new", search: { schema: id } }),
          },
        ]
      : []),
    { id: "api", label: words.apiAddress, icon: Link, onAction: () => void copyAddress() },
    ...(isReadOnly
      ? []
      : [
          {
            ...{ id: "discard", label: ofForms.discardChanges, icon: Undo2 },
            ...{ isDisabled: dirty.length === 0, onAction: onDiscard },
          },
        ]),
    ...(mayDelete
      ? [
          {
            section: "",
            items: [
              {
                ...{ id: "delete", label: words.deleteLabel, icon: Trash2, tone: "danger" as const },
                onAction: () => setIsAsking(true),
              },
            ],
          },
        ]
      : []),
  ];
  return (
    <>
      <Menu button={{ label: ofForms.moreActions, icon: Ellipsis }} items={entries} placement="bottom end" />
      <Suspense>
        {isAsking && (
          <DeleteSchema
            id={id}
            title={title}
            use={use}
            onClose={() => setIsAsking(false)}
            onDeleted={() => {
              onDiscard();
              setIsAsking(false);
              void navigate({ to: "/admin/schemas", ignoreBlocker: true });
            }}
          />
        )}
      </Suspense>
    </>
  );
}
