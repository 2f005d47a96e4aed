// Snapshots of what imports, sync and restores have replaced: found, compared with what is there now, restored.

import type { Snapshot, SnapshotRestored } from "@contract/admin.ts";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { ask, askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { RecordGrid } from "#grid/records/RecordGrid.tsx";
import { SearchBox } from "#pages/collections/table/SearchBox.tsx";
import { Failed, useErrorText } from "#shell/LoadState.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { backupsWords } from "#words/backups.ts";
import { formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import css from "./backups.module.css";
import { SnapshotDialog } from "./SnapshotDialog.tsx";
import { nameOfSnapshot } from "./snapshot-name.ts";

const shownAtOnce = 100;

export function SnapshotsPart({ onLoaded }: { onLoaded: () => void }) {
  const words = useWords(backupsWords);
  const heading = useId();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search: sought = "", ...rest } = useSearch({ strict: false }) as { search?: string };
  const [shown, setShown] = useState<Snapshot>();
  const [restoring, setRestoring] = useState<Snapshot>();
  const search = (text: string) =>
    void navigate({
      to: ".",
      search: { ...rest, search: text === "" ? undefined : text },
      replace: true,
      state: { keepFocus: true },
    } as never);
  const list = useQuery({
    queryKey: ["snapshots", "list", sought],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { limit: shownAtOnce, ...(sought !== "" && { search: sought }) };
      const { data, headers } = await ask<Snapshot[]>(routes.snapshots, { query, signal });
      return { snapshots: data, total: Number(headers.get("x-total-count")) };
    },
  });
  const isOver = !list.isPending;
  useEffect(() => {
    if (isOver) onLoaded();
  }, [isOver, onLoaded]);
  const isSlow = useDelayed(list.isPending, 300);
  const restore = useMutation({
    mutationFn: ({ file }: Snapshot) => askData<SnapshotRestored>(routes.restoreSnapshot, { body: { file } }),
    onSuccess: (restored) => {
      setRestoring(undefined);
      setShown(undefined);
      toast.good(words.restored(nameOfSnapshot(restored)));
      void client.invalidateQueries();
    },
  });
  const { snapshots = [], total = 0 } = list.data ?? {};
  const ask1 = (snapshot: Snapshot) => {
    restore.reset();
    setRestoring(snapshot);
  };
  return (
    <section className={css.part} aria-labelledby={heading}>
      <div className={css.head}>
        <h2 id={heading} className={css.title}>
          {words.snapshots}
        </h2>
        <div className={css.search}>
          <SearchBox value={sought} onChange={search} />
        </div>
      </div>
      <p className={css.text}>{words.snapshotsText}</p>
      {list.error && <Failed error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && isSlow && <Skeleton height="12rem" />}
      {list.data && (
        <RecordGrid
          label={words.snapshots}
          rows={snapshots}
          idOf={({ file }) => file}
          nameOf={nameOfSnapshot}
          columns={[
            {
              id: "item",
              label: words.item,
              cell: (snapshot) => <span className={css.mono}>{nameOfSnapshot(snapshot)}</span>,
              sortBy: nameOfSnapshot,
            },
            { id: "kind", label: words.kind, cell: ({ kind }) => <Badge>{words.kinds[kind]}</Badge> },
            {
              id: "replaced",
              label: words.replaced,
              cell: ({ created }) => formatDateTime(created),
              sortBy: ({ created }) => created,
            },
            {
              id: "actions",
              label: words.actions,
              isLabelHidden: true,
              width: "1%",
              cell: (snapshot) => (
                <span className={css.buttons}>
                  <Button variant="quiet" onPress={() => setShown(snapshot)}>
                    {words.showDifference}
                  </Button>
                  <Button variant="quiet" icon={Undo2} onPress={() => ask1(snapshot)}>
                    {words.restore}
                  </Button>
                </span>
              ),
            },
          ]}
          empty={
            sought === "" ? (
              <EmptyState title={words.noSnapshots} level={3} text={words.noSnapshotsText} />
            ) : (
              <EmptyState
                title={words.noMatch}
                level={3}
                action={<Button onPress={() => search("")}>{words.clearSearch}</Button>}
              />
            )
          }
          footer={
            <p role="status">
              {total > snapshots.length
                ? words.newest(formatNumber(snapshots.length), formatNumber(total))
                : words.found(total)}
            </p>
          }
        />
      )}
      {shown && <SnapshotDialog snapshot={shown} onRestore={() => ask1(shown)} onClose={() => setShown(undefined)} />}
      {restoring && (
        <ConfirmDialog
          title={words.restoreTitle(words.nouns[restoring.kind], nameOfSnapshot(restoring))}
          text={words.restoreText(formatDateTime(restoring.created))}
          confirmLabel={words.restore}
          isPending={restore.isPending}
          error={restore.error && <ErrorText error={restore.error} />}
          onCancel={() => setRestoring(undefined)}
          onConfirm={() => restore.mutate(restoring)}
        />
      )}
    </section>
  );
}

function ErrorText({ error }: { error: unknown }) {
  return useErrorText(error).text;
}
