// All data views: how their last build went, and how much they hold.

import type { ViewSummary } from "@contract/data-views.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plus, RefreshCw, SquareArrowOutUpRight } from "lucide-react";
import { type RecordColumn, RecordGrid } from "#grid/records/RecordGrid.tsx";
import { useCommand } from "#session/commands.ts";
import { useCan, useStart } from "#session/start.ts";
import { Failed } from "#shell/LoadState.tsx";
import { LinkButton, TextLink } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { useShortcut } from "#shell/shortcuts.ts";
import { EmptyState } from "#ui/EmptyState.tsx";
import { commonWords } from "#words/common.ts";
import { dataViewWords } from "#words/data-views.ts";
import { formatAgo, formatDateTime, formatNumber } from "#words/format.ts";
import { useWords } from "#words/language.ts";
import { stateOf, ViewBadge } from "./ViewBadge.tsx";
import { collection, rowsQuery, useRebuild, viewsQuery } from "./view-calls.ts";
import css from "./views.module.css";

export function DataViewsPage() {
  const words = useWords(dataViewWords);
  const { site } = useStart();
  const can = useCan();
  const crumbs = [{ label: words.build }];
  if (!can("read", "dataviews")) return <Page title={words.title} needs={false} />;
  if (site.edition !== "pro")
    return (
      <Page title={words.title} breadcrumbs={crumbs}>
        <p>{words.needsPro(site.edition)}</p>
      </Page>
    );
  return <Views />;
}

function Views() {
  const common = useWords(commonWords);
  const words = useWords(dataViewWords);
  const can = useCan();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(viewsQuery);
  const { mutate, isPending, variables } = useRebuild();
  const mayCreate = can("create", { objects: collection });
  const begin = () => void navigate({ to: "/admin/dataviews/-new" });
  useCommand(mayCreate ? { id: "new-data-view", label: words.newTitle, run: begin } : undefined);
  useShortcut("n", words.newTitle, begin, { when: mayCreate });
  const link = (label: string) =>
    mayCreate && (
      <LinkButton to="/admin/dataviews/-new" variant="primary" icon={Plus}>
        {label}
      </LinkButton>
    );
  const nameOf = ({ id, name }: ViewSummary) => name || id;
  const columns: RecordColumn<ViewSummary>[] = [
    {
      ...{ id: "name", label: words.name, sortBy: nameOf },
      cell: (view) => (
        <TextLink to="/admin/dataviews/$id" params={{ id: view.id }}>
          {nameOf(view)}
        </TextLink>
      ),
    },
    { id: "state", label: words.state, sortBy: stateOf, cell: (view) => <ViewBadge view={view} /> },
    {
      ...{ id: "built", label: words.lastBuilt, sortBy: ({ lastBuilt }) => lastBuilt ?? "" },
      cell: ({ lastBuilt }) =>
        lastBuilt && (
          <time dateTime={lastBuilt} title={formatDateTime(lastBuilt)}>
            {formatAgo(lastBuilt)}
          </time>
        ),
    },
    { id: "rows", label: words.rows, align: "end", cell: (view) => <Rows view={view} /> },
    {
      ...{ id: "duration", label: words.duration, align: "end", sortBy: ({ durationMs }) => durationMs ?? 0 },
      cell: ({ durationMs }) => durationMs !== null && words.milliseconds(durationMs),
    },
    { id: "dependencies", label: words.dependencies, cell: ({ dependencies }) => dependencies.join(", ") },
    {
      ...{ id: "error", label: words.error },
      cell: ({ lastError }) =>
        lastError !== null && (
          <span className={css.error} title={lastError}>
            {lastError}
          </span>
        ),
    },
  ];
  return (
    <Page
      title={words.title}
      breadcrumbs={[{ label: words.build }]}
      isBusy={!data && !error}
      isWide
      actions={link(words.newTitle)}
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {data && (
        <RecordGrid
          label={words.title}
          columns={columns}
          rows={data}
          idOf={({ id }) => id}
          nameOf={nameOf}
          actionsLabel={words.actionsFor}
          actions={({ id }) => [
            {
              ...{ id: "open", label: words.open, icon: SquareArrowOutUpRight },
              onAction: () => void navigate({ to: "/admin/dataviews/$id", params: { id } }),
            },
            ...(can("update", { objects: collection })
              ? [
                  {
                    ...{ id: "rebuild", label: words.rebuild, icon: RefreshCw },
                    ...{ isDisabled: isPending && variables === id, onAction: () => mutate(id) },
                  },
                ]
              : []),
          ]}
          empty={<EmptyState title={words.emptyTitle} text={words.emptyText} action={link(common.makeFirst)} />}
        />
      )}
    </Page>
  );
}

/** Nothing is built for the sake of its number. */
function Rows({ view: { id, lastBuilt } }: { view: ViewSummary }) {
  const words = useWords(dataViewWords);
  const { data } = useQuery({ ...rowsQuery(id, lastBuilt ?? ""), enabled: lastBuilt !== null });
  if (data === undefined) return null;
  return data === null ? words.noRows : formatNumber(data);
}
