// What was deleted and can still come back: who deleted it, when, and when it is gone for good.

import type { TrashEntry } from "@contract/history.ts";
import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Eraser, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { ApiError } from "#api/api-error.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { authorText } from "#session/author.ts";
import { useStart } from "#session/start.ts";
import { errorText, Failed } from "#shell/LoadState.tsx";
import { hasTrash } from "#shell/navigation.ts";
import { Page } from "#shell/Page.tsx";
import type { Search } from "#shell/paths.ts";
import { Button } from "#ui/Button.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Select } from "#ui/Select.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { authorWords } from "#words/authors.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { shellWords } from "#words/shell.ts";
import { trashWords } from "#words/trash.ts";
import css from "./trash.module.css";
import { type Restored, restoreDeleted, trashQuery } from "./trash-calls.ts";
import { EmptyDialog, PurgeDialog, RestoreAsDialog } from "./trash-dialogs.tsx";
import { forgetLists } from "./undo-deletion.ts";

type Asked = { kind: "purge" | "restore-as"; entry: TrashEntry } | { kind: "empty" };

export function TrashPage() {
  const words = useWords(trashWords);
  const common = useWords(commonWords);
  const { manage } = useWords(shellWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { collection = "" } = useSearch({ strict: false }) as Search;
  const { collections, can } = useStart();
  const needs = can.admin || hasTrash(collections);
  const [asked, setAsked] = useState<Asked>();
  const [restoring, setRestoring] = useState<string>();
  const list = useInfiniteQuery({ ...trashQuery(collection), enabled: needs, placeholderData: keepPreviousData });
  const isSlow = useDelayed(list.isPending, 300);
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  const choose = (next: string) =>
    void navigate({
      to: ".",
      search: (before: Search) => ({ ...before, collection: next === "" ? undefined : next }),
      replace: true,
      state: { keepFocus: true },
    });
  const nameOfCollection = (id: string) => collections.find((known) => known.id === id)?.name ?? id;
  const nameOf = ({ title, id, collection: of }: TrashEntry) => title || id || nameOfCollection(of);
  const close = () => setAsked(undefined);

  const tell = (entry: TrashEntry, { isJob, lost }: Restored) => {
    const name = nameOf(entry);
    toast.good(isJob ? words.restoring(name) : lost === "" ? words.restored(name) : words.restoredLost(name, lost));
    void forgetLists(client, entry.collection);
  };
  const restore = async (entry: TrashEntry) => {
    setRestoring(entry.change);
    try {
      tell(entry, await restoreDeleted(entry.change));
    } catch (error) {
      if (error instanceof ApiError && error.status === 400 && entry.id !== "") setAsked({ kind: "restore-as", entry });
      else toast.bad(errorText(error, common).text);
    }
    setRestoring(undefined);
  };

  const columns = useColumns({ nameOf, nameOfCollection, restoring, onRestore: restore, onAsk: setAsked });

  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: manage }]}
      needs={needs}
      isBusy={needs && list.isPending}
      isWide
      actions={
        collection !== "" &&
        entries.length > 0 && (
          <Button icon={Eraser} onPress={() => setAsked({ kind: "empty" })}>
            {words.empty}
          </Button>
        )
      }
    >
      <div className={css.stack}>
        <p className={css.text}>{words.text}</p>
        <div className={css.choice}>
          <Select
            label={words.collection}
            value={collection}
            placeholder={words.allCollections}
            isClearable
            onChange={choose}
            options={collections
              .filter(({ history, id }) => history === "full" || id === collection)
              .map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
        {list.error && !list.data && <Failed error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && isSlow && <Skeleton height="12rem" />}
        {list.data && (
          <RecordGrid
            label={words.title}
            rows={entries}
            idOf={({ change }) => change}
            nameOf={nameOf}
            columns={columns}
            empty={<EmptyState title={words.emptyTitle} text={words.emptyText} />}
            footer={
              <div className={css.footer}>
                <p role="status">{words.shown(entries.length)}</p>
                {list.hasNextPage && (
                  <Button variant="quiet" isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
                    {words.more}
                  </Button>
                )}
              </div>
            }
          />
        )}
      </div>
      {asked?.kind === "purge" && <PurgeDialog entry={asked.entry} name={nameOf(asked.entry)} onClose={close} />}
      {asked?.kind === "restore-as" && (
        <RestoreAsDialog
          entry={asked.entry}
          name={nameOf(asked.entry)}
          onRestored={(restored) => tell(asked.entry, restored)}
          onClose={close}
        />
      )}
      {asked?.kind === "empty" && (
        <EmptyDialog collection={collection} name={nameOfCollection(collection)} onClose={close} />
      )}
    </Page>
  );
}

interface Columns {
  nameOf: (entry: TrashEntry) => string;
  nameOfCollection: (id: string) => string;
  /** The change that is being restored. */
  restoring: string | undefined;
  onRestore: (entry: TrashEntry) => Promise<void>;
  onAsk: (asked: Asked) => void;
}

function useColumns({ nameOf, nameOfCollection, restoring, onRestore, onAsk }: Columns) {
  const words = useWords(trashWords);
  const authors = useWords(authorWords);
  return [
    {
      id: "object",
      label: words.object,
      sortBy: nameOf,
      cell: (entry: TrashEntry) => (
        <span className={css.named}>
          <span className={css.name}>{nameOf(entry)}</span>
          <span className={css.id}>{entry.id === "" ? words.wholeCollection : entry.id}</span>
        </span>
      ),
    },
    {
      id: "collection",
      label: words.collection,
      sortBy: ({ collection }: TrashEntry) => nameOfCollection(collection),
      cell: ({ collection }: TrashEntry) => nameOfCollection(collection),
    },
    { id: "by", label: words.deletedBy, cell: ({ by }: TrashEntry) => authorText(by, authors) },
    {
      id: "deleted",
      label: words.deleted,
      sortBy: ({ deleted }: TrashEntry) => deleted,
      cell: ({ deleted }: TrashEntry) => <Time value={deleted} />,
    },
    {
      id: "until",
      label: words.until,
      sortBy: ({ until }: TrashEntry) => until,
      cell: ({ until }: TrashEntry) => <Time value={until} />,
    },
    {
      id: "actions",
      label: words.actions,
      isLabelHidden: true,
      align: "end" as const,
      cell: (entry: TrashEntry) => (
        <span className={css.buttons}>
          <Button icon={Undo2} isPending={restoring === entry.change} onPress={() => void onRestore(entry)}>
            {words.restore}
          </Button>
          <IconButton label={words.purge} icon={Trash2} onPress={() => onAsk({ kind: "purge", entry })} />
        </span>
      ),
    },
  ];
}

function Time({ value }: { value: string }) {
  return (
    <time dateTime={value} title={formatDateTime(value)}>
      {formatAgo(value)}
    </time>
  );
}
