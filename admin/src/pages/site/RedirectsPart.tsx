// Where old addresses lead, how often they were asked for, and what can be done about each.

import type { Redirect } from "@contract/redirects.ts";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { ArrowRight, Pencil, Plus, Trash2, Upload } from "lucide-react";
import { useState } from "react";
import { askData } from "#api/client.ts";
import { routes } from "#api/routes.ts";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { SearchBox } from "#pages/collections/table/SearchBox.tsx";
import { useCommand } from "#session/commands.ts";
import { Failed, Problem } from "#shell/LoadState.tsx";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { ConfirmDialog } from "#ui/ConfirmDialog.tsx";
import { EmptyState } from "#ui/EmptyState.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { toast } from "#ui/toast.ts";
import { useDelayed } from "#ui/useDelayed.ts";
import { commonWords } from "#words/common.ts";
import { formatAgo, formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { siteWords } from "#words/site.ts";
import { ImportRedirects } from "./ImportRedirects.tsx";
import { Part } from "./Part.tsx";
import { RedirectDialog } from "./RedirectDialog.tsx";
import css from "./site.module.css";
import { redirectsQuery } from "./site-calls.ts";

type Open = { what: "new" | "import" } | { what: "edit" | "delete"; redirect: Redirect };

export function RedirectsPart() {
  const words = useWords(siteWords);
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const list = useInfiniteQuery(redirectsQuery(search));
  const isSlow = useDelayed(list.isPending, 300);
  const make = () => setOpen({ what: "new" });
  useCommand({ id: "new-redirect", label: words.newRedirect, run: make });
  const rows = list.data?.pages.flatMap(({ redirects }) => redirects) ?? [];
  const total = list.data?.pages.at(-1)?.total ?? 0;
  return (
    <Part
      title={words.redirects}
      text={words.redirectsText}
      actions={
        <>
          <Button icon={Upload} onPress={() => setOpen({ what: "import" })}>
            {words.importRedirects}
          </Button>
          <Button icon={Plus} variant="primary" onPress={make}>
            {words.newRedirect}
          </Button>
        </>
      }
    >
      {(rows.length > 0 || search !== "") && (
        <div className={css.search}>
          <SearchBox value={search} onChange={setSearch} />
        </div>
      )}
      {list.isError && !list.data && <Failed error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && isSlow && <Skeleton height="10rem" />}
      {list.data && (
        <RedirectList
          rows={rows}
          total={total}
          search={search}
          onSearch={setSearch}
          onOpen={setOpen}
          more={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
          isFetching={list.isFetchingNextPage}
        />
      )}
      {open?.what === "new" && <RedirectDialog onClose={close} />}
      {open?.what === "edit" && <RedirectDialog redirect={open.redirect} onClose={close} />}
      {open?.what === "delete" && <DeleteRedirect redirect={open.redirect} onClose={close} />}
      {open?.what === "import" && <ImportRedirects onClose={close} />}
    </Part>
  );
}

interface ListProps {
  rows: Redirect[];
  total: number;
  search: string;
  onSearch: (search: string) => void;
  onOpen: (open: Open) => void;
  /** Undefined when all are here. */
  more: (() => void) | undefined;
  isFetching: boolean;
}

function RedirectList({ rows, total, search, onSearch, onOpen, more, isFetching }: ListProps) {
  const words = useWords(siteWords);
  const common = useWords(commonWords);
  const columns = useColumns();
  return (
    <RecordGrid
      label={words.redirects}
      columns={columns}
      rows={rows}
      idOf={({ id }) => id}
      nameOf={({ source }) => source}
      actions={(redirect) => [
        { id: "edit", label: words.edit, icon: Pencil, onAction: () => onOpen({ what: "edit", redirect }) },
        {
          id: "delete",
          label: common.delete,
          icon: Trash2,
          tone: "danger",
          onAction: () => onOpen({ what: "delete", redirect }),
        },
      ]}
      actionsLabel={words.actionsFor}
      empty={
        search === "" ? (
          <EmptyState title={words.noRedirects} level={3} text={words.noRedirectsText} />
        ) : (
          <EmptyState
            title={words.noRedirectMatches}
            level={3}
            action={<Button onPress={() => onSearch("")}>{words.clearSearch}</Button>}
          />
        )
      }
      footer={
        <div className={css.footer}>
          <p role="status">
            {rows.length < total
              ? words.shownOf(formatNumber(rows.length), words.redirectCount(total))
              : words.redirectCount(total)}
          </p>
          {more && (
            <Button variant="quiet" isPending={isFetching} onPress={more}>
              {words.showMore}
            </Button>
          )}
        </div>
      }
    />
  );
}

function useColumns(): RecordColumn<Redirect>[] {
  const words = useWords(siteWords);
  return [
    {
      id: "source",
      label: words.source,
      sortBy: ({ source }) => source,
      cell: ({ source }) => <code className={css.mono}>{source}</code>,
    },
    {
      id: "target",
      label: words.targetLabel,
      sortBy: ({ target }) => target,
      cell: ({ target }) =>
        target === "" ? (
          <span className={css.quiet}>{words.gone}</span>
        ) : (
          <span className={css.target}>
            <Icon of={ArrowRight} />
            <code className={css.mono}>{target}</code>
          </span>
        ),
    },
    {
      id: "status",
      label: words.status,
      width: "5.5rem",
      sortBy: ({ status }) => status,
      cell: ({ status }) => <Badge>{String(status)}</Badge>,
    },
    { id: "origin", label: words.origin, width: "7rem", cell: ({ origin }) => words.origins[origin] },
    {
      id: "hits",
      label: words.hits,
      align: "end",
      width: "6rem",
      sortBy: ({ hits }) => hits,
      cell: ({ hits }) => formatNumber(hits),
    },
    {
      id: "last",
      label: words.last,
      width: "9rem",
      sortBy: ({ last }) => last ?? "",
      cell: ({ last }) =>
        last === null ? (
          <span className={css.quiet}>{words.never}</span>
        ) : (
          <span title={formatDateTime(last)}>{formatAgo(last)}</span>
        ),
    },
  ];
}

function DeleteRedirect({ redirect: { id, source }, onClose }: { redirect: Redirect; onClose: () => void }) {
  const words = useWords(siteWords);
  const common = useWords(commonWords);
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => askData(routes.deleteRedirect, { path: { id } }),
    onSuccess: () => {
      onClose();
      toast.good(words.deleted);
      void client.invalidateQueries({ queryKey: ["site"] });
    },
  });
  return (
    <ConfirmDialog
      title={words.deleteTitle(source)}
      text={words.deleteText}
      confirmLabel={common.delete}
      tone="danger"
      isPending={remove.isPending}
      error={remove.error && <Problem error={remove.error} />}
      onConfirm={() => remove.mutate()}
      onCancel={onClose}
    />
  );
}
